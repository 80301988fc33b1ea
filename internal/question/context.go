package question

import (
	"strings"
	"unicode/utf8"
)

// MaxContext bounds what is kept of the text before a call, in bytes.
const MaxContext = 16 << 10

// Before is the end of what an agent wrote before a call, at most MaxContext bytes of it, without white space around it.
// A longer text begins with a line where one begins in its first quarter.
func Before(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= MaxContext {
		return text
	}
	text = text[len(text)-MaxContext:]
	if line := strings.IndexByte(text[:MaxContext/4], '\n'); line >= 0 {
		return strings.TrimSpace(text[line:])
	}
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}
