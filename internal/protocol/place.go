package protocol

// PlaceFind finds the places in files that texts name, such as src/main.ts:12, as far as the files are in some folders.
var PlaceFind = Request[PlaceFindParams, PlaceFindResult]{"place/find"}

// PlaceFindParams are texts, and the absolute paths of folders.
type PlaceFindParams struct {
	Texts   []string `json:"texts"`
	Folders []string `json:"folders"`
}

// PlaceFindResult are places, in the order of the texts and in each one's own.
type PlaceFindResult struct {
	Places []Place `json:"places"`
}

// Place is a place in a file, as a text names it.
type Place struct {
	// Text is the text's index. Start and End are where the place is named in it, in UTF-16 code units.
	Text  int `json:"text"`
	Start int `json:"start"`
	End   int `json:"end"`
	// File is the absolute path.
	File string `json:"file"`
	// Line, Column and EndLine, the last line, are counted from 1; 0 where none was named.
	Line    int `json:"line,omitempty"`
	Column  int `json:"column,omitempty"`
	EndLine int `json:"endLine,omitempty"`
}
