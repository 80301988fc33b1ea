// Package markdown parses an agent's untrusted Markdown (questions, descriptions and previews of options) into a tree that a page
// can show without further checks.
//
// It makes two promises. First, the tree only has the kinds of nodes that the protocol declares, each with its own fields only, and
// its depth is limited. A link's target is http, https or mailto; any other link is shown as written. Images are never loaded.
//
// Second, no text is lost. HTML, character references and link reference definitions are shown as written, a line break is a line
// break, and underlines do not make headings. Text that Markdown would hide, such as the target of a link or the words after a
// fence, is in a title or on its own line. Only Markdown's own marks are removed.
//
// The Markdown is CommonMark (https://spec.commonmark.org/0.31.2/) with the tables and the strikethrough of
// https://github.github.com/gfm/. Emphasis also works in Chinese, Japanese and Korean, and without a space after it (emphasis.go).
package markdown

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"followup/internal/protocol"
)

// MaxBytes is the maximum length of a parsed text in bytes.
const MaxBytes = 64 << 10

// A parsed text has at most fewParts lines and cells of tables, and another one for every bytesPerPart bytes. Each takes about 2 KiB
// while it is parsed, and 50 bytes of JSON.
const (
	fewParts     = 500
	bytesPerPart = 32
)

// Text parses the text of a question or the description of an option. It returns nil for a text that is longer than MaxBytes,
// consists of too many parts, or cannot be parsed; show such a text literally.
func Text(s string) []protocol.MarkdownNode {
	return guarded(s, readText)
}

// Preview parses the preview of an option like Text, except that lines that look like a layout, drawn with box characters or
// aligned with spaces, keep all spaces and line breaks. A preview without any Markdown is one such layout. It returns nil in the
// same cases as Text.
func Preview(s string) []protocol.MarkdownNode {
	return guarded(s, readPreview)
}

// guarded enforces the limit, and recovers from bugs in the parser, so that the question is still shown.
func guarded(s string, read func(string) []protocol.MarkdownNode) (nodes []protocol.MarkdownNode) {
	if len(s) > MaxBytes || isDense(s) {
		return nil
	}
	defer func() {
		if recover() != nil {
			nodes = nil
		}
	}()
	return read(s)
}

// isDense reports whether a text has so many parts that its tree would be much larger than the text.
func isDense(s string) bool {
	left := fewParts + len(s)/bytesPerPart
	for _, part := range []string{"\n", "\r", "|"} {
		left -= strings.Count(s, part)
	}
	return left < 0
}

func readText(s string) []protocol.MarkdownNode {
	w := &writer{}
	w.markdown(clean(s))
	return w.nodes
}

// reader is created with the first text, so that the start does not wait for it.
var reader = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		// No setext headings or link reference definitions: both hide lines.
		parser.WithBlockParsers(
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(listParser{parser.NewListParser()}, 300),
			util.Prioritized(itemParser{parser.NewListItemParser()}, 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(filter{parser.NewATXHeadingParser(), isHeading}, 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(filter{parser.NewBlockquoteParser(), mayNest}, 800),
			util.Prioritized(filter{parser.NewHTMLBlockParser(), isHTML}, 900),
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

// parse parses clean Markdown.
func parse(source []byte) ast.Node {
	return reader().Parse(text.NewReader(source))
}
