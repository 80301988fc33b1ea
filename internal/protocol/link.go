package protocol

// PlaceFind finds places in files that texts name, such as src/main.ts:12, if the files are in the given folders.
var PlaceFind = Request[PlaceFindParams, PlaceFindResult]{"place/find"}

// PlaceFindParams are texts and absolute paths of folders.
type PlaceFindParams struct {
	Texts   []string `json:"texts"`
	Folders []string `json:"folders"`
}

// PlaceFindResult are places, ordered by text and position.
type PlaceFindResult struct {
	Places []Place `json:"places"`
}

// Place is a place in a file that a text names.
type Place struct {
	// Text is the text's index.
	Text int `json:"text"`
	// Start is where the name begins in the text, in UTF-16 code units.
	Start int `json:"start"`
	// End is where the name ends, exclusive.
	End int `json:"end"`
	// File is the absolute path.
	File string `json:"file"`
	// Line is counted from 1, as Column and EndLine are; absent if the text does not have it.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// EndLine is the last line of a range.
	EndLine int `json:"endLine,omitempty"`
}

// MailDescribe describes in the user's language what a mailto: link does, for a confirmation.
var MailDescribe = Request[HostLink, MailDescription]{"mail/describe"}

// MailDescription is the confirmation.
type MailDescription struct {
	// Question asks whether to write the email, and names the recipients.
	Question string `json:"question"`
	// Detail is everything else in the link.
	Detail string `json:"detail"`
	// Button is the label of the button that confirms.
	Button string `json:"button"`
}
