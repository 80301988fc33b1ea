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
	end := strings.TrimSpace(text)
	if len(end) > MaxContext {
		end = end[len(end)-MaxContext:]
		if line := strings.IndexByte(end[:MaxContext/4], '\n'); line >= 0 {
			end = strings.TrimSpace(end[line:])
		}
		for len(end) > 0 && !utf8.RuneStart(end[0]) {
			end = end[1:]
		}
	}
	if len(end) < len(text) {
		return strings.Clone(end) // the rest of the text is not kept in memory
	}
	return end
}
