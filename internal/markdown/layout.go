package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// isLayout reports whether adjacent lines have a manual layout, so that their spaces are significant. inList means that they
// continue a list, whose lines are indented anyway.
func isLayout(lines []string, inList bool) bool {
	quote := strings.HasPrefix(strings.TrimLeft(lines[0], " "), ">")
	if quote && strings.Contains(strings.Join(lines, "\n"), "```") {
		return false
	}
	table, _ := tableStart(len(lines), func(i int) []byte { return []byte(lines[i]) })
	if len(lines) == 1 && isBreak(lines[0]) {
		return false
	}
	pairs := 0
	for i, line := range lines {
		inTable := table >= 0 && i >= table
		switch {
		case isDrawn(line):
			return true
		case inTable:
		case isFramed(line) || isPattern(line) || gap(line) > 2:
			return true
		case indent(line) > 0 && !inList && !quote:
			return true
		case gap(line) == 2:
			pairs++
		}
	}
	return pairs > 1 // two spaces in one line are a mistake; in several lines they are columns
}

// isDrawn reports whether a line has box-drawing characters, blocks, braille, or the corner of a frame, or begins with tildes that
// are not a fence.
func isDrawn(line string) bool {
	if strings.HasPrefix(strings.TrimLeft(line, " "), "~~~") {
		return true
	}
	for _, corner := range []string{"+--", "--+", "+==", "==+"} {
		if strings.Contains(line, corner) {
			return true
		}
	}
	return strings.ContainsFunc(line, func(r rune) bool {
		return r >= '\u2500' && r <= '\u259F' || r >= '\u2801' && r <= '\u28FF'
	})
}

// isFramed reports whether a line is part of a frame or of a tree: | text |, |-- file, `-- file.
func isFramed(line string) bool {
	line = strings.TrimSpace(line)
	for _, start := range []string{"|", "`--", `\--`} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return len(line) > 2 && line[0] == '+' && (strings.HasSuffix(line, "+") || strings.HasSuffix(line, "|"))
}

// isPattern reports whether a line only consists of ASCII symbols.
func isPattern(line string) bool {
	signs := 0
	for _, r := range afterMarker(line) {
		switch {
		case r >= utf8.RuneSelf || util.IsAlphaNumeric(byte(r)):
			return false
		case r > ' ':
			signs++
		}
	}
	return signs > 2
}

// isBreak reports whether a line is a thematic break.
func isBreak(line string) bool {
	line = strings.ReplaceAll(strings.TrimSpace(line), " ", "")
	return len(line) > 2 && strings.ContainsAny(line[:1], "-*_") && strings.Trim(line, line[:1]) == ""
}

// isTitle reports whether a line at the start of a layout is the layout's title: a heading, or completely bold.
func isTitle(line string) bool {
	if isDrawn(line) || gap(line) > 1 {
		return false
	}
	if heading := strings.TrimLeft(line, "#"); heading != line {
		return len(line)-len(heading) <= 6 && strings.HasPrefix(heading, " ") && !isPattern(line)
	}
	inner, ok := strings.CutPrefix(strings.TrimSuffix(strings.TrimSpace(line), ":"), "**")
	inner, end := strings.CutSuffix(inner, "**")
	return ok && end && indent(line) == 0 && inner != "" && !strings.Contains(inner, "*")
}

// gap returns the width of the widest run of spaces between words of a line. A tab counts as several, a single space after a
// sentence as none.
func gap(line string) int {
	line = strings.TrimSpace(afterMarker(line))
	widest, run := 0, 0
	var before byte
	for i := range len(line) {
		switch c := line[i]; c {
		case '\t':
			run += 8
		case ' ':
			run++
		default:
			if run == 2 && strings.IndexByte(".!?:;", before) >= 0 {
				run = 0
			}
			widest, run, before = max(widest, run), 0, c
		}
	}
	return widest
}

// indent returns the width of the white space before a line.
func indent(line string) int {
	width, _ := util.IndentWidth([]byte(line), 0)
	return width
}

func isListItem(line string) bool {
	return indent(line) < 4 && afterMarker(line) != line
}

// afterMarker returns the line without a list item's marker.
func afterMarker(line string) string {
	rest := strings.TrimLeft(line, " \t")
	if digits := strings.TrimLeft(rest, "0123456789"); digits != rest && len(rest)-len(digits) < 10 {
		if digits == "" || digits[0] != '.' && digits[0] != ')' {
			return line
		}
		rest = digits
	} else if rest == "" || strings.IndexByte("-*+", rest[0]) < 0 {
		return line
	}
	if len(rest) > 1 && rest[1] != ' ' && rest[1] != '\t' {
		return line
	}
	return strings.TrimLeft(rest[1:], " \t")
}
