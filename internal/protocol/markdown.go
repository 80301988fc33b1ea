package protocol

// MarkdownNode is a node of an agent's Markdown: an element, or text if Kind is absent. No node is HTML. A page creates one element
// per kind. For an unknown kind it shows the content.
type MarkdownNode struct {
	Kind MarkdownKind `json:"kind,omitempty"`
	// Text is the node's text, before its Nodes. Spaces and line breaks are significant.
	Text string `json:"text,omitempty"`
	// Nodes are the node's children.
	Nodes []MarkdownNode `json:"nodes,omitempty"`
	// Href is the target of a link: http, https or mailto, in ASCII.
	Href string `json:"href,omitempty"`
	// Title is the target of a link, or of an image in one, unless its text shows it.
	Title string `json:"title,omitempty"`
	// Language is the language of a code block: 1 to 32 letters, digits and the signs _+#.-
	Language string `json:"language,omitempty"`
	// Marked means that an ordered list is not numbered 1, 2, 3: each item has its number in a marker.
	Marked bool `json:"marked,omitempty"`
	// Align is the alignment of a table cell, if not the default.
	Align MarkdownAlign `json:"align,omitempty"`
	// Direction is the direction of an isolate; if absent, that of its first letter.
	Direction MarkdownDirection `json:"direction,omitempty"`
}

// MarkdownKind is the kind of an element. Code blocks and layouts have a fixed width.
type MarkdownKind string

// The kinds, blocks first.
const (
	MarkdownParagraph MarkdownKind = "paragraph"
	// MarkdownHeading is a heading of any level in the text. It is not a heading of the page.
	MarkdownHeading MarkdownKind = "heading"
	MarkdownRule    MarkdownKind = "rule"
	MarkdownQuote   MarkdownKind = "quote"
	// MarkdownList and MarkdownOrderedList contain items.
	MarkdownList        MarkdownKind = "list"
	MarkdownOrderedList MarkdownKind = "orderedList"
	MarkdownItem        MarkdownKind = "item"
	// MarkdownCodeBlock is fenced or indented code. It contains one MarkdownCode.
	MarkdownCodeBlock MarkdownKind = "codeBlock"
	// MarkdownInfo is the first line of a fence, before its code, if it has more than the language.
	MarkdownInfo MarkdownKind = "info"
	// MarkdownLayout is text with a layout made of spaces.
	MarkdownLayout MarkdownKind = "layout"
	// MarkdownTable contains a head and, if there are more rows, a body. Both contain rows.
	MarkdownTable      MarkdownKind = "table"
	MarkdownTableHead  MarkdownKind = "tableHead"
	MarkdownTableBody  MarkdownKind = "tableBody"
	MarkdownRow        MarkdownKind = "row"
	MarkdownHeaderCell MarkdownKind = "headerCell"
	MarkdownCell       MarkdownKind = "cell"
	// MarkdownBreak is a line break.
	MarkdownBreak    MarkdownKind = "break"
	MarkdownEmphasis MarkdownKind = "emphasis"
	MarkdownStrong   MarkdownKind = "strong"
	MarkdownDeleted  MarkdownKind = "deleted"
	MarkdownCode     MarkdownKind = "code"
	MarkdownLink     MarkdownKind = "link"
	// MarkdownImage is an image's description, inside a link. Images are never loaded.
	MarkdownImage MarkdownKind = "image"
	// MarkdownMarker is the number of an item, as the agent wrote it.
	MarkdownMarker MarkdownKind = "marker"
	// MarkdownIsolate is text whose direction does not affect its surroundings.
	MarkdownIsolate MarkdownKind = "isolate"
	// MarkdownControl is an invisible character, or one that changes the direction of text, shown as its code point.
	MarkdownControl MarkdownKind = "control"
	// MarkdownConfusable is characters of another script than their surroundings that look like others.
	MarkdownConfusable MarkdownKind = "confusable"
	// Tokens of a highlighted code block.
	MarkdownComment MarkdownKind = "comment"
	MarkdownString  MarkdownKind = "string"
	MarkdownNumber  MarkdownKind = "number"
	MarkdownKeyword MarkdownKind = "keyword"
	// MarkdownInserted, MarkdownRemoved and MarkdownHunk are lines of a diff, without line breaks; a hunk is any header. In
	// Rendered.Changes, the first two contain a block, or the content of an item.
	MarkdownInserted MarkdownKind = "inserted"
	MarkdownRemoved  MarkdownKind = "removed"
	MarkdownHunk     MarkdownKind = "hunk"
)

// MarkdownAlign is the alignment of a cell.
type MarkdownAlign string

// The alignments.
const (
	MarkdownCenter MarkdownAlign = "center"
	MarkdownRight  MarkdownAlign = "right"
)

// MarkdownDirection is the direction of an isolate.
type MarkdownDirection string

// The directions.
const (
	MarkdownLeftToRight MarkdownDirection = "ltr"
	MarkdownRightToLeft MarkdownDirection = "rtl"
)
