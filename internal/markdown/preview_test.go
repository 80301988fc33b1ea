package markdown

import (
	"html"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func laid(lines string) string {
	return `<pre class="md-layout">` + html.EscapeString(lines) + "</pre>"
}

const (
	boxes  = "┌──────┐  ┌──────┐\n│ Nav  │  │ *a*  │\n└──────┘  └──────┘"
	frame  = "+-------+-----+\n| Name  | Age |\n+=======+=====+\n| _Ann_ |  31 |\n+-------+-----+"
	tree   = "src\n|-- a_b_c.go\n`-- d.go"
	code   = "func main() {\n\n\tx := a * b\n\n    return\n}"
	arrow  = "A --> B\n|     |\nv     v\nC --> D"
	form   = "  Name:  [__________]\n\n  [ Save ]   [ Cancel ]"
	water  = "  ___\n /   \\\n~~~~~~~~~"
	pairs  = "key  value\na  b"
	titled = "Title\n-----\n# not a heading of Markdown's  x"
)

var previews = []rendering{
	{"nothing", "", ""},
	{"only words", "Uses Redis.\nFast.", laid("Uses Redis.\nFast.")},
	{"blank lines around", "\n\n  a\nb  \n\n", laid("  a\nb  ")},
	{"boxes", boxes, laid(boxes)},
	{"a frame", frame, laid(frame)},
	{"a tree", tree, laid(tree)},
	{"code without a fence", code, laid(code)},
	{"arrows", arrow, laid(arrow)},
	{"a form", form, laid(form)},
	{"a drawing", water, laid(water)},
	{"columns of two spaces", pairs, laid(pairs)},
	{"underlines", titled, laid(titled)},
	{"tabs", "a\tb\n*c*\td", laid("a\tb\n*c*\td")},
	{"a table without a head", "| a | b |\n| *c* | d |", laid("| a | b |\n| *c* | d |")},
	{"tags", "<b>\n  <i>*a*</i>\n</b>", laid("<b>\n  <i>*a*</i>\n</b>")},
	{"an open fence of tildes", "~~~\na  b  c\n~ ~", laid("~~~\na  b  c\n~ ~")},
	{"tildes with words", "*x*\n\n~~~ water\n*a*", "<p><em>x</em></p>" + laid("~~~ water\n*a*")},
	{"emphasis", "Uses *Redis*.\nFast.", "<p>Uses <em>Redis</em>.<br>Fast.</p>"},
	{"a sentence after two spaces", "*One*.  Two.", "<p><em>One</em>.  Two.</p>"},
	{"a heading over boxes", "## A\n" + boxes, `<p class="md-heading">A</p>` + laid(boxes)},
	{"a bold line over boxes", "**A**:\n" + boxes, "<p><strong>A</strong>:</p>" + laid(boxes)},
	{"words, boxes, words", "Has *two* columns:\n\n" + boxes + "\n\n- a\n- b", "<p>Has <em>two</em> columns:</p>" + laid(boxes) + "<ul><li>a</li><li>b</li></ul>"},
	{"layouts in a row", "# A\n\n" + boxes + "\n\n\n" + frame, `<p class="md-heading">A</p>` + laid(boxes+"\n\n\n"+frame)},
	{"a fence", "```go\n" + boxes + "\n\n" + "x\n```", "<pre class=\"md-code\" data-language=\"go\"><code>" + boxes + "\n\nx</code></pre>"},
	{"a fence below words", "a\n```\nb\n```\nc", `<p>a</p><pre class="md-code"><code>b</code></pre><p>c</p>`},
	{"a fence of tildes", "~~~\nb\n\nc\n~~~", "<pre class=\"md-code\"><code>b\n\nc</code></pre>"},
	{"a fence in a list", "- a\n\n  ```\n  b   c\n\n  d\n  ```\n- e", "<ul><li><p>a</p><pre class=\"md-code\"><code>b   c\n\nd</code></pre></li><li><p>e</p></li></ul>"},
	{"a fence in a quote", "> ```\n> b   c\n> ```", "<blockquote><pre class=\"md-code\"><code>b   c</code></pre></blockquote>"},
	{"a list", "- a\n  b\n\n  c\n    - d\n\n1. e", "<ul><li><p>a<br>b</p><p>c</p><ul><li>d</li></ul></li></ul><ol><li>e</li></ol>"},
	{"a list with columns", "- *a*   b\n- c     d", laid("- *a*   b\n- c     d")},
	{"a table with a head", "| a    | b |\n|------|---|\n| *c*  | d |", "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><em>c</em></td><td>d</td></tr></tbody></table>"},
	{"a break", "*a*\n\n---\n\nb", "<p><em>a</em></p><hr><p>b</p>"},
	{"a break in a layout", "a\n---\n*b*", laid("a\n---\n*b*")},
	{"a quote", "> *a*\n>\n> b", "<blockquote><p><em>a</em></p><p>b</p></blockquote>"},
	{"an indented line among words", "*a*\n\n  b *c*", "<p><em>a</em></p>" + laid("  b *c*")},
	{"a control in a layout", "┌\u202E┐", `<pre class="md-layout">┌<span class="md-control">U+202E</span>┐</pre>`},
}

func TestPreview(t *testing.T) {
	for _, test := range previews {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, written(Preview(test.source))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			check(t, test.source)
		})
	}
}
