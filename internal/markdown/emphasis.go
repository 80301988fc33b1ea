package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	strikeast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/text/width"
)

// emphasisParser parses *text*, _text_, **text** and __text__.
type emphasisParser struct{}

func (emphasisParser) Trigger() []byte { return []byte{'*', '_'} }

func (emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	return push(delimiter(block, func(level int) ast.Node { return ast.NewEmphasis(level) }), block, pc)
}

// strikeParser parses ~~text~~. A single tilde is literal, since agents write "~5 minutes" and "~/.config".
type strikeParser struct{}

func (strikeParser) Trigger() []byte { return []byte{'~'} }

func (strikeParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	node := delimiter(block, func(int) ast.Node { return strikeast.NewStrikethrough() })
	if node.OriginalLength != 2 || block.PrecendingCharacter() == '~' {
		return nil
	}
	return push(node, block, pc)
}

func push(node *parser.Delimiter, block text.Reader, pc parser.Context) ast.Node {
	block.Advance(node.OriginalLength)
	pc.PushDelimiter(node)
	return node
}

// delimiter parses the run of marks at the block's position, and whether it can open or close emphasis
// (https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis). CommonMark treats a run between punctuation and a letter as
// the start or end of a quoted word. In two cases the author meant something else:
//
//   - Chinese, Japanese and Korean have no spaces between words, so **注意：**请选择 would not be emphasis. For them, the rules of
//     https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md apply: their punctuation counts as a letter, and
//     next to one of their characters no punctuation counts.
//   - The space after a bold phrase is often missing: **Note:**this. Such a run may close, too, but only emphasis that was opened at
//     the start of a word, so that f(x)**2 + g(x)**2 is unchanged.
func delimiter(block text.Reader, element func(level int) ast.Node) *parser.Delimiter {
	line, segment := block.PeekLine()
	char := line[0]
	length := 1
	for length < len(line) && line[length] == char {
		length++
	}
	after := ' '
	if length < len(line) {
		after, _ = utf8.DecodeRune(line[length:])
	}
	previous := block.PrecendingCharacter()
	before, beforeCJK := preceding(previous, block.Source()[:segment.Start])

	spaceBefore, spaceAfter := util.IsSpaceRune(before), util.IsSpaceRune(after)
	punctBefore, punctAfter := util.IsPunctRune(before), util.IsPunctRune(after)
	otherBefore, otherAfter := punctBefore && !beforeCJK, punctAfter && !isCJK(after)
	left := !spaceAfter && (!otherAfter || spaceBefore || otherBefore || beforeCJK)
	right := !spaceBefore && (!otherBefore || spaceAfter || otherAfter || isCJK(after))

	run := delimiterRun{
		element: element,
		initial: spaceBefore || beforeCJK || unicode.In(before, unicode.Ps, unicode.Pi) || before == '"' || before == '\'',
		glued:   !right && char != '_' && length >= 2 && ends(before),
	}
	canOpen, canClose := left, right || run.glued
	if char == '_' {
		canOpen, canClose = left && (!right || punctBefore), right && (!left || punctAfter)
	}
	node := parser.NewDelimiter(canOpen, canClose, length, char, run)
	node.Segment = segment.WithStop(segment.Start + length)
	return node
}

// delimiterRun is a run of marks: the element that it opens, and which other run may close that.
type delimiterRun struct {
	element func(level int) ast.Node
	// initial means that the run is at the beginning of a word.
	initial bool
	// glued means that the next word follows the run directly, so the run can only close an initial one.
	glued bool
}

// IsDelimiter implements [parser.DelimiterProcessor]; the run is already parsed.
func (delimiterRun) IsDelimiter(byte) bool { return false }

// CanOpenCloser implements [parser.DelimiterProcessor] for the opening run.
func (r delimiterRun) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	end, _ := closer.Processor.(delimiterRun)
	return opener.Char == closer.Char && (r.initial || !end.glued)
}

// OnMatch implements [parser.DelimiterProcessor].
func (r delimiterRun) OnMatch(level int) ast.Node { return r.element(level) }

// ends reports whether a bold phrase may end with r. A comma does not count: f(**a,**b) is code.
func ends(r rune) bool {
	return unicode.In(r, unicode.Pe, unicode.Pf) || strings.ContainsRune(":.!?…\"'`", r)
}

// preceding returns the character before a run, without its variation selector, and whether it is Chinese, Japanese or Korean.
// source ends with it.
func preceding(r rune, source []byte) (before rune, cjk bool) {
	if r < '\uFE00' || r > '\uFE0E' {
		// The variation selectors of ideographs.
		return r, isCJK(r) || r >= '\U000E0100' && r <= '\U000E01EF'
	}
	before, _ = utf8.DecodeLastRune(source[:len(source)-utf8.RuneLen(r)])
	// Curved quotation marks are full-width only with this selector.
	return before, isCJK(before) || r == '\uFE01' && strings.ContainsRune("‘’“”", before)
}

// isCJK reports whether r is a Chinese, Japanese or Korean character, including punctuation. Wide symbols outside these blocks are
// emoji.
func isCJK(r rune) bool {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth, width.EastAsianHalfwidth:
		return !unicode.IsSymbol(r) || r >= '\u2E80' && r <= '\uFFFF'
	}
	return unicode.Is(unicode.Hangul, r)
}
