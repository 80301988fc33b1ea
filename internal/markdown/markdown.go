// Package markdown turns what an agent wrote, the text of a question, the description of an option, its preview, into HTML that
// a page can show without another look at it. Its source is never trusted.
//
// It holds to two promises. First, only these elements come out: p, br, hr, em, strong, del, code, pre, blockquote, ul, ol,
// li, table, thead, tbody, tr, th, td, a, span and bdi. They carry only these attributes: href, title and rel on a; title on
// span; data-language on pre; dir on bdi, from a fixed set; and class, which is one of
//
//   - md-heading: a heading, whatever its level; it is a p, so that the page's outline stays the page's
//   - md-code: code, in a fence or indented; data-language is the fence's language
//   - md-info: the first line of a fence, if it says more than the language
//   - md-layout: text in which every space and line break counts
//   - md-numbered: an ordered list that does not count 1, 2, 3; its items begin with md-marker, the number as it was written,
//     and are not to be numbered again
//   - md-image: an image's description, inside a link
//   - md-control: a control character of the bidirectional algorithm, told by its code point
//   - md-center, md-right: how a table's cell is aligned
//
// A link leads to http, https or mailto; one that leads anywhere else is shown as it was written. Images are never loaded.
//
// Second, nothing that was written vanishes. HTML, character references and link reference definitions are shown as written,
// a line break is a line break, underlines make no headings, and what Markdown would hide (the target of a link, the words
// after a fence) stands in a title or in a line of its own. Only Markdown's own marks are taken away.
//
// The Markdown is CommonMark (https://spec.commonmark.org/0.31.2/) with the tables and the strikethrough of
// https://github.github.com/gfm/. Emphasis is read in Chinese, Japanese and Korean too, and where the space behind it is
// missing (emphasis.go).
//
// No white space is added between elements: a page may show the result with white-space: pre-wrap.
package markdown

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// MaxBytes is the length, in bytes, of the longest text that is rendered.
const MaxBytes = 64 << 10

// Text renders the text of a question or the description of an option. It returns "" for a text that is longer than MaxBytes
// or that cannot be read; such a text is to be shown as it is.
func Text(s string) string {
	return guarded(s, renderText)
}

// Preview renders the preview of an option: as Text does, but lines that look like a layout, drawn with box characters or
// aligned with spaces, keep every space and every line break, and a preview without any Markdown is one such layout.
// It returns "" where Text does.
func Preview(s string) string {
	return guarded(s, renderPreview)
}

// guarded holds the limit, and keeps a mistake in reading Markdown from taking the question with it.
func guarded(s string, render func(string) string) (html string) {
	if len(s) > MaxBytes {
		return ""
	}
	defer func() {
		if recover() != nil {
			html = ""
		}
	}()
	return render(s)
}

func renderText(s string) string {
	w := &writer{}
	w.markdown(clean(s))
	return w.out.String()
}

// reader is made when the first text comes, so that starting up does not wait for it.
var reader = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		// Neither setext headings nor link reference definitions: both hide lines.
		parser.WithBlockParsers(
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(listParser{parser.NewListParser()}, 300),
			util.Prioritized(itemParser{parser.NewListItemParser()}, 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(headingParser{parser.NewATXHeadingParser()}, 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(quoteParser{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(htmlParser{parser.NewHTMLBlockParser()}, 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(tables{}, 100),
			util.Prioritized(heavy{}, 200),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(linkParser{parser.NewLinkParser()}, 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(tagParser{}, 400),
			util.Prioritized(emphasisParser{}, 500),
			util.Prioritized(strikeParser{}, 500),
			util.Prioritized(urlParser{}, 600),
		),
	)
})

// parse reads Markdown that is clean.
func parse(source []byte) ast.Node {
	return reader().Parse(text.NewReader(source))
}
