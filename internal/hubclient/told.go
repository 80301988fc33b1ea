package hubclient

import (
	"unicode/utf8"

	"followup/internal/archive"
)

// How much of a hub's words is told, in characters: of a name, and of why something is not so.
const (
	mostName  = 100
	mostWords = 1000
)

// told is a text of a hub's as it may be told: on one line, without what would steer a terminal, and not longer than anybody reads.
func told(text string, most int) string {
	// A character has four bytes at most. What is left out first is not gone through.
	if len(text) > 4*most {
		text = text[:4*most]
	}
	text = archive.Inline(text)
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
