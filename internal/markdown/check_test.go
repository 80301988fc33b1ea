package markdown

import (
	"encoding/json"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"followup/internal/protocol"
)

// fields are the fields that each kind may have besides Text and Nodes, independently of the package.
var fields = map[protocol.MarkdownKind][]string{
	"paragraph": nil, "heading": nil, "rule": nil, "quote": nil, "list": nil, "orderedList": {"Marked"}, "item": nil,
	"codeBlock": {"Language"}, "info": nil, "layout": nil,
	"table": nil, "tableHead": nil, "tableBody": nil, "row": nil, "headerCell": {"Align"}, "cell": {"Align"},
	"break": nil, "emphasis": nil, "strong": nil, "deleted": nil, "code": nil, "link": {"Href", "Title"}, "image": {"Title"},
	"marker": nil, "isolate": {"Direction"}, "control": nil,
	"comment": nil, "string": nil, "number": nil, "keyword": nil, "inserted": nil, "removed": nil, "hunk": nil,
}

// maxOpen is the maximum depth of nodes.
const maxOpen = 100

// page is a tree as a page shows it.
type page struct {
	t    *testing.T
	seen strings.Builder
}

// read checks that nodes have the properties that the package promises.
func read(t *testing.T, nodes []protocol.MarkdownNode) *page {
	t.Helper()
	p := &page{t: t}
	p.nodes(nodes, 1)
	return p
}

func (p *page) nodes(nodes []protocol.MarkdownNode, depth int) {
	if depth > maxOpen {
		p.t.Fatal("the nodes are nested too deeply")
	}
	for i, n := range nodes {
		if n.Kind == "" && (n.Text == "" || !reflect.DeepEqual(n, protocol.MarkdownNode{Text: n.Text})) {
			p.t.Errorf("an empty text node, or one with more than text: %+v", n)
		}
		if n.Kind == "" && i > 0 && nodes[i-1].Kind == "" {
			p.t.Errorf("%q and %q are one text", nodes[i-1].Text, n.Text)
		}
		p.node(n, depth)
	}
}

func (p *page) node(n protocol.MarkdownNode, depth int) {
	p.fields(n)
	p.seen.WriteString(n.Language)
	p.seen.WriteString(n.Text)
	if len(n.Nodes) > 0 && n.Text == "" && n.Nodes[0].Kind == "" {
		p.t.Errorf("the text %q follows an empty text", n.Nodes[0].Text)
	}
	if n.Kind == protocol.MarkdownOrderedList && !n.Marked {
		for i := range n.Nodes {
			p.seen.WriteString(strconv.Itoa(i + 1))
			p.nodes(n.Nodes[i:i+1], depth+1)
		}
	} else {
		p.nodes(n.Nodes, depth+1)
	}
	if n.Kind == protocol.MarkdownLink && n.Title == "" {
		p.seen.WriteString(p.isTarget(n))
	}
	p.seen.WriteString(n.Title)
}

// isTarget checks that a link without a title has the target that its label shows, and returns the label.
func (p *page) isTarget(link protocol.MarkdownNode) string {
	label := wordsOf(link)
	plain, _, _ := target(label)
	mail, _, _ := target("mailto:" + label)
	if link.Href != plain && link.Href != mail {
		p.t.Errorf("a link to %q with the label %q has no title", link.Href, label)
	}
	return label
}

func wordsOf(n protocol.MarkdownNode) string {
	words := n.Text
	for _, inner := range n.Nodes {
		words += wordsOf(inner)
	}
	return words
}

// fields checks that a node's kind is known, and its fields.
func (p *page) fields(n protocol.MarkdownNode) {
	allowed, ok := fields[n.Kind]
	if !ok && n.Kind != "" {
		p.t.Errorf("unexpected kind %q", n.Kind)
	}
	value := reflect.ValueOf(n)
	for i := range value.NumField() {
		name := value.Type().Field(i).Name
		if !slices.Contains([]string{"Kind", "Text", "Nodes"}, name) && !value.Field(i).IsZero() && !slices.Contains(allowed, name) {
			p.t.Errorf("unexpected %s=%v on %s", name, value.Field(i), n.Kind)
		}
	}
	if n.Language != "" && !isLanguage(n.Language) || !slices.Contains([]protocol.MarkdownAlign{"", "center", "right"}, n.Align) ||
		!slices.Contains([]protocol.MarkdownDirection{"", "ltr", "rtl"}, n.Direction) {
		p.t.Errorf("unexpected node %+v", n)
	}
	if n.Kind == protocol.MarkdownLink {
		p.href(n.Href)
	}
	if strings.ContainsFunc(n.Text+n.Title, func(r rune) bool { return isBidi(r) || r == 0 }) {
		p.t.Errorf("unexpected control character: %+v", n)
	}
}

