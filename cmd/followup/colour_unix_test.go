//go:build unix

package main

import (
	"regexp"
	"testing"
)

// setsColour matches an escape sequence that sets a colour; bold and faint text are not colours.
var setsColour = regexp.MustCompile(`\x1b\[(\d+;)*([349][0-8]|10[0-7])(;\d+)*m`)

// NO_COLOR turns off the colours of the terminal's inbox.
func TestAnswerWithoutColours(t *testing.T) {
	t.Parallel()
	for env, want := range map[string]bool{"NO_COLOR=": true, "NO_COLOR=1": false} {
		storage := storageDir(t)
		startAsk(t, storage, "", "Which database?\n\n```go\nvar port = 8080\n```", "-s", "PostgreSQL", "-s", "SQLite")
		untilOpen(t, storage, 1)
		screen := onTerminal(t, storage, []string{env}, "answer")
		screen.until("SQLite")
		screen.typed("\x03")
		screen.ended()
		screen.mu.Lock()
		if got := setsColour.Match(screen.raw.Bytes()); got != want {
			t.Errorf("%s: coloured %v, want %v: %q", env, got, want, screen.raw.Bytes())
		}
		screen.mu.Unlock()
	}
}
