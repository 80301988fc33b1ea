package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"followup/internal/protocol"
)

// outline writes nodes as text: -[removed], +[inserted], and the kinds of lists and items.
func outline(nodes []protocol.MarkdownNode) string {
	var parts []string
	for _, n := range nodes {
		inside := strings.TrimSpace(n.Text + " " + outline(n.Nodes))
		switch n.Kind {
		case protocol.MarkdownInserted:
			inside = "+[" + inside + "]"
		case protocol.MarkdownRemoved:
			inside = "-[" + inside + "]"
		case protocol.MarkdownList, protocol.MarkdownOrderedList, protocol.MarkdownItem:
			inside = fmt.Sprintf("%s(%s)", n.Kind, inside)
		}
		parts = append(parts, inside)
	}
	return strings.Join(parts, " ")
}

func TestChanges(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"same":     {"# A\n\none", "# A\n\none", ""},
		"inserted": {"one\n\nthree", "one\n\ntwo\n\nthree", "one +[two] three"},
		"removed":  {"one\n\ntwo\n\nthree", "one\n\nthree", "one -[two] three"},
		"changed":  {"one\n\ntwo", "one\n\nother", "one -[two] +[other]"},
		"all":      {"one", "", "-[one]"},
		"items":    {"Do:\n\n1. a\n2. b\n3. c", "Do:\n\n1. a\n2. B\n3. c\n4. d", "Do: orderedList(item(a) item(-[b]) item(+[B]) item(c) item(+[d]))"},
		"a paragraph before a list": {
			"Look.\n\n- a", "- a\n- b", "-[Look.] list(item(a) item(+[b]))",
		},
		"a list of another kind": {"- a", "1. a", "-[list(item(a))] +[orderedList(item(a))]"},
		"nested":                 {"- a\n  - x\n- b", "- a\n  - x\n  - y\n- b", "list(item(a list(item(x) item(+[y]))) item(b))"},
		"moved":                  {"one\n\ntwo", "two\n\none", "+[two] one -[two]"},
	} {
		if got := outline(Changes(Text(c.before), Text(c.after))); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// Without removed nodes, the changes equal the text. Without inserted nodes, they equal the earlier version.
func FuzzChanges(f *testing.F) {
	f.Add("# A\n\n- a\n  - b\n\n1. c", "# B\n\n- a\n  - c\n- d\n\n1. c")
	f.Add("", "x")
	f.Fuzz(func(t *testing.T, before, after string) {
		old, text := Text(before), Text(after)
		all := Changes(old, text)
		if all == nil {
			all = text
		}
		if got := keys(without(all, protocol.MarkdownRemoved, protocol.MarkdownInserted)); !slices.Equal(got, keys(without(text, "", ""))) {
			t.Errorf("%q to %q: without removed nodes: %q", before, after, got)
		}
		if got := keys(without(all, protocol.MarkdownInserted, protocol.MarkdownRemoved)); !slices.Equal(got, keys(without(old, "", ""))) {
			t.Errorf("%q to %q: without inserted nodes: %q", before, after, got)
		}
	})
}

// without omits nodes of one kind, and replaces those of another by their content. It joins the content of items.
func without(nodes []protocol.MarkdownNode, gone, kept protocol.MarkdownKind) (all []protocol.MarkdownNode) {
	for _, n := range nodes {
		if n.Kind == protocol.MarkdownItem && len(n.Nodes) == 1 && n.Text == "" && n.Nodes[0].Kind != "" {
			switch in := n.Nodes[0]; in.Kind {
			case gone:
				continue
			case kept:
				n.Text, n.Nodes = in.Text, in.Nodes
			}
		}
		switch n.Kind {
		case "", protocol.MarkdownCodeBlock: // which may be a diff
			all = append(all, n)
			continue
		case gone:
			continue
		case kept:
			all = append(all, without(n.Nodes, gone, kept)...)
			continue
		}
		n.Nodes = without(n.Nodes, gone, kept)
		all = append(all, n)
	}
	return all
}