func (p *page) href(href string) {
	u, err := url.Parse(href)
	if err != nil || u.User != nil || !strings.HasPrefix(href, u.Scheme+":") {
		p.t.Errorf("the target %q", href)
		return
	}
	if !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) || u.Scheme != "mailto" && u.Host == "" {
		p.t.Errorf("the target %q", href)
	}
	for _, c := range []byte(href) {
		if c <= ' ' || c >= 0x7F || strings.IndexByte("\"<>\\`", c) >= 0 {
			p.t.Errorf("the target %q contains %q", href, c)
		}
	}
}

// kept returns the characters of a text that must be visible: all but white space, Markdown's own marks, and control characters,
// which are shown by their code points.
func kept(s string) []rune {
	s = strings.ReplaceAll(clean(s), "&amp;", "&")
	return slices.DeleteFunc([]rune(s), func(r rune) bool {
		if r >= unicode.MaxASCII {
			return unicode.IsSpace(r) || isBidi(r)
		}
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("$%@^/?{},;=", r)
	})
}

// checkKept checks that the whole source is visible, in order. More may be visible: a code point, or a target twice.
func checkKept(t *testing.T, source, seen string) {
	t.Helper()
	rest := []rune(seen)
	for i, r := range kept(source) {
		at := slices.Index(rest, r)
		if at < 0 {
			t.Errorf("%q at %d is not visible: %.2000q became %.2000q", r, i, source, seen)
			return
		}
		rest = rest[at+1:]
	}
}

// readers are the two functions without the recovery, so that a panic fails the test.
var readers = map[string]func(string) []protocol.MarkdownNode{"Text": readText, "Preview": readPreview}

// check parses a text in both ways and checks the results.
func check(t *testing.T, source string) {
	t.Helper()
	for _, as := range readers {
		checkKept(t, source, read(t, as(source)).seen.String())
	}
}

// vectors are known ways to smuggle script or style through something that writes HTML. The page's test reads them, too.
func vectors(t testing.TB) []string {
	t.Helper()
	data, err := os.ReadFile("../../extension/test/webview/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestVectors(t *testing.T) {
	all := vectors(t)
	if len(all) < 80 {
		t.Fatalf("%d vectors only", len(all))
	}
	for _, vector := range all {
		check(t, vector)
		check(t, "- > "+vector)
		check(t, "| a |\n|---|\n| "+vector+" |")
		check(t, "before **"+vector+"** [label "+vector+"](https://example.org)")
		check(t, "```\n"+vector+"\n```\n\n+---+\n"+vector+"\n+---+")
	}
}

// The checks detect violations.
func TestChecksFind(t *testing.T) {
	for _, bad := range []protocol.MarkdownNode{
		{Kind: "script", Text: "x"}, {Kind: "paragraph", Text: "x", Href: "https://x"}, {Kind: "link", Href: "javascript:x", Text: "javascript:x"},
		{Kind: "link", Text: "x"}, {Kind: "link", Href: "https://x@y", Text: "https://x@y"}, {Kind: "link", Href: "https://x", Text: "https://y"},
		{Kind: "codeBlock", Language: "a b"}, {Kind: "cell", Align: "left"}, {Kind: "isolate", Direction: "auto"}, {}, {Text: "x", Title: "y"},
		{Kind: "paragraph", Text: "\u202e"}, {Kind: "paragraph", Nodes: []protocol.MarkdownNode{{Text: "x"}}},
		{Kind: "paragraph", Text: "x", Nodes: []protocol.MarkdownNode{{Kind: "break"}, {Text: "x"}, {Text: "y"}}},
	} {
		inner := &testing.T{}
		read(inner, []protocol.MarkdownNode{bad})
		if !inner.Failed() {
			t.Errorf("%+v passes", bad)
		}
	}
	for _, lost := range [][2]string{{"a b", "a"}, {"a b", "b a"}, {"<b>", "<"}, {"50%", "50"}, {"é", "e"}} {
		inner := &testing.T{}
		checkKept(inner, lost[0], lost[1])
		if !inner.Failed() {
			t.Errorf("%q passes for %q", lost[1], lost[0])
		}
	}
}
