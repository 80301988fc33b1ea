package terminal

import (
	"errors"
	"io"
	"strings"
	"testing"

	"followup/internal/locale"
)

// A terminal that goes away sends nothing: neither half of several lines, nor half a line.
func TestLinesWithoutAnEnd(t *testing.T) {
	for name, typed := range map[string]string{"several": "/more\nThe first half\n", "one": "drop the ta"} {
		item := followup("1", 1, "Which?", "a")
		lines := NewLines(Options{In: strings.NewReader(typed), Out: io.Discard, Locale: locale.English}, nil)
		if err := lines.Ask(t.Context(), &item); !errors.Is(err, errQuit) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
