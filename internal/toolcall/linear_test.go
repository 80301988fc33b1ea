package toolcall

import (
	"strings"
	"testing"
)

// discard is a sink that does nothing. It is true if foreign elements are calls.
type discard bool

func (discard) Text(string)    {}
func (discard) Hidden(Hider)   {}
func (discard) Tag(Tag)        {}
func (discard) CallEnded(bool) {}
func (discard) Grew(int)       {}

func (d discard) Foreign(text string, cut bool) bool { return bool(d) }

// cost returns how many bytes the scanner reads for a text in pieces of the given size.
func cost(text string, size int, foreign discard) int {
	s := scanPieces(text, size, func(*Scanner) Sink { return foreign })
	return s.scanned
}

// TestLinear repeats every kind of token in every state of the scanner. Twice the input costs at most two and a half times as much,
// however it is cut.
func TestLinear(t *testing.T) {
	states := []string{
		"", "a ", "- ", "> ", "``", "````", "~~~", "`", "` <call> ", "` <call><p>` ", "`<call> and <p", "`<call><p></call> ",
		"<", "</", "<call", "<call ", "<call a", "<call a=\"", "<hide", "<hide a='", "</call",
		"<wrap>", "<wrap><wrap>", "<!--", "<!-- -->", "[T", "[T]", "[F]", "[J]", "[J] [", "[J]{", "[J]{\"", "[J]{\"\\", "[J]{\"\":[", "[J]{}", "[J]{}</e>", "{\"", "[ {\"", "{}", "<hide>", "<hide><", "<hide></hide", "<hide></hide ", "<hide></hide a",
		"<hide><call>", "<think><hide>",
		"```\n", "```\n`", "```\n<call><p>", "~~~\n ", "```\n<call><p></p></call>\n```", "```\n<call><p></p></call>\n```\n",
		"<call>", "<call><", "<call><p", "<call><p ", "<call><p a", "<call><p a=", "<call><p a=b", "<call><p a=\"", "<call><p a='>",
		"<call></p", "<call><p>", "<call><p></call", "<call><p>&", "<call><p><!", "<call><p><![CDATA", "<call><p><![CDATA[",
		"<call><p><![CDATA[]", "<call><p><![CDATA[</call>",
	}
	tokens := []string{
		" ", "\n", "\t", "a", "1", "é", "\xff", "\xe2", "<", ">", "/", "</", "<a", "<a ", "=", "\"", "'", "&", "&amp;", "-", "- ", "1.", "> ",
		"`", "``` ", "```\n", "\n```", "~", "~~~\n", "]", "]]>", "<!--", "<![CDATA[", "<![CDATA[]]>",
		"<call>", "</call>", "<call/>", "<call a=\"",
		"<wrap>", "</wrap>", "<wrap></wrap>", "-->", "[", "[T]", "[/T]", "[F]", "[/F]", "[F][/F]", "[J]", "{", "}", "{\"", "[J]{}", "[J]{\"a\"}", "</e>", "{}",
		"<p>", "</p>", "<p a=\"", "<p a='>", "<b>", "<hide>", "</hide>", "</hide ", "<hide a=\"", "<hide/>", "<think>",
		"` <call>", "`<call>`",
		"<call><p></p></call>", "`<call><p>`</p></call>", "<hide></hide>", "```\n<call><p></p></call>\n```\n", "<call><p><![CDATA[</call>",
	}
	const bytes = 1000
	for _, state := range states {
		for _, token := range tokens {
			once := strings.Repeat(token, bytes/len(token)+1)
			for _, size := range []int{1, 16, 1 << 20} {
				for _, foreign := range []discard{false, true} {
					one, two := cost(state+once, size, foreign), cost(state+once+once, size, foreign)
					if float64(two) > 2.5*float64(one) {
						t.Errorf("%q in pieces of %d after %q, foreign %v: %d bytes cost %d, twice as many %d", token, size, state, foreign, len(once), one, two)
					}
				}
			}
		}
	}
}

// TestLinearContent is TestLinear for content: decoded at once, decoded in pieces, and checked.
func TestLinearContent(t *testing.T) {
	decode := func(text string, size int) int {
		var d Decoder
		for at, end := 0, 0; end < len(text); {
			end = min(end+size, len(text))
			for at < end {
				_, n := d.Next(text[at:end], end == len(text))
				if at += n; n == 0 {
					break
				}
			}
		}
		return d.scanned
	}
	costs := map[string]func(string) int{
		"decoded":           func(text string) int { return decode(text, len(text)) },
		"decoded in pieces": func(text string) int { return decode(text, 16) },
		"checked": func(text string) int {
			var c Checker
			c.Read(text, 0)
			return c.scanned
		},
	}
	tokens := []string{
		"a", " ", "&", "&amp;", "&#", "&#38;", "&amp", "<", "</", "<a", "<a>", "</a>", "<a/>", "<a b='&'>", "<a b=\"", "<!",
		"<!--", "-->", "<?", "?>",
		"<![CDATA[", "]]>", "<![CDATA[]]>", "]", "\r", "\r\n", "é",
	}
	const bytes = 400
	for _, state := range append(tokens, "") {
		for _, token := range tokens {
			once := strings.Repeat(token, bytes/len(token)+1)
			for name, cost := range costs {
				one, two := cost(state+once), cost(state+once+once)
				if float64(two) > 2.5*float64(one) {
					t.Errorf("%q after %q, %s: %d bytes cost %d, twice as many %d", token, state, name, len(once), one, two)
				}
			}
		}
	}
}
