package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	tableast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// writer writes a tree of Markdown as HTML. Every tag and every attribute is written here.
type writer struct {
	source []byte
	out    strings.Builder
	// run is text that is not written yet: isolates are looked for in what stands between two tags.
	run []byte
	// inLink and inCell tell what surrounds the current inline.
	inLink, inCell bool
	// depth counts the elements around the current inline.
	depth int
}

// markdown writes the blocks of a text that is clean.
func (w *writer) markdown(source string) {
	w.source = []byte(source + "\n") // goldmark overlooks a fence's last character at the very end
	w.blocks(parse(w.source))
}

func (w *writer) tag(tag string) {
	prose(&w.out, string(w.run))
	w.run = w.run[:0]
	w.out.WriteString(tag)
}

func (w *writer) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n)
	}
	w.tag("")
}

func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph:
		w.filled("<p>", n, "</p>")
	case *ast.TextBlock:
		w.filled("", n, "")
	case *ast.Heading:
		w.filled(`<p class="md-heading">`, n, "</p>")
	case *ast.ThematicBreak:
		w.tag("<hr>")
	case *ast.Blockquote:
		w.tag("<blockquote>")
		w.blocks(n)
		w.tag("</blockquote>")
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
		w.tag("")
		layout(&w.out, lines)
	case *plain:
		w.tag("<p>")
		w.broken(strings.TrimSuffix(w.lines(n), "\n"))
		w.tag("</p>")
	case *tableast.Table:
		w.table(n)
	default:
		w.blocks(n)
	}
}

// filled writes a block of inlines.
func (w *writer) filled(before string, n ast.Node, after string) {
	w.tag(before)
	w.inlines(n)
	w.tag(after)
}

// lines gives the source of a block.
func (w *writer) lines(n ast.Node) string {
	return string(n.Lines().Value(w.source))
}

// broken writes text whose line breaks count.
func (w *writer) broken(s string) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			w.tag("<br>")
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
		w.tag(`<p class="md-info">`)
		w.run = append(w.run, info...)
		w.tag("</p>")
	}
	w.code(language, w.lines(n))
}

// code writes a block of code. language is "" or holds to isLanguage.
func (w *writer) code(language, lines string) {
	w.tag(`<pre class="md-code"`)
	if language != "" {
		w.tag(` data-language="` + language + `"`)
	}
	w.tag("><code>")
	verbatim(&w.out, strings.TrimSuffix(lines, "\n"))
	w.tag("</code></pre>")
}

// layout writes lines whose spaces count.
func layout(out *strings.Builder, lines string) {
	out.WriteString(`<pre class="md-layout">`)
	if strings.HasPrefix(lines, "\n") {
		out.WriteByte('\n') // a reader of HTML drops the first line break of a pre
	}
	verbatim(out, strings.TrimSuffix(lines, "\n"))
	out.WriteString("</pre>")
}

// list writes a list. An ordered one is left to be numbered by the page if that gives what was written.
func (w *writer) list(n *ast.List) {
	open, end, markers := "<ul>", "</ul>", false
	if n.IsOrdered() {
		open, end = "<ol>", "</ol>"
		number := 0
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			number++
			markers = markers || strings.TrimRight(marker(item), ".)") != strconv.Itoa(number)
		}
	}
	if markers {
		open = `<ol class="md-numbered">`
	}
	w.tag(open)
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		w.tag("<li>")
		w.item(item, markers)
		w.tag("</li>")
	}
	w.tag(end)
}

// marker gives the number with which an item begins.
func marker(item ast.Node) string {
	written, _ := item.AttributeString("marker")
	s, _ := written.(string)
	return s
}

// item writes an item's blocks, with its number if it is to have one, in its first paragraph where that stands first.
func (w *writer) item(item ast.Node, numbered bool) {
	if !numbered {
		w.blocks(item)
		return
	}
	number := `<span class="md-marker">` + marker(item) + "</span> "
	first, ok := item.FirstChild().(*ast.Paragraph)
	if !ok {
		w.tag(number)
		w.blocks(item)
		return
	}
	w.filled("<p>"+number, first, "</p>")
	for n := first.NextSibling(); n != nil; n = n.NextSibling() {
		w.block(n)
	}
}

func (w *writer) table(n *tableast.Table) {
	w.tag("<table>")
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		switch {
		case row == n.FirstChild():
			w.tag("<thead>")
			w.row(row, "th")
			w.tag("</thead>")
			if row.NextSibling() != nil {
				w.tag("<tbody>")
			}
		case row == n.LastChild():
			w.row(row, "td")
			w.tag("</tbody>")
		default:
			w.row(row, "td")
		}
	}
	w.tag("</table>")
}

func (w *writer) row(n ast.Node, name string) {
	w.tag("<tr>")
	w.inCell = true
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		class := ""
		if cell, ok := c.(*tableast.TableCell); ok {
			class = cellClass[cell.Alignment]
		}
		w.filled("<"+name+class+">", c, "</"+name+">")
	}
	w.inCell = false
	w.tag("</tr>")
}

var cellClass = map[tableast.Alignment]string{
	tableast.AlignCenter: ` class="md-center"`,
	tableast.AlignRight:  ` class="md-right"`,
}

// value gives the source of a text node; in a table's cell "\|" stands for "|" even in code.
func (w *writer) value(segment text.Segment) []byte {
	value := segment.Value(w.source)
	if w.inCell {
		value = bytes.ReplaceAll(value, []byte(`\|`), []byte("|"))
	}
	return value
}
