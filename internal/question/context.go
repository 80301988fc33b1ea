package question

import (
	"strings"
	"unicode/utf8"
)

// MaxContext limits the context of a call in bytes.
const MaxContext = 16 << 10

// Before returns the end of an agent's text before a call, trimmed, at most MaxContext bytes. If a longer text has a line break
// in the first quarter of that, it is cut there.
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
