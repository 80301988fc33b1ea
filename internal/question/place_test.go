package question

import (
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	forty := strings.Repeat("0123456789", 4)
	tests := map[string]string{
		"":                               "",
		"\ufeff a\r\n\tb \x00":           "a b",
		forty:                            forty,
		forty + " \n":                    forty,
		forty + "x":                      forty[:39] + "…",
		strings.Repeat("é", 38) + " x y": strings.Repeat("é", 38) + "…",
	}
	for text, want := range tests {
		if got := Excerpt(text); got != want {
			t.Errorf("Excerpt(%q) = %q, want %q", text, got, want)
		}
	}
}
