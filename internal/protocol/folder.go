package protocol

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/sourcegraph/go-lsp"
)

// windowsPath is how a path begins that Windows has: with a drive, or with a server, which is a URI's authority.
var windowsPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Za-z]:(?:[\\/]|$)|\\\\([^\\/]+))`)
})

// FolderOf is the folder of an absolute path, as an editor that has it open names it: everything else than letters, digits and -._~ stands
// as %XX, and a drive and a server in lower case (https://github.com/microsoft/vscode-uri). So a question of an agent that works there is that
// window's.
func FolderOf(name string) WorkspaceFolder {
	// What stands before a path that Windows is to take as it is, and before one of a server:
	// https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
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
		name += "/" // a whole drive
	}
	uri := "file://" + escaped(strings.ToLower(authority)) + escaped(name)
	return WorkspaceFolder{URI: lsp.DocumentURI(uri), Name: path.Base(name)}
}

// escaped has everything as %XX but slashes and what stands for itself in any part of a URI.
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
