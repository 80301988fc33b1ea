package protocol

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/sourcegraph/go-lsp"
)

// windowsPath is how a path begins that Windows has: with a drive, or with a server, which is a URI's authority.
var windowsPath = regexp.MustCompile(`^(?:[A-Za-z]:(?:[\\/]|$)|\\\\([^\\/]+))`)

// FolderOf is the folder of an absolute path, as an editor that has it open names it: everything else than letters, digits and -._~ stands
// as %XX, and a drive in lower case (https://github.com/microsoft/vscode-uri). So a question of an agent that works there is that window's.
func FolderOf(name string) WorkspaceFolder {
	authority, windows := "", false
	if on := windowsPath.FindStringSubmatch(name); on != nil {
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
	var b strings.Builder
	b.WriteString("file://" + strings.ToLower(authority))
	for _, c := range []byte(name) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return WorkspaceFolder{URI: lsp.DocumentURI(b.String()), Name: path.Base(name)}
}
