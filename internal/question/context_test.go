package question

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Before keeps the end of a long text, from the start of a line if possible, and never splits a character.
func TestBefore(t *testing.T) {
	long := strings.Repeat("é", MaxContext)
	for name, c := range map[string]struct{ text, want string }{
		"nothing":            {" \n\t", ""},
		"a short text":       {"\n I looked.\n\n It is b. \n", "I looked.\n\n It is b."},
		"the maximum length": {strings.Repeat("a", MaxContext), strings.Repeat("a", MaxContext)},
		"a line's start":     {"x" + strings.Repeat("y", MaxContext) + "\n" + strings.Repeat("z", MaxContext-100), strings.Repeat("z", MaxContext-100)},
		"no half":            {"a" + long, long[len(long)-MaxContext:]},
		"half a character":   {long + "a", long[len(long)-MaxContext+2:] + "a"},
	} {
		if got := Before(c.text); got != c.want || len(got) > MaxContext || !utf8.ValidString(got) {
			t.Errorf("%s: got %d bytes, want %d", name, len(got), len(c.want))
		}
	}
}
