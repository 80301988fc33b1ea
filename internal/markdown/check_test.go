package markdown

import (
	"encoding/json"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// elements and the attributes each may have. This is the package's promise, written a second time.
var elements = map[string][]string{
	"p": {"class"}, "pre": {"class", "data-language"}, "ol": {"class"}, "th": {"class"}, "td": {"class"},
	"a": {"href", "title", "rel"}, "span": {"class", "title"}, "bdi": {"dir"},
	"br": nil, "hr": nil, "em": nil, "strong": nil, "del": nil, "code": nil, "blockquote": nil, "ul": nil, "li": nil,
	"table": nil, "thead": nil, "tbody": nil, "tr": nil,
}

var classes = map[string][]string{
	"p": {"md-heading", "md-info"}, "pre": {"md-code", "md-layout"}, "ol": {"md-numbered"},
	"th": {"md-center", "md-right"}, "td": {"md-center", "md-right"}, "span": {"md-marker", "md-image", "md-control"},
}

// maxOpen is how many elements a browser keeps open within each other.
const maxOpen = 512

// page is HTML as a browser reads it.
type page struct {
	t     *testing.T
	links []string
	seen  strings.Builder
}

// read reads HTML and checks that it is what the package says it writes.
func read(t *testing.T, source string) *page {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(source), body)
	if err != nil {
		t.Fatalf("%v in %.2000q", err, source)
	}
	p := &page{t: t}
	var again strings.Builder
	for _, n := range nodes {
		p.node(n, 1)
		if err := html.Render(&again, n); err != nil {
			t.Fatal(err)
		}
	}
	// What a browser makes of it is what was written: nothing was closed, moved or mended.
	if got, want := normal(again.String()), normal(source); got != want {
		t.Errorf("a browser reads\n%.2000s\nas\n%.2000s", want, got)
	}
	return p
}

// normal takes away what writers of HTML may write in either way.
func normal(s string) string {
	return strings.NewReplacer("<br/>", "<br>", "<hr/>", "<hr>", "<pre>\n", "<pre>", "<pre class=\"md-layout\">\n", "<pre class=\"md-layout\">").Replace(s)
}

func (p *page) node(n *html.Node, depth int) {
	if depth > maxOpen {
		p.t.Fatal("elements are nested too deep")
	}
	switch n.Type {
	case html.TextNode:
		p.seen.WriteString(n.Data)
		return
	case html.ElementNode:
	default:
		p.t.Errorf("a node of the kind %v: %q", n.Type, n.Data)
	}
	allowed, ok := elements[n.Data]
	if !ok || n.Namespace != "" {
		p.t.Errorf("the element %s%s came out", n.Namespace, n.Data)
	}
	title := p.attributes(n, allowed)
	number := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if n.Data == "ol" && len(n.Attr) == 0 {
			number++
			p.seen.WriteString(strconv.Itoa(number))
		}
		p.node(c, depth+1)
	}
	if n.Data == "a" && title == "" {
		title = p.isTarget(n)
	}
	p.seen.WriteString(title)
}

// isTarget checks that a link without a title leads where its label says, and tells the label.
func (p *page) isTarget(link *html.Node) string {
	var label strings.Builder
	for n := range link.Descendants() {
		if n.Type == html.TextNode {
			label.WriteString(n.Data)
		}
	}
	href := link.Attr[0].Val
	plain, _, _ := target(label.String())
	mail, _, _ := target("mailto:" + label.String())
	if href != plain && href != mail {
		p.t.Errorf("a link to %q with the label %q has no title", href, label.String())
	}
	return label.String()
}

// attributes checks an element's attributes and tells its title.
func (p *page) attributes(n *html.Node, allowed []string) (title string) {
	for _, a := range n.Attr {
		ok := slices.Contains(allowed, a.Key)
		switch a.Key {
		case "class":
			ok = ok && slices.Contains(classes[n.Data], a.Val)
		case "dir":
			ok = ok && (a.Val == "ltr" || a.Val == "rtl")
		case "rel":
			ok = ok && a.Val == "noreferrer noopener"
		case "data-language":
			ok = ok && isLanguage(a.Val)
			p.seen.WriteString(a.Val)
		case "title":
			title = a.Val
		case "href":
			p.href(a.Val)
		}
		if !ok || a.Namespace != "" {
			p.t.Errorf("the attribute %s=%q on %s came out", a.Key, a.Val, n.Data)
		}
	}
	if n.Data == "a" && (len(n.Attr) < 2 || n.Attr[0].Key != "href" || n.Attr[1].Key != "rel") {
		p.t.Error("a link without href and rel")
	}
	return title
}

func (p *page) href(href string) {
	p.links = append(p.links, href)
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
			p.t.Errorf("the target %q holds %q", href, c)
		}
	}
}

// kept is what of a text must be seen: all but white space, Markdown's own marks, and the control characters that are shown
// by their code points.
func kept(s string) []rune {
	s = strings.ReplaceAll(clean(s), "&amp;", "&")
	return slices.DeleteFunc([]rune(s), func(r rune) bool {
		if r >= unicode.MaxASCII {
			return unicode.IsSpace(r) || isBidi(r)
		}
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("$%@^/?{},;=", r)
	})
}

// checkKept checks that what was written is seen, all of it and in its order. More may be seen: a code point, a target twice.
func checkKept(t *testing.T, source, seen string) {
	t.Helper()
	rest := []rune(seen)
	for i, r := range kept(source) {
		at := slices.Index(rest, r)
		if at < 0 {
			t.Errorf("%q at %d is not seen: %.2000q became %.2000q", r, i, source, seen)
			return
		}
		rest = rest[at+1:]
	}
}

// renderers are the two functions, without the guard: a panic is seen.
var renderers = map[string]func(string) string{"Text": renderText, "Preview": renderPreview}

// check renders a text in both ways and checks what comes out.
func check(t *testing.T, source string) {
	t.Helper()
	for _, render := range renderers {
		checkKept(t, source, read(t, render(source)).seen.String())
	}
}

// vectors are known ways of smuggling script or style through something that writes HTML. The test of the page reads them too.
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

// The checks themselves can fail.
func TestChecksFind(t *testing.T) {
	for _, bad := range []string{
		`<script>x</script>`, `<p onclick="x">x</p>`, `<a href="javascript:x" rel="noreferrer noopener">javascript:x</a>`,
		`<a href="https://x" rel="opener">https://x</a>`, `<p class="card">x</p>`, `<p>x`, `<p><p>x</p></p>`, `<svg></svg>`,
		`<a href="https://x@y" rel="noreferrer noopener">https://x@y</a>`,
		`<a href="https://x" rel="noreferrer noopener">https://y</a>`, `<pre class="md-code" data-language="a b">x</pre>`, `<!-- x -->`,
	} {
		inner := &testing.T{}
		read(inner, bad)
		if !inner.Failed() {
			t.Errorf("%s passes", bad)
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
