package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"followup/internal/protocol"
)

// part is a run of lines in a preview: Markdown, or a layout.
type part struct {
	layout bool
	lines  []string
}

func (p part) text() string {
	return strings.Join(p.lines, "\n")
}

func readPreview(s string) []protocol.MarkdownNode {
	s = clean(s)
	parts := split(strings.Split(s, "\n"))
	w := &writer{}
	if len(parts) > 0 && !anyMarkdown(parts) {
		lines := trimBlank(strings.Split(s, "\n"))
		return []protocol.MarkdownNode{layout(strings.Join(lines, "\n"))}
	}
	for _, p := range parts {
		if p.layout {
			w.put(layout(p.text()))
		} else {
			w.markdown(p.text())
		}
	}
	return w.nodes
}

// trimBlank drops the blank lines at both ends.
func trimBlank(lines []string) []string {
	for len(lines) > 0 && isBlank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && isBlank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func isBlank(line string) bool {
	return strings.TrimSpace(line) == ""
}

// anyMarkdown reports whether Markdown would change how any part looks.
func anyMarkdown(parts []part) bool {
	for _, p := range parts {
		if !p.layout && hasConstruct(parse([]byte(p.text()))) {
			return true
		}
	}
	return false
}

func hasConstruct(n ast.Node) bool {
	switch n.(type) {
	case *ast.Document, *ast.Paragraph, *ast.Text, *ast.RawHTML, *ast.HTMLBlock, *ast.CodeBlock, *plain:
	default:
		return true
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if hasConstruct(c) {
			return true
		}
	}
	return false
}

// splitter divides the lines of a preview into parts.
type splitter struct {
	lines []string
	parts []part
	// blank counts the blank lines after the last added line.
	blank int
	// inList means that the preceding Markdown may be a list, which indented lines continue.
	inList bool
	// unclosed is the length of the shortest unclosed fence of tildes, or 0. No longer fence is closed below it.
	unclosed int
}

func split(lines []string) []part {
	s := splitter{lines: lines}
	for at := 0; at < len(lines); {
		end := at + 1
		if isBlank(lines[at]) {
			s.blank++
		} else if stop := s.fence(at); stop > 0 {
			end = stop
			s.inList = s.inList && indent(lines[at]) > 0
			s.add(false, lines[at:end])
		} else {
			for end < len(lines) && !isBlank(lines[end]) && s.fence(end) == 0 {
				end++
			}
			s.chunk(lines[at:end])
		}
		at = end
	}
	return s.parts
}

// add appends lines to the last part if it is of the same kind, with the blank lines between.
func (s *splitter) add(layout bool, lines []string) {
	if last := len(s.parts) - 1; last >= 0 && s.parts[last].layout == layout {
		p := &s.parts[last]
		p.lines = append(append(p.lines, make([]string, s.blank)...), lines...)
	} else {
		s.parts = append(s.parts, part{layout, append([]string(nil), lines...)})
	}
	s.blank = 0
}

// chunk adds lines that have no blank lines or fences between them.
func (s *splitter) chunk(lines []string) {
	inList := isListItem(lines[0]) || s.inList && indent(lines[0]) >= 2
	if !isLayout(lines, inList) {
		s.inList = inList
		s.add(false, lines)
		return
	}
	s.inList = false
	titles := 0
	for titles < len(lines) && isTitle(lines[titles]) {
		titles++
	}
	if titles > 0 {
		s.add(false, lines[:titles])
	}
	if titles < len(lines) {
		s.add(true, lines[titles:])
	}
}

// fence returns the end of the fenced block that begins at line at; 0 if there is none. Tildes need a closing fence, since
// drawings use them, too.
func (s *splitter) fence(at int) int {
	line := afterMarker(s.lines[at])
	mark, length, rest := fenceLine(line)
	indented := indent(line) > 3 && !s.inList && line == s.lines[at]
	if length == 0 || indented || mark == '`' && strings.Contains(rest, "`") || mark == '~' && s.unclosed > 0 && length >= s.unclosed {
		return 0
	}
	for i := at + 1; i < len(s.lines); i++ {
		if m, l, rest := fenceLine(s.lines[i]); m == mark && l >= length && isBlank(rest) {
			return i + 1
		}
	}
	if mark == '~' {
		s.unclosed = length
		return 0
	}
	return len(s.lines)
}

// fenceLine parses a line that may begin or end a fenced block: its character, their number, and the rest. The length is 0 if it is
// not a fence.
func fenceLine(line string) (mark byte, length int, rest string) {
	line = strings.TrimLeft(line, " \t")
	if line == "" || line[0] != '`' && line[0] != '~' {
		return 0, 0, ""
	}
	rest = strings.TrimLeft(line, line[:1])
	if length = len(line) - len(rest); length < 3 {
		return 0, 0, ""
	}
	return line[0], length, rest
}
