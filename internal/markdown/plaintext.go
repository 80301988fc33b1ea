package markdown

import (
	"slices"
	"strconv"
	"strings"

	"followup/internal/protocol"
)

// Style formats words by the kinds of the elements around them, outermost first. words has no line break.
type Style func(words string, around []protocol.MarkdownKind) string

// PlainText returns the words of nodes without Markdown's marks, for titles, notifications and screen readers: links as their
// labels, a table's rows as lines, list items after "• " or their number, and tasks after "☐ " or "☑ ". It includes deleted
// words. Blocks are separated by an empty line.
func PlainText(nodes []protocol.MarkdownNode) string {
	return StyledText(nodes, nil)
}

// Plain returns the plain text of Markdown, or s itself if Text cannot parse it or no words would remain.
func Plain(s string) string {
	if plain := PlainText(Text(s)); plain != "" {
		return plain
	}
	return s
}

// StyledText returns the plain text of nodes with formatted words, for a terminal. If style is nil, it is PlainText.
func StyledText(nodes []protocol.MarkdownNode, style Style) string {
	w := textWriter{style: style}
	return strings.Trim(strings.Join(w.lines(nodes, true), "\n"), "\n")
}

// columnGap separates the cells of a row.
const columnGap = " · "

// textWriter formats a tree as lines of text.
type textWriter struct {
	style  Style
	around []protocol.MarkdownKind
}

// lines returns the lines of blocks, and of the words between them. If spaced, an empty line separates blocks.
func (w *textWriter) lines(nodes []protocol.MarkdownNode, spaced bool) (all []string) {
	add := func(lines []string) {
		if spaced && len(all) > 0 && len(lines) > 0 {
			all = append(all, "")
		}
		all = append(all, lines...)
	}
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			add(strings.Split(words.String(), "\n"))
			words.Reset()
		}
	}
	for _, n := range nodes {
		if lines, ok := w.block(n); ok {
			flush()
			add(lines)
		} else {
			w.inline(&words, n)
		}
	}
	flush()
	return all
}

// block returns the lines of a block; ok is false for any other node.
func (w *textWriter) block(n protocol.MarkdownNode) (lines []string, ok bool) {
	switch n.Kind {
	case protocol.MarkdownRule:
		return nil, true
	case protocol.MarkdownParagraph, protocol.MarkdownHeading, protocol.MarkdownInfo, protocol.MarkdownCodeBlock, protocol.MarkdownLayout:
		return strings.Split(w.words(n), "\n"), true
	case protocol.MarkdownList, protocol.MarkdownOrderedList:
		for i, item := range n.Nodes {
			lines = append(lines, w.item(n, i, item)...)
		}
		return lines, true
	case protocol.MarkdownRow:
		cells := make([]string, len(n.Nodes))
		for i, cell := range n.Nodes {
			cells[i] = w.words(cell)
		}
		return []string{strings.Join(cells, columnGap)}, true
	case protocol.MarkdownQuote:
		w.within(n.Kind, func() { lines = w.lines(inside(n), true) })
		return lines, true
	case protocol.MarkdownTable, protocol.MarkdownTableHead, protocol.MarkdownTableBody:
		w.within(n.Kind, func() { lines = w.lines(inside(n), false) })
		return lines, true
	}
	return nil, false
}

// item returns the lines of a list item after its mark. The item itself contains numbers other than 1, 2, 3.
func (w *textWriter) item(list protocol.MarkdownNode, i int, item protocol.MarkdownNode) []string {
	mark := "• "
	switch {
	case list.Marked:
		mark = ""
	case list.Kind == protocol.MarkdownOrderedList:
		mark = strconv.Itoa(i+1) + ". "
	default:
		if box, rest, ok := task(item); ok {
			mark, item = box, rest
		}
	}
	var lines []string
	w.within(item.Kind, func() { lines = w.lines(inside(item), false) })
	if len(lines) == 0 {
		lines = []string{""}
	}
	by := strings.Repeat(" ", max(2, len([]rune(mark))))
	for k, line := range lines {
		switch {
		case k == 0:
			lines[k] = mark + line
		case line != "":
			lines[k] = by + line
		}
	}
	return lines
}

// task returns the box of a task list's item (https://github.github.com/gfm/#task-list-items-extension-), and the item without
// it. In a loose list, the item's first paragraph has the box.
func task(item protocol.MarkdownNode) (box string, rest protocol.MarkdownNode, ok bool) {
	if item.Text == "" && len(item.Nodes) > 0 && item.Nodes[0].Kind == protocol.MarkdownParagraph {
		box, first, ok := task(item.Nodes[0])
		item.Nodes = slices.Concat([]protocol.MarkdownNode{first}, item.Nodes[1:])
		return box, item, ok
	}
	for _, written := range []struct{ mark, box string }{{"[ ] ", "☐ "}, {"[x] ", "☑ "}, {"[X] ", "☑ "}} {
		if text, found := strings.CutPrefix(item.Text, written.mark); found {
			item.Text = text
			return written.box, item, true
		}
	}
	return "", item, false
}

// words returns the words of a node, with its line breaks.
func (w *textWriter) words(n protocol.MarkdownNode) string {
	var words strings.Builder
	w.inline(&words, n)
	return words.String()
}

func (w *textWriter) inline(out *strings.Builder, n protocol.MarkdownNode) {
	if n.Kind == protocol.MarkdownBreak {
		out.WriteByte('\n')
		return
	}
	w.within(n.Kind, func() {
		for i, line := range strings.Split(n.Text, "\n") {
			if i > 0 {
				out.WriteByte('\n')
			}
			if w.style != nil && line != "" {
				line = w.style(line, w.around)
			}
			out.WriteString(line)
		}
		for _, inner := range n.Nodes {
			w.inline(out, inner)
		}
	})
}

// within calls write with an additional kind around it.
func (w *textWriter) within(kind protocol.MarkdownKind, write func()) {
	if kind != "" {
		w.around = append(w.around, kind)
		defer func() { w.around = w.around[:len(w.around)-1] }()
	}
	write()
}

// inside returns an element's content as nodes.
func inside(n protocol.MarkdownNode) []protocol.MarkdownNode {
	if n.Text == "" {
		return n.Nodes
	}
	return slices.Concat([]protocol.MarkdownNode{{Text: n.Text}}, n.Nodes)
}
