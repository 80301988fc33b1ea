package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// linkParser keeps the source of a link after its label in the attribute "tail", to show a rejected link literally.
type linkParser struct{ parser.InlineParser }

func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	_, before := block.PeekLine()
	node := p.InlineParser.Parse(parent, block, pc)
	switch node.(type) {
	case *ast.Link, *ast.Image:
		_, after := block.Position()
		node.SetAttributeString("tail", text.NewSegment(before.Start, after.Start))
	}
	return node
}

// CloseBlock implements [parser.CloseBlocker].
func (p linkParser) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if inner, ok := p.InlineParser.(parser.CloseBlocker); ok {
		inner.CloseBlock(parent, block, pc)
	}
}

// maxTag is the maximum length, in bytes, of a tag or comment that is left alone.
const maxTag = 4096

// tagParser recognises HTML tags and comments, so that their content is not parsed as Markdown. Unlike goldmark's own parser, it
// reads at most maxTag bytes.
type tagParser struct{}

func (tagParser) Trigger() []byte { return []byte{'<'} }

func (tagParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if len(line) < 2 || !util.IsAlphaNumeric(line[1]) && strings.IndexByte("/!?", line[1]) < 0 {
		return nil
	}
	comment := bytes.HasPrefix(line, []byte("<!--"))
	node := ast.NewRawHTML()
	for from, length := 1, 0; ; from = 0 {
		line, segment := block.PeekLine()
		if length += len(line); line == nil || length > maxTag {
			return nil
		}
		end, closing := bytes.IndexAny(line[from:], "<>"), 1
		if comment {
			end, closing = bytes.Index(line[from:], []byte("-->")), len("-->")
		}
		switch {
		case end >= 0 && line[from+end] == '<':
			return nil
		case end >= 0:
			end += from + closing
			node.Segments.Append(segment.WithStop(segment.Start + end))
			block.Advance(end)
			return node
		}
		node.Segments.Append(segment)
		block.AdvanceLine()
	}
}

// urlParser links bare http and https addresses. It is triggered by the colon and removes the scheme from the text before, so
// that it finds addresses anywhere: after a bracket, a quotation mark, or a letter of a script without spaces.
type urlParser struct{}

func (urlParser) Trigger() []byte { return []byte{':'} }

func (urlParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	before, ok := parent.LastChild().(*ast.Text)
	if !ok || !bytes.HasPrefix(line, []byte("://")) || before.Segment.Stop != segment.Start || before.SoftLineBreak() || before.HardLineBreak() {
		return nil
	}
	source := block.Source()
	start := segment.Start - schemeBefore(source[before.Segment.Start:segment.Start])
	stop := segment.Start + urlEnd(line)
	if start == segment.Start {
		return nil
	}
	if _, _, ok := target(string(source[start:stop])); !ok {
		return nil
	}
	before.Segment = before.Segment.WithStop(start)
	block.Advance(stop - segment.Start)
	return ast.NewAutoLink(ast.AutoLinkURL, ast.NewTextSegment(text.NewSegment(start, stop)))
}

// schemeBefore returns the length of the http or https at the end of text; 0 if there is none.
func schemeBefore(text []byte) int {
	for _, scheme := range []string{"http", "https"} {
		at := len(text) - len(scheme)
		if at < 0 || !strings.EqualFold(string(text[at:]), scheme) {
			continue
		}
		if at > 0 && (util.IsAlphaNumeric(text[at-1]) || strings.IndexByte("+.-", text[at-1]) >= 0) {
			continue
		}
		return len(scheme)
	}
	return 0
}

// urlEnd returns the end of the address in line: before characters that are invalid in an address, and before punctuation that
// ends the sentence or closes a bracket around it.
func urlEnd(line []byte) int {
	end := 0
	for end < len(line) && end <= maxTarget {
		r, size := utf8.DecodeRune(line[end:])
		if r <= ' ' || strings.ContainsRune("\"<>[]{}|\\^`", r) {
			break
		}
		if r >= utf8.RuneSelf && (unicode.IsPunct(r) || unicode.IsSpace(r) || deceptive(r)) {
			break
		}
		end += size
	}
	open := bytes.Count(line[:end], []byte("(")) - bytes.Count(line[:end], []byte(")"))
	for end > 0 {
		c := line[end-1]
		if c == ')' && open < 0 {
			open++
		} else if strings.IndexByte("?!.,:;*_~'", c) < 0 {
			break
		}
		end--
	}
	return end
}
