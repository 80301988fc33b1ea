package dialect

import (
	"strings"
	"unicode/utf8"
)

// read reads text as a bulleted or numbered list: lines that begin with a marker, each with the lines that go on with
// it, as they are. It reports whether there are items, and whether there is other text: lines before the first item, or a paragraph
// behind an item that is not indented.
func (l *suggestionList) read(text string) (items, other bool) {
	base := 0  // indentation of the first item
	from := -1 // where the open item begins
	afterBlank := false
	for at := 0; at <= len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		if trim(line) == "" {
			afterBlank = true
			at += len(line) + 1
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if from < 0 && !items {
			base = indent
		}
		rest, marked := cutMarker(line[indent:])
		begins := marked && (from < 0 || indent <= base)
		ends := afterBlank && indent <= base
		if from >= 0 && (begins || ends) {
			l.add(trim(text[from:at]), "")
			from = -1
		}
		switch {
		case begins:
			from, items = at+len(line)-len(rest), true
		case from < 0:
			other = true
		}
		afterBlank = false
		at += len(line) + 1
	}
	if from >= 0 {
		l.add(trim(text[from:]), "")
	}
	return items, other
}

// cutMarker cuts the marker of a list's item off a line: a bullet or a number, and the check box behind it.
func cutMarker(line string) (rest string, ok bool) {
	if rest, ok = cutBullet(line); ok {
		for _, box := range []string{"[ ]", "[x]", "[X]"} {
			if after, boxed := strings.CutPrefix(strings.TrimLeft(rest, " \t"), box); boxed {
				if after, boxed = spaced(rest, after); boxed {
					return after, true
				}
			}
		}
	}
	return rest, ok
}

// cutBullet cuts a bullet or number off a line, and the white space that must follow it where it could be something else:
// - * + – — 1. 1) A. A), and • 1、 (1) and the like, which nothing need follow.
func cutBullet(line string) (rest string, ok bool) {
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
