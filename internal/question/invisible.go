package question

import (
	"strings"
	"unicode"
)

// Invisible reports whether nothing of a text can be seen: it is empty, or has only white space, control characters and other
// characters that draw nothing.
func Invisible(text string) bool { return !strings.ContainsFunc(text, isVisible) }

func isVisible(r rune) bool {
	return '!' <= r && r <= '~' || r != '\u2800' && !unicode.IsSpace(r) &&
		!unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
