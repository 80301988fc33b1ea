package protocol

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/sourcegraph/go-lsp"
)

// windowsPath matches the beginning of a Windows path: a drive or a server, which becomes a URI's authority.
var windowsPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Za-z]:(?:[\\/]|$)|\\\\([^\\/]+))`)
})

// FolderOf returns the folder of an absolute path with the URI that an editor gives it, so that a question from an agent in that
// folder belongs to that window: characters other than letters, digits and -._~ become %XX, drives and servers lower case
// (https://github.com/microsoft/vscode-uri).
func FolderOf(name string) WorkspaceFolder {
	// Prefixes of verbatim paths on Windows: https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
	const verbatim, verbatimServer = `\\?\`, `\\?\UNC\`
	authority, windows := "", false
	if server, ok := strings.CutPrefix(name, verbatimServer); ok {
		name = `\\` + server
	} else {
		name = strings.TrimPrefix(name, verbatim)
	}
	if on := windowsPath().FindStringSubmatch(name); on != nil {
		windows = true
		if authority = on[1]; authority != "" {
			name = name[len(on[0]):]
		} else {
			name = strings.ToLower(name[:1]) + name[1:]
		}
		name = strings.ReplaceAll(name, `\`, "/")
	}
	if name = path.Clean("/" + name); windows && authority == "" && len(name) == len("/c:") {
		name += "/" // the root of a drive
	}
	uri := "file://" + escaped(strings.ToLower(authority)) + escaped(name)
	return WorkspaceFolder{URI: lsp.DocumentURI(uri), Name: path.Base(name)}
}

// PathOf returns the path of a file URI as its system writes it: on Windows with a drive or a server. Other texts are returned as they are.
func PathOf(uri string) string {
	rest, isFile := strings.CutPrefix(uri, "file://")
	name, err := url.PathUnescape(rest)
	if !isFile || err != nil {
		return uri
	}
	if drive := strings.TrimPrefix(name, "/"); windowsPath().MatchString(drive) {
		return strings.ReplaceAll(drive, "/", `\`)
	}
	if !strings.HasPrefix(name, "/") {
		return `\\` + strings.ReplaceAll(name, "/", `\`)
	}
	return name
}

// escaped percent-encodes all characters except slashes and those that are unreserved in every part of a URI.
func escaped(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
