package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
)

// tokens returns the tokens of a text's code as KIND(TEXT), and the number of all nodes.
func tokens(nodes []protocol.MarkdownNode) (found []string, all int) {
	for _, n := range nodes {
		all++
		switch n.Kind {
		case protocol.MarkdownComment, protocol.MarkdownString, protocol.MarkdownNumber, protocol.MarkdownKeyword,
			protocol.MarkdownInserted, protocol.MarkdownRemoved, protocol.MarkdownHunk:
			found = append(found, string(n.Kind)+"("+wordsOf(n)+")")
		}
		inner, more := tokens(n.Nodes)
		found, all = append(found, inner...), all+more
	}
	return found, all
}

func TestHighlight(t *testing.T) {
	for name, c := range map[string]struct {
		info, code string
		want       []string
	}{
		"go":                  {"go", "if n > 10 { // few\n\treturn `a\nb`\n}", []string{"keyword(if)", "number(10)", "comment(// few)", "keyword(return)", "string(`a\nb`)"}},
		"a word in a name":    {"go", "iffy := format.returned", nil},
		"case of a name":      {"Go", "nil", []string{"keyword(nil)"}},
		"alias":               {"py", "def f(): # no", []string{"keyword(def)", "comment(# no)"}},
		"triple quotes":       {"python", "'''a\nb''' + 'c'", []string{"string('''a\nb''')", "string('c')"}},
		"escaped quote":       {"js", `"a\"b" + 1.5`, []string{`string("a\"b")`, "number(1.5)"}},
		"an apostrophe":       {"c", "don't return\nreturn", []string{"keyword(return)"}},
		"an open comment":     {"css", "a{} /* to the end", []string{"comment(/* to the end)"}},
		"shell":               {"bash", "echo $# \"a\nb\" # end", []string{"string(\"a\nb\")", "comment(# end)"}},
		"no space before":     {"yaml", "a: voilà#1", []string{"number(1)"}}, // the last byte of à equals that of a no-break space
		"sql in capitals":     {"sql", "DROP TABLE users; -- all 'of' it", []string{"keyword(DROP)", "keyword(TABLE)", "comment(-- all 'of' it)"}},
		"json":                {"json", `{"a": [1, true]}`, []string{`string("a")`, "number(1)", "keyword(true)"}},
		"html":                {"html", `<a href="x">don't</a><!-- b -->`, []string{`string("x")`, "comment(<!-- b -->)"}},
		"an unknown language": {"brainf", "if 1 // x", nil},
		"no language":         {"", "if 1 // x", nil},
		"no name, no diff":    {"", "+ a\n- b\n@@ c", nil},
		"diff": {"diff", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new", []string{
			"hunk(--- a/x)", "hunk(+++ b/x)", "hunk(@@ -1,2 +1,2 @@)", "removed(-old)", "inserted(+new)",
		}},
		"a diff without a name": {"", "@@ -1 +1 @@\n-old\n+new\n", []string{"hunk(@@ -1 +1 @@)", "removed(-old)", "inserted(+new)"}},
	} {
		t.Run(name, func(t *testing.T) {
			nodes := Text("```" + c.info + "\n" + c.code + "\n```")
			read(t, nodes)
			if got, _ := tokens(nodes); !cmp.Equal(got, c.want) {
				t.Error(cmp.Diff(c.want, got))
			}
			if got, want := wordsOf(nodes[0]), c.code; got != want {
				t.Errorf("the code became %q", got)
			}
		})
	}
}

func TestHighlightShowsControls(t *testing.T) {
	nodes := Text("```go\nreturn \"a\u202eb\" // c\u202e\n```")
	if got, want := wordsOf(nodes[0]), "return \"aU+202Eb\" // cU+202E"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHighlightIsBounded(t *testing.T) {
	for _, code := range []string{strings.Repeat("1 ", 30000), strings.Repeat("+ a longer line of code\n", 1100)} {
		for _, info := range []string{"go", "diff"} {
			nodes := Text("```" + info + "\n" + code + "\n```")
			if _, all := tokens(nodes); all > 3*maxTokens {
				t.Errorf("%d nodes for %.4q as %s", all, code, info)
			}
			if got := wordsOf(nodes[0]); got != code {
				t.Errorf("%.4q as %s is not whole", code, info)
			}
		}
	}
}
