package dialect

import "strings"

// readList reads text as a bulleted or numbered list: lines that begin with a marker, each with the lines that go on with
// it, as they are. Lines before the first item introduce the list; a paragraph behind an item that is not indented is left out.
// It returns nil when there is no item.
func readList(text string) (answers []string) {
	base := 0 // indentation of the first item
	var item []string
	end := func() {
		if item != nil {
			answers = append(answers, trim(strings.Join(item, "\n")))
		}
	}
	afterBlank := false
	for line := range strings.SplitSeq(text, "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if item == nil && answers == nil {
			base = indent
		}
		rest, marked := cutMarker(line[indent:])
		switch {
		case marked && (item == nil || indent <= base):
			end()
			item = []string{rest}
		case item == nil:
		case afterBlank && indent <= base && trim(line) != "":
			end()
			item = nil
		default:
			item = append(item, line)
		}
		afterBlank = trim(line) == ""
	}
	end()
	return answers
}

// cutMarker cuts the marker of a list's item off a line: - * + • 1. 1) and the white space that follows.
func cutMarker(line string) (rest string, ok bool) {
	if rest, ok := strings.CutPrefix(line, "•"); ok {
		return rest, true
	}
	n := 0
	for n < len(line) && n < 9 && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	switch {
	case n == len(line):
		return "", false
	case n > 0 && (line[n] == '.' || line[n] == ')'), n == 0 && strings.IndexByte("-*+", line[0]) >= 0:
		rest = line[n+1:]
		return rest, rest == "" || rest[0] == ' ' || rest[0] == '\t'
	}
	return "", false
}
