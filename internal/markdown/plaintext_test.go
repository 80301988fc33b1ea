package markdown

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
)

func TestPlain(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"words", "Which one?", "Which one?"},
		{"no words", "---", "---"},
		{"marks", "# Drop **all** `users`?\n\n*Really*, ~~maybe~~ __now__", "Drop all users?\n\nReally, maybe now"},
		{"names keep their signs", "max_retry_count 2 * 3 `a_b` C:\\x", "max_retry_count 2 * 3 a_b C:\\x"},
		{"line breaks", "a\nb", "a\nb"},
		{"a link", "See [the *plan*](https://example.org/very/long?x=1 \"title\") first", "See the plan first"},
		{"a bare address", "See https://example.org", "See https://example.org"},
		{"an image", "![a chart](https://example.org/c.png)", "a chart"},
		{"a table", "| Store | Cost |\n|---|--:|\n| `pg` | **10** |\n| sqlite | |", "Store · Cost\npg · 10\nsqlite · "},
		{"a table between words", "a\n\n| b |\n|---|\n| c |\n\nd", "a\n\nb\nc\n\nd"},
		{"a list", "- a\n- **b**\n  - c\n    d\n- e", "• a\n• b\n  • c\n    d\n• e"},
		{"a loose list", "- a\n\n  b\n\n- c", "• a\n  b\n• c"},
		{"numbers", "1. a\n2. b", "1. a\n2. b"},
		{"numbers of the agent's", "3. a\n5. b", "3. a\n5. b"},
		{"tasks", "- [ ] a\n- [x] **b**\n- [X] c\n- [y] d", "☐ a\n☑ b\n☑ c\n• [y] d"},
		{"tasks of a loose list", "- [ ] a\n\n- [x] b", "☐ a\n☑ b"},
		{"an item without words", "-\n- a", "• \n• a"},
		{"a quote", "> a\n>\n> *b*", "a\n\nb"},
		{"code keeps its lines", "```go title=\"x\"\nif a {\n\n\treturn *b\n}\n```\nc", "go title=\"x\"\n\nif a {\n\n\treturn *b\n}\n\nc"},
		{"a rule", "a\n\n---\n\nb", "a\n\nb"},
		{"a control character", "a\u202eb", "aU+202Eb"},
		{"too long", strings.Repeat("*", MaxBytes+1), strings.Repeat("*", MaxBytes+1)},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Plain(test.source)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The plain text has every word that a page shows.
func TestPlainTextKeepsWords(t *testing.T) {
	for _, test := range slices.Concat(texts, links, emphases) {
		for name, as := range readers {
			nodes := as(test.source)
			rest := PlainText(nodes)
			for _, word := range strings.Fields(wordsOf(protocol.MarkdownNode{Nodes: nodes})) {
				for _, r := range word {
					if strings.ContainsRune("[]xX ", r) {
						continue // it belongs to a task's box
					}
					at := strings.IndexRune(rest, r)
					if at < 0 {
						t.Fatalf("%s, %s: %q of %q is not in %q", test.name, name, r, word, PlainText(nodes))
					}
					rest = rest[at:]
				}
			}
		}
	}
}

func TestStyledText(t *testing.T) {
	style := func(words string, around []protocol.MarkdownKind) string {
		var kinds []string
		for _, kind := range around {
			kinds = append(kinds, string(kind))
		}
		return "{" + strings.Join(kinds, " ") + ":" + words + "}"
	}
	got := StyledText(Text("a **b *c***\n\n- `d`\n\n```\ne\n\nf\n```"), style)
	want := "{paragraph:a }{paragraph strong:b }{paragraph strong emphasis:c}\n\n• {item code:d}\n\n{codeBlock code:e}\n\n{codeBlock code:f}"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
