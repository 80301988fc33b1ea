package connect

import (
	"bytes"
	"slices"
	"strings"
)

// diffContext is how many lines around a change a diff has.
const diffContext = 3

// unpatched undoes a unified diff in a text that has been changed since, as patch -R does. It reports false unless the lines of each hunk,
// with as many of those around them as are still the same, stand at exactly one place.
func unpatched(text []byte, patch string) ([]byte, bool) {
	_, hunks, found := strings.Cut(patch, "\n@@")
	if !found {
		return nil, false
	}
	text = atLine(text)
	for hunk := range strings.SplitSeq(hunks, "\n@@") {
		_, body, _ := strings.Cut(hunk, "\n") // without the numbers of its lines
		lines := linesOf(body)
		places := 0
		for context := diffContext; places == 0 && context >= 0; context-- {
			before, after := sides(lines, context)
			if len(after) == 0 {
				return nil, false
			}
			if places = bytes.Count(text, atLine(after)); places == 1 {
				text = bytes.Replace(text, atLine(after), atLine(before), 1)
			}
		}
		if places != 1 {
			return nil, false
		}
	}
	return text[1:], true
}

// atLine puts a line's end before a text, so that it is found at the beginning of a line only.
func atLine(text []byte) []byte { return append([]byte{'\n'}, text...) }

// diffLine is a line of a hunk.
type diffLine struct {
	kind byte   // ' ', '+' or '-'
	text string // with its end, if it has one in the file
}

func linesOf(hunk string) (lines []diffLine) {
	for line := range strings.Lines(hunk) {
		if line[0] == '\\' { // No newline at end of file
			last := &lines[len(lines)-1]
			last.text = strings.TrimSuffix(last.text, "\n")
			continue
		}
		if !strings.HasSuffix(line, "\n") {
			line += "\n" // it went with the head of the next hunk
		}
		lines = append(lines, diffLine{line[0], line[1:]})
	}
	return lines
}

// sides returns the lines of a hunk as they are before and after it, with at most so many others around them.
func sides(lines []diffLine, context int) (before, after []byte) {
	changed := func(l diffLine) bool { return l.kind != ' ' }
	from := max(slices.IndexFunc(lines, changed)-context, 0)
	to := len(lines)
	for to > from && !changed(lines[to-1]) {
		to--
	}
	to = min(to+context, len(lines))
	for _, l := range lines[from:to] {
		if l.kind != '+' {
			before = append(before, l.text...)
		}
		if l.kind != '-' {
			after = append(after, l.text...)
		}
	}
	return before, after
}
