package markdown

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	strikeast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"followup/internal/protocol"
)

// maxDepth is the maximum depth of inline elements, since pages and JSON parsers have a limited stack. Deeper ones are shown with
// their marks.
const maxDepth = 40

func (w *writer) inlines(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.inline(n)
	}
}

func (w *writer) inline(n ast.Node) {
	w.depth++
	defer func() { w.depth-- }()
	switch n := n.(type) {
	case *ast.Text:
		w.text(n)
	case *ast.CodeSpan:
		w.codeSpan(n)
	case *ast.Emphasis:
		kind := protocol.MarkdownEmphasis
		if n.Level == 2 {
			kind = protocol.MarkdownStrong
		}
		w.marked(n, kind, strings.Repeat(string(w.source[n.Pos()]), n.Level))
	case *strikeast.Strikethrough:
		w.marked(n, protocol.MarkdownDeleted, "~~")
	case *ast.Link:
		w.link(n, "[", string(n.Destination), string(n.Title))
	case *ast.Image:
		w.link(n, "![", string(n.Destination), string(n.Title))
	case *ast.AutoLink:
		w.autoLink(n)
	case *ast.RawHTML:
		w.broken(string(n.Segments.Value(w.source)))
	default:
		w.inlines(n)
	}
}

// text writes words. It keeps a backslash at the end of a line: the line breaks without it, and shells give it a meaning.
func (w *writer) text(n *ast.Text) {
	value := w.value(n.Segment)
	if !n.IsRaw() {
		value = util.UnescapePunctuations(value)
	}
	w.run = append(w.run, value...)
	if n.HardLineBreak() && n.Segment.Stop < len(w.source) && w.source[n.Segment.Stop] == '\\' {
		w.run = append(w.run, '\\')
	}
	if n.HardLineBreak() || n.SoftLineBreak() {
		w.of(protocol.MarkdownBreak, func() {})
	}
}

func (w *writer) codeSpan(n *ast.CodeSpan) {
	var code []byte
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c, ok := c.(*ast.Text); ok {
			code = append(code, w.value(c.Segment)...)
		}
	}
	w.of(protocol.MarkdownCode, func() { w.put(verbatim(strings.ReplaceAll(string(code), "\n", " "))...) })
}

// marked writes an element, or its marks literally if it would be too deep.
func (w *writer) marked(n ast.Node, kind protocol.MarkdownKind, mark string) {
	if w.depth > maxDepth {
		w.run = append(w.run, mark...)
		w.inlines(n)
		w.run = append(w.run, mark...)
		return
	}
	w.of(kind, func() { w.inlines(n) })
}

// link writes a link, or an image as a link to it. Links cannot be nested: in a link, an image becomes its description, and a link
// is shown literally, as are rejected links.
func (w *writer) link(n ast.Node, open, destination, title string) {
	href, shown, ok := target(destination)
	image := open == "!["
	switch {
	case !ok || w.depth > maxDepth || w.inLink && !image:
		w.run = append(w.run, open...)
		w.inlines(n)
		tail, _ := n.AttributeString("tail")
		if tail, ok := tail.(text.Segment); ok {
			w.broken(string(tail.Value(w.source)))
		}
	case w.inLink:
		w.labelled(protocol.MarkdownNode{Kind: protocol.MarkdownImage}, n, shown, title)
	default:
		w.inLink = true
		w.labelled(protocol.MarkdownNode{Kind: protocol.MarkdownLink, Href: href}, n, shown, title)
		w.inLink = false
	}
}

// labelled writes a link's element with its title and its label. Without a visible label, the label is the target.
func (w *writer) labelled(element protocol.MarkdownNode, n ast.Node, shown, title string) {
	w.element(element, func() { w.inlines(n) })
	last := len(w.nodes) - 1
	nodes := inside(w.nodes[last])
	label := PlainText(nodes)
	if !visible(label) {
		nodes, label = withText(slices.Clone(nodes), shown), label+shown
	}
	element.Title = titleOf(shown, label, title)
	w.nodes[last] = holding(element, nodes)
}

// titleOf returns a link's title: its target, unless the label shows it, and the agent's title.
func titleOf(shown, label, title string) string {
	var parts []string
	if shown != label {
		parts = append(parts, shown)
	}
	title = string(util.UnescapePunctuations([]byte(title)))
	if words := strings.Join(strings.Fields(title), " "); words != "" {
		parts = []string{shown, words} // the target comes first, so that the agent's title cannot imitate it
	}
	return attribute(strings.Join(parts, "\n"))
}

// autoLink writes an address that is its own label. It has a title if the label and the target differ.
func (w *writer) autoLink(n *ast.AutoLink) {
	label := string(n.Label(w.source))
	destination := label
	if n.AutoLinkType == ast.AutoLinkEmail {
		destination = "mailto:" + label
	}
	href, shown, ok := target(destination)
	if ok && !w.inLink {
		link := protocol.MarkdownNode{Kind: protocol.MarkdownLink, Href: href, Title: titleOf(strings.TrimPrefix(shown, "mailto:"), label, "")}
		w.element(link, func() { w.run = append(w.run, label...) })
		return
	}
	if at := n.Pos(); at >= 0 && at < len(w.source) && w.source[at] == '<' {
		label = "<" + label + ">"
	}
	w.run = append(w.run, label...)
}
