package dialect

import (
	"strings"
	"unicode/utf8"
)

// readList reads text as a bulleted or numbered list: lines that begin with a marker, each with the lines that go on with
// it, as they are. It reports whether there is other text: lines before the first item, or a paragraph behind an item that is
// not indented.
func readList(text string) (answers []string, other bool) {
	base := 0 // indentation of the first item
	var item []string
	end := func() {
		if item != nil {
			answers = append(answers, trim(strings.Join(item, "\n")))
		}
		item = nil
	}
	afterBlank := false
	for line := range strings.SplitSeq(text, "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if item == nil && answers == nil {
			base = indent
		}
		blank := trim(line) == ""
		rest, marked := cutMarker(line[indent:])
		switch {
		case marked && (item == nil || indent <= base):
			end()
			item = []string{rest}
		case item != nil && afterBlank && indent <= base && !blank:
			end()
			other = true
		case item != nil:
			item = append(item, line)
		default:
			other = other || !blank
		}
		afterBlank = blank
	}
	end()
	return answers, other
}

// cutMarker cuts the marker of a list's item off a line, and the white space that must follow it where it could be something
// else: - * + – — 1. 1) A. A), and • 1、 (1) and the like, which nothing need follow.
func cutMarker(line string) (rest string, ok bool) {
	first, size := utf8.DecodeRuneInString(line)
	if strings.ContainsRune("•‣◦●○▪■", first) && size > 1 {
		return line[size:], true
	}
	if strings.ContainsRune("-*+–—", first) && size > 0 {
		return spaced(line, line[size:])
	}
	inner, bracketed := strings.CutPrefix(line, "(")
	if !bracketed {
		inner, bracketed = strings.CutPrefix(line, "（")
	}
	n := 0
	for n < len(inner) && n < 9 && '0' <= inner[n] && inner[n] <= '9' {
		n++
	}
	digits := n > 0
	if !digits && len(inner) > 1 && (inner[0]|0x20 >= 'a' && inner[0]|0x20 <= 'z') {
		n = 1
	}
	if n == 0 {
		return line, false
	}
	end, size := utf8.DecodeRuneInString(inner[n:])
	rest = inner[n+size:]
	switch {
	case bracketed && (!digits || end != ')' && end != '）'):
		return line, false
	case bracketed:
		return rest, true
	case end == '、' || digits && (end == '）' || end == '．'):
		return rest, true
	case end == '.' || end == ')':
		return spaced(line, rest)
	}
	return line, false
}

// spaced reports whether white space, or nothing, follows the marker.
func spaced(line, rest string) (string, bool) {
	if rest == "" || rest[0] == ' ' || rest[0] == '\t' {
		return rest, true
	}
	return line, false
}
