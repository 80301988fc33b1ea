package markdown

import (
	"fmt"
	"html"
	"strings"

	"followup/internal/protocol"
)

// tags are the HTML of each kind, as on a page, for the tests' notation.
var tags = map[protocol.MarkdownKind]string{
	"paragraph": "p", "heading": `p class="md-heading"`, "rule": "hr", "quote": "blockquote", "list": "ul", "orderedList": "ol", "item": "li",
	"codeBlock": `pre class="md-code"`, "info": `p class="md-info"`, "layout": `pre class="md-layout"`,
	"table": "table", "tableHead": "thead", "tableBody": "tbody", "row": "tr", "headerCell": "th", "cell": "td",
	"break": "br", "emphasis": "em", "strong": "strong", "deleted": "del", "code": "code", "link": "a", "image": `span class="md-image"`,
	"marker": `span class="md-marker"`, "isolate": "bdi", "control": `span class="md-control"`,
}

// written returns nodes in the tests' notation, which is easier to read than the nodes.
func written(nodes []protocol.MarkdownNode) string {
	var out strings.Builder
	for _, n := range nodes {
		tag := tags[n.Kind]
		name, _, _ := strings.Cut(tag, " ")
		if tag != "" {
			out.WriteString("<" + tag)
			put(&out, "href", n.Href)
			put(&out, "title", n.Title)
			put(&out, "data-language", n.Language)
			put(&out, "dir", string(n.Direction))
			if n.Align != "" {
				put(&out, "class", "md-"+string(n.Align))
			}
			if n.Marked {
				put(&out, "class", "md-numbered")
			}
			out.WriteString(">")
		}
		out.WriteString(html.EscapeString(n.Text) + written(n.Nodes))
		if tag != "" && name != "br" && name != "hr" {
			out.WriteString("</" + name + ">")
		}
	}
	return out.String()
}

func put(out *strings.Builder, name, value string) {
	if value != "" {
		fmt.Fprintf(out, ` %s="%s"`, name, html.EscapeString(value))
	}
}
