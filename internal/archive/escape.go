package archive

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// Plain is a text without what would steer a terminal, or turn the order of what stands around it: control characters but for the
// tab and the newline, and marks that change the direction of writing, become U+FFFD.
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

// Inline is a text on one line, which is safe on a terminal.
func Inline(text string) string { return strings.Join(strings.Fields(Plain(text)), " ") }

// special are the characters that mean something anywhere in a line of Markdown.
var special = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "&", `\&`, "|", `\|`, "~", `\~`,
)

// leading are those that mean something at the beginning of a line: headings and the lines below them, lists, breaks.
var leading = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(#|=|[-+]|\d{1,9}[.)])`)
})

// indentation is how a line is moved in without making code, or a part of a list, of it.
var indentation = strings.NewReplacer(" ", "\u00a0", "\t", "\u00a0\u00a0\u00a0\u00a0")

// escaped is a text as Markdown that shows it letter by letter: nothing that an agent wrote makes a heading, a quotation, a link, an
// element or an item of a list, so that it cannot be taken for what stands around it.
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

// escapedInline is escaped, on one line.
func escapedInline(text string) string { return escaped(Inline(text)) }

// quietJSON writes characters that would steer a terminal as JSON's escapes; the package encoding/json does so only with those below
// the space.
func quietJSON(line []byte) []byte {
	text := string(line)
	if !strings.ContainsFunc(text, steers) {
		return line
	}
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && steers(r) {
			const digits = "0123456789abcdef"
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(digits[r>>shift&15])
			}
			continue
		}
		b.WriteRune(r)
	}
	return []byte(b.String())
}
