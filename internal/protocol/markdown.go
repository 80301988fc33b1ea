package protocol

// MarkdownNode is a piece of an agent's Markdown as it is shown: an element, or, where Kind is absent, text. Nothing in it is
// HTML; a page makes of each kind the one element that it stands for, and of an unknown kind what it holds.
type MarkdownNode struct {
	Kind MarkdownKind `json:"kind,omitempty"`
	// Text stands in the node, before its Nodes. Every space and line break in it counts.
	Text string `json:"text,omitempty"`
	// Nodes stand in the node.
	Nodes []MarkdownNode `json:"nodes,omitempty"`
	// Href is where a link leads: to http, https or mailto, in ASCII.
	Href string `json:"href,omitempty"`
	// Title tells of a link, or of an image in one, where it leads, unless its words do.
	Title string `json:"title,omitempty"`
	// Language is a block of code's, of 1 to 32 letters, digits and the signs _+#.-
	Language string `json:"language,omitempty"`
	// Marked tells of an ordered list that it does not count 1, 2, 3: each item has its number in a marker.
	Marked bool `json:"marked,omitempty"`
	// Align is a table's cell's, where it is not the usual one.
	Align MarkdownAlign `json:"align,omitempty"`
	// Direction is an isolate's; absent: that of its first letter.
	Direction MarkdownDirection `json:"direction,omitempty"`
}

// MarkdownKind is what an element is. The inside of a block of code and of a layout is shown with a fixed width.
type MarkdownKind string

// The kinds, blocks first.
const (
	MarkdownParagraph MarkdownKind = "paragraph"
	// MarkdownHeading is a heading of the text, whatever its level, and none of the page's.
	MarkdownHeading MarkdownKind = "heading"
	MarkdownRule    MarkdownKind = "rule"
	MarkdownQuote   MarkdownKind = "quote"
	// MarkdownList and MarkdownOrderedList hold items.
	MarkdownList        MarkdownKind = "list"
	MarkdownOrderedList MarkdownKind = "orderedList"
	MarkdownItem        MarkdownKind = "item"
	// MarkdownCodeBlock is code, in a fence or indented. It holds one MarkdownCode.
	MarkdownCodeBlock MarkdownKind = "codeBlock"
	// MarkdownInfo is the first line of a fence, before its code, if it says more than the language.
	MarkdownInfo MarkdownKind = "info"
	// MarkdownLayout is text that was laid out by hand.
	MarkdownLayout MarkdownKind = "layout"
	// MarkdownTable holds a head and, where there are rows below it, a body; these hold rows.
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
	// MarkdownMarker is the number of an item, as it was written.
	MarkdownMarker MarkdownKind = "marker"
	// MarkdownIsolate is text whose direction does not touch what is around it.
	MarkdownIsolate MarkdownKind = "isolate"
	// MarkdownControl is a character that cannot be seen or turns the text around it, told by its code point.
	MarkdownControl MarkdownKind = "control"
	// MarkdownConfusable is characters of another script than those around them, which look like others.
	MarkdownConfusable MarkdownKind = "confusable"
	// The tokens in a block of code that is highlighted.
	MarkdownComment MarkdownKind = "comment"
	MarkdownString  MarkdownKind = "string"
	MarkdownNumber  MarkdownKind = "number"
	MarkdownKeyword MarkdownKind = "keyword"
	// MarkdownInserted, MarkdownRemoved and MarkdownHunk are lines of a diff, without their breaks; a hunk is any header. In
	// Rendered.Changes, the first two hold a block, or what an item holds.
	MarkdownInserted MarkdownKind = "inserted"
	MarkdownRemoved  MarkdownKind = "removed"
	MarkdownHunk     MarkdownKind = "hunk"
)

// MarkdownAlign is how a cell's text is aligned.
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
