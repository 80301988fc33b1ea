package hubclient

import (
	"unicode/utf8"

	"followup/internal/archive"
)

// Limits for a hub's texts in characters: of a name, and of an error.
const (
	mostName  = 100
	mostWords = 1000
)

// sanitize returns a hub's text for display: on one line, without characters that control a terminal, and of limited length.
func sanitize(text string, most int) string {
	// A character has at most four bytes. Cutting first bounds the work.
	if len(text) > 4*most {
		text = text[:4*most]
	}
	text = archive.Inline(text)
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
