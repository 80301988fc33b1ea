package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	tableast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"followup/internal/protocol"
)

// writer converts a Markdown syntax tree to nodes. It alone creates kinds and fields, except those of links.
type writer struct {
	source []byte
	// nodes are the children of the current element.
	nodes []protocol.MarkdownNode
	// run is pending text: isolates are searched for in the text between two elements.
	run []byte
	// inLink and inCell report what contains the current inline.
	inLink, inCell bool
	// depth is the number of elements around the current inline.
	depth int
	// tokens is the number of highlighted tokens.
	tokens int
}

// markdown writes the blocks of a clean text.
func (w *writer) markdown(source string) {
	w.source = []byte(source + "\n") // goldmark ignores the last character of a fence at the very end
	w.blocks(parse(w.source))
}

// flush writes the pending text.
func (w *writer) flush() {
	w.put(prose(string(w.run))...)
	w.run = w.run[:0]
}

// put appends nodes.
func (w *writer) put(nodes ...protocol.MarkdownNode) {
	for _, n := range nodes {
		if n.Kind == "" {
			w.nodes = withText(w.nodes, n.Text)
		} else {
			w.nodes = append(w.nodes, n)
		}
	}
}

// element writes an element with the content that inside writes.
func (w *writer) element(n protocol.MarkdownNode, inside func()) {
	w.flush()
	outer := w.nodes
	w.nodes = nil
	inside()
	w.flush()
	n = holding(n, w.nodes)
	w.nodes = append(outer, n)
}

// of writes an element of a kind without fields.
func (w *writer) of(kind protocol.MarkdownKind, inside func()) {
	w.element(protocol.MarkdownNode{Kind: kind}, inside)
}

// holding returns an element that contains nodes.
func holding(n protocol.MarkdownNode, nodes []protocol.MarkdownNode) protocol.MarkdownNode {
	if len(nodes) > 0 && nodes[0].Kind == "" {
		n.Text, nodes = nodes[0].Text, nodes[1:]
	}
	if len(nodes) > 0 {
		n.Nodes = nodes
	}
	return n
}

func (w *writer) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n)
	}
	w.flush()
}

func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph:
		w.of(protocol.MarkdownParagraph, func() { w.inlines(n) })
	case *ast.TextBlock:
		w.flush()
		w.inlines(n)
		w.flush()
	case *ast.Heading:
		w.of(protocol.MarkdownHeading, func() { w.inlines(n) })
	case *ast.ThematicBreak:
		w.of(protocol.MarkdownRule, func() {})
	case *ast.Blockquote:
		w.of(protocol.MarkdownQuote, func() { w.blocks(n) })
	case *ast.List:
		w.list(n)
	case *ast.CodeBlock:
		w.code("", w.lines(n))
	case *ast.FencedCodeBlock:
		w.fence(n)
	case *ast.HTMLBlock:
		lines := w.lines(n)
		if n.HasClosure() {
			lines += string(n.ClosureLine.Value(w.source))
		}
		w.flush()
		w.put(layout(lines))
	case *plain:
		w.of(protocol.MarkdownParagraph, func() { w.broken(strings.TrimSuffix(w.lines(n), "\n")) })
	case *tableast.Table:
		w.table(n)
	default:
		w.blocks(n)
	}
}

// lines returns the source of a block.
func (w *writer) lines(n ast.Node) string {
	return string(n.Lines().Value(w.source))
}

// broken writes text with significant line breaks.
func (w *writer) broken(s string) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			w.of(protocol.MarkdownBreak, func() {})
		}
		w.run = append(w.run, line...)
	}
}

func (w *writer) fence(n *ast.FencedCodeBlock) {
	info := ""
	if n.Info != nil {
		info = string(n.Info.Segment.Value(w.source))
	}
	language, _, _ := strings.Cut(info, " ")
	if !isLanguage(language) {
		language = ""
	}
	if info != language {
		w.of(protocol.MarkdownInfo, func() { w.run = append(w.run, info...) })
	}
	w.code(language, w.lines(n))
}

// code writes a code block. language is "" or passes isLanguage.
func (w *writer) code(language, lines string) {
	w.element(protocol.MarkdownNode{Kind: protocol.MarkdownCodeBlock, Language: language}, func() {
		w.of(protocol.MarkdownCode, func() { w.highlighted(language, strings.TrimSuffix(lines, "\n")) })
	})
}

// layout returns lines with significant spaces.
func layout(lines string) protocol.MarkdownNode {
	return holding(protocol.MarkdownNode{Kind: protocol.MarkdownLayout}, verbatim(strings.TrimSuffix(lines, "\n")))
}

// list writes a list. The page numbers an ordered one if that gives the original numbers.
func (w *writer) list(n *ast.List) {
	list := protocol.MarkdownNode{Kind: protocol.MarkdownList}
	if n.IsOrdered() {
		list.Kind = protocol.MarkdownOrderedList
		number := 0
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			number++
			list.Marked = list.Marked || strings.TrimRight(marker(item), ".)") != strconv.Itoa(number)
		}
	}
	w.element(list, func() {
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			w.of(protocol.MarkdownItem, func() { w.item(item, list.Marked) })
		}
	})
}

// marker returns the number of an item.
func marker(item ast.Node) string {
	written, _ := item.AttributeString("marker")
	s, _ := written.(string)
	return s
}

// item writes an item's blocks. If its first block is a paragraph, that contains the number.
func (w *writer) item(item ast.Node, numbered bool) {
	if !numbered {
		w.blocks(item)
		return
	}
	number := func() {
		w.of(protocol.MarkdownMarker, func() { w.run = append(w.run, marker(item)...) })
		w.put(protocol.MarkdownNode{Text: " "})
	}
	first, ok := item.FirstChild().(*ast.Paragraph)
	if !ok {
		number()
		w.blocks(item)
		return
	}
	w.of(protocol.MarkdownParagraph, func() {
		number()
		w.inlines(first)
	})
	for n := first.NextSibling(); n != nil; n = n.NextSibling() {
		w.block(n)
	}
}

func (w *writer) table(n *tableast.Table) {
	w.of(protocol.MarkdownTable, func() {
		head := n.FirstChild()
		w.of(protocol.MarkdownTableHead, func() { w.row(head, protocol.MarkdownHeaderCell) })
		if head.NextSibling() == nil {
			return
		}
		w.of(protocol.MarkdownTableBody, func() {
			for row := head.NextSibling(); row != nil; row = row.NextSibling() {
				w.row(row, protocol.MarkdownCell)
			}
		})
	})
}

func (w *writer) row(n ast.Node, kind protocol.MarkdownKind) {
	w.of(protocol.MarkdownRow, func() {
		w.inCell = true
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			shown := protocol.MarkdownNode{Kind: kind}
			if cell, ok := c.(*tableast.TableCell); ok {
				shown.Align = alignments[cell.Alignment]
			}
			w.element(shown, func() { w.inlines(c) })
		}
		w.inCell = false
	})
}

var alignments = map[tableast.Alignment]protocol.MarkdownAlign{
	tableast.AlignCenter: protocol.MarkdownCenter,
	tableast.AlignRight:  protocol.MarkdownRight,
}

// value returns the source of a text node. In a table's cell, "\|" means "|" even in code.
func (w *writer) value(segment text.Segment) []byte {
	value := segment.Value(w.source)
	if w.inCell {
		value = bytes.ReplaceAll(value, []byte(`\|`), []byte("|"))
	}
	return value
}
