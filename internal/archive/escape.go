package archive

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// Plain replaces characters that control a terminal or change the direction of text by U+FFFD: control characters except tabs and
// newlines, and bidirectional marks.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !steers(r) {
			return r
		}
		return unicode.ReplacementChar
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}

func steers(r rune) bool {
	return unicode.IsControl(r) || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069' || r == '\u2028' || r == '\u2029'
}

// Inline returns a text on one line that is safe on a terminal.
func Inline(text string) string { return strings.Join(strings.Fields(Plain(text)), " ") }

// special are the characters that have a meaning anywhere in a line of Markdown.
var special = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "&", `\&`, "|", `\|`, "~", `\~`,
)

// leading matches what has a meaning at the beginning of a line: headings and their underlines, lists, breaks.
var leading = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(#|=|[-+]|\d{1,9}[.)])`)
})

// indentation keeps a line's indentation without making it code or part of a list.
var indentation = strings.NewReplacer(" ", "\u00a0", "\t", "\u00a0\u00a0\u00a0\u00a0")

// escaped returns Markdown that shows a text literally, so that an agent's text cannot imitate a heading, a quotation, a link, an
// element or a list item of the surrounding document.
func escaped(text string) string {
	lines := strings.Split(Plain(text), "\n")
	for i, line := range lines {
		words := strings.TrimLeft(line, " \t")
		before := indentation.Replace(line[:len(line)-len(words)])
		if words = special.Replace(words); words == "" {
			before = ""
		} else if m := leading().FindString(words); m != "" {
			words = words[:len(m)-1] + `\` + words[len(m)-1:]
		}
		lines[i] = before + words
	}
	return strings.Join(lines, "\n")
}

// escapedInline is escaped on one line.
func escapedInline(text string) string { return escaped(Inline(text)) }

// quietJSON escapes characters that control a terminal in JSON. Package encoding/json only escapes those below the space.
func quietJSON(line []byte) []byte {
	text := string(line)
	if !strings.ContainsFunc(text, steers) {
		return line
	}
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && steers(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return []byte(b.String())
}
