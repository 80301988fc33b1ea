package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

const (
	// maxNesting is the maximum depth of quotes and lists; a list counts as two. Every line checks every open block, so without a
	// limit the cost of a text would be quadratic.
	maxNesting = 16
	// maxMarks is the maximum number of Markdown characters in a block; a block with more is shown literally. For some of them
	// goldmark scans the whole block.
	maxMarks = 1000
)

// marks counts the characters that make inline parsing expensive.
func marks(line []byte) int {
	count := 0
	for _, c := range line {
		switch c {
		case '*', '_', '~', '`', '[', ']', '<':
			count++
		}
	}
	return count + bytes.Count(line, []byte("://"))
}

// filter restricts a block parser: it opens blocks only in parents and at lines that opens accepts.
type filter struct {
	parser.BlockParser
	opens func(parent ast.Node, line []byte) bool
}

func (f filter) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if line, _ := reader.PeekLine(); !f.opens(parent, line) {
		return nil, parser.NoChildren
	}
	return f.BlockParser.Open(parent, reader, pc)
}

// mayNest reports whether parent may contain further blocks.
func mayNest(parent ast.Node, _ []byte) bool {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	return depth <= maxNesting
}

// isHeading rejects empty headings, which would disappear.
func isHeading(_ ast.Node, line []byte) bool {
	return len(bytes.Trim(line, "# \t\n")) > 0 && marks(line) <= maxMarks
}

// isHTML accepts lines of HTML, which are shown literally, but not prose that only begins with a tag.
func isHTML(_ ast.Node, line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.HasSuffix(line, []byte(">")) || bytes.HasPrefix(line, []byte("<!")) || bytes.HasPrefix(line, []byte("<?"))
}

type listParser struct{ parser.BlockParser }

func (p listParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	node, state := p.BlockParser.Open(parent, reader, pc) // first, since it records that it was called
	if node != nil && !mayNest(parent, nil) {
		return nil, parser.NoChildren
	}
	return node, state
}

// itemParser stores the number of an ordered list's item in the attribute "marker".
type itemParser struct{ parser.BlockParser }

func (p itemParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	node, state := p.BlockParser.Open(parent, reader, pc)
	if node != nil {
		line = bytes.TrimLeft(line, " \t")
		digits := len(line) - len(bytes.TrimLeft(line, "0123456789"))
		node.SetAttributeString("marker", string(line[:digits+1]))
	}
	return node, state
}

var kindPlain = ast.NewNodeKind("Plain")

// plain is a paragraph that is shown literally.
type plain struct{ ast.BaseBlock }

func (*plain) Kind() ast.NodeKind               { return kindPlain }
func (*plain) IsRaw() bool                      { return true }
func (n *plain) Dump(source []byte, indent int) { ast.DumpHelper(n, source, indent, nil, nil) }

// heavy turns paragraphs with too many marks into plain ones.
type heavy struct{}

func (heavy) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	count := 0
	for _, line := range node.Lines().Sliced(0, node.Lines().Len()) {
		count += marks(line.Value(reader.Source()))
	}
	if count <= maxMarks {
		return
	}
	n := &plain{}
	n.SetLines(node.Lines())
	n.SetBlankPreviousLines(node.HasBlankPreviousLines())
	node.Parent().ReplaceChild(node.Parent(), node, n)
}
