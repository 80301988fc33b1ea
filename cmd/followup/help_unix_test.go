//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/creack/pty"
)

// Help wraps between words on a narrow terminal.
func TestHelpFitsTheTerminal(t *testing.T) {
	t.Parallel()
	for _, columns := range []uint16{40, 72} {
		p := shellOnTerminal(t, "", `read -r go; exec "$@"`, "mcp", "--help")
		if err := pty.Setsize(p.file, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
			t.Fatal(err)
		}
		p.typed("go\n")
		p.until("wrong usage.") // the end
		p.ended()
		p.mu.Lock()
		text := p.raw.String()
		p.mu.Unlock()
		for line := range strings.Lines(text) {
			if width := cells(strings.TrimRight(line, "\r\n")); width > int(columns) {
				t.Errorf("%d columns: a line has %d: %q", columns, width, line)
			}
		}
	}
}
