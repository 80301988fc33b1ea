package markdown

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"followup/internal/protocol"
)

const (
	leftToRightIsolate  = '\u2066'
	rightToLeftIsolate  = '\u2067'
	firstStrongIsolate  = '\u2068'
	popDirectionIsolate = '\u2069'
)

// clean returns valid UTF-8 with "\n" between lines. Control characters become visible symbols.
func clean(s string) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\n' || r == '\t':
			return r
		case r == 0 || r >= 0x80 && r < 0xA0:
			return utf8.RuneError
		case r < ' ':
			return '\u2400' + r
		case r == 0x7F:
			return '\u2421'
		}
		return r
	}, s)
}

// isBidi reports whether r controls the bidirectional algorithm: an embedding, an override, an isolate or the end of one
// (https://www.unicode.org/reports/tr9/, 2.1 to 2.5). The marks U+200E, U+200F and U+061C are invisible letters; they affect the
// order no more than a letter.
func isBidi(r rune) bool {
	return r >= '\u202A' && r <= '\u202E' || r >= leftToRightIsolate && r <= popDirectionIsolate
}

// prose returns the nodes of a text. Right-to-left letters are left alone. Control characters that could change the order in which
// a text is shown are handled as follows:
//
//   - An isolate that contains no other control and ends within the text becomes an element, which has the same effect and always
//     ends. Names and paths in a text of the other direction are written like this.
//   - All others become their code points, as in VS Code's editor, and have no effect.
func prose(s string) []protocol.MarkdownNode { return shown(s, isolates) }

// verbatim returns the nodes of code. Code has one direction, so every control character is shown.
func verbatim(s string) []protocol.MarkdownNode { return shown(s, nil) }

// isolates are the characters that begin an isolate, with its direction.
var isolates = map[rune]protocol.MarkdownDirection{
	leftToRightIsolate: protocol.MarkdownLeftToRight,
	rightToLeftIsolate: protocol.MarkdownRightToLeft,
	firstStrongIsolate: "",
}

// mostControls is how many control characters of a text become nodes. The code points of more are part of the text.
const mostControls = 200

// shown returns the nodes of a text, in which some isolates become elements.
func shown(s string, elements map[rune]protocol.MarkdownDirection) (nodes []protocol.MarkdownNode) {
	for {
		if len(nodes) > 2*mostControls {
			s = attribute(s)
		}
		at := strings.IndexFunc(s, isBidi)
		if at < 0 {
			return withText(nodes, s)
		}
		nodes = withText(nodes, s[:at])
		control, size := utf8.DecodeRuneInString(s[at:])
		s = s[at+size:]
		end := strings.IndexFunc(s, isBidi)
		if direction, ok := elements[control]; ok && end >= 0 && strings.HasPrefix(s[end:], string(popDirectionIsolate)) {
			nodes = append(nodes, protocol.MarkdownNode{Kind: protocol.MarkdownIsolate, Direction: direction, Text: s[:end]})
			s = s[end+size:]
			continue
		}
		nodes = append(nodes, protocol.MarkdownNode{Kind: protocol.MarkdownControl, Text: codePoint(control)})
	}
}

// attribute returns text for a title, with control characters replaced by their code points.
func attribute(s string) string {
	var out strings.Builder
	for _, r := range s {
		if isBidi(r) {
			_, _ = fmt.Fprintf(&out, "U+%04X", r) // a builder has no errors
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// withText appends text to nodes; adjacent text is one node.
func withText(nodes []protocol.MarkdownNode, text string) []protocol.MarkdownNode {
	if last := len(nodes) - 1; last >= 0 && nodes[last].Kind == "" {
		nodes[last].Text += text
		return nodes
	}
	if text == "" {
		return nodes
	}
	return append(nodes, protocol.MarkdownNode{Text: text})
}

func codePoint(r rune) string {
	return fmt.Sprintf("U+%04X", r)
}
