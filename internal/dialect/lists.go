package dialect

import (
	"strings"
	"unicode/utf8"

	"followup/internal/question"
)

// lines reads text as a bulleted or numbered list. An item starts with a marker and includes its continuation lines
// as written. items reports whether there are any; other reports whether there is text outside the items: lines
// before the first, or an unindented paragraph after one.
func (l *suggestionList) lines(text string) (items, other bool) {
	base := 0  // indentation of the first item
	from := -1 // start of the open item; -1 if none
	afterBlank := false
	for at, line := 0, ""; at <= len(text); at += len(line) + 1 {
		line, _, _ = strings.Cut(text[at:], "\n")
		indent := indentLen(line)
		if trim(line[indent:]) == "" {
			afterBlank = true
			continue
		}
		if from < 0 && !items {
			base = indent
		}
		rest, marked := cutMarker(line[indent:])
		begins := marked && (from < 0 || indent <= base)
		if from >= 0 && (begins || afterBlank && indent <= base) {
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
	}
	if from >= 0 {
		l.add(trim(text[from:]), "")
	}
	if items {
		l.readable = true
		l.repairs.add(question.RepairListSuggestions)
	}
	return items, other
}

// cutMarker removes a list marker from the front of a line: a bullet or a number, and an optional check box.
func cutMarker(line string) (rest string, ok bool) {
	rest, spaced, ok := cutBullet(line)
	if !ok || spaced && rest != "" && indentLen(rest) == 0 {
		return line, false
	}
	box := rest[indentLen(rest):]
	if len(box) > 2 && box[0] == '[' && strings.IndexByte(" xX", box[1]) >= 0 && box[2] == ']' &&
		(len(box) == 3 || indentLen(box[3:]) > 0) {
		return box[3:], true
	}
	return rest, true
}

// cutBullet removes a bullet or a number from the front of a line. spaced reports whether white space must follow,
// because the marker is ambiguous: - * + – — 1. 1) A. A), but not • 1、 (1) and the like.
func cutBullet(line string) (rest string, spaced, ok bool) {
	first, size := utf8.DecodeRuneInString(line)
	bracketed := first == '(' || first == '（'
	switch {
	case strings.ContainsRune("•‣◦●○▪■", first):
		return line[size:], false, true
	case strings.ContainsRune("-*+–—", first):
		return line[size:], true, true
	case bracketed:
		line = line[size:]
	}
	n := len(line) - len(strings.TrimLeft(line, "0123456789"))
	digits := n > 0
	if !digits && line != "" && 'a' <= line[0]|0x20 && line[0]|0x20 <= 'z' {
		n = 1
	}
	mark, size := utf8.DecodeRuneInString(line[n:])
	rest = line[n+size:]
	switch {
	case n == 0 || n > 9:
		return line, false, false
	case bracketed:
		return rest, false, digits && (mark == ')' || mark == '）')
	case digits && (mark == '）' || mark == '．'):
		return rest, false, true
	}
	return rest, mark != '、', mark == '、' || mark == '.' || mark == ')'
}
