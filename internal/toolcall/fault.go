package toolcall

// Fault is a way in which markup or JSON is not well-formed: a code, in the spelling that travels on the wire. Empty is none.
type Fault string

// NoFault is that of what is well-formed.
const NoFault Fault = ""

// Faults of markup.
const (
	BareLess      Fault = "bare_less"      // a < that begins no tag, comment or processing instruction
	BareAmpersand Fault = "bare_ampersand" // an & that begins no entity
	UnclosedTag   Fault = "unclosed_tag"   // an element, or comment, that is not closed
	StrayEndTag   Fault = "stray_end_tag"  // an end tag of an element that is not open
	BadAttribute  Fault = "bad_attribute"  // an attribute that is not written name="value"
)

// Flaw is the first way in which markup is not well-formed, and where that stands.
type Flaw struct {
	Fault Fault
	Name  string // of the element that it is about, if it is about one
	At    int
}

// Note takes a flaw, which counts if it stands before the one that is known.
func (f *Flaw) Note(fault Fault, name string, at int) {
	if fault != NoFault && (f.Fault == NoFault || at < f.At) {
		*f = Flaw{fault, name, at}
	}
}

// Faults of JSON after which it cannot be read further.
const (
	NoJSON     Fault = "no_json"    // no value begins where one should
	Unexpected Fault = "unexpected" // a character that cannot stand there
	Trailing   Fault = "trailing"   // something follows the value
)

// Faults of JSON that are mended.
const (
	TrailingComma   Fault = "trailing_comma"    // a comma before a closing bracket
	ControlInString Fault = "control_in_string" // a raw control character
	AroundJSON      Fault = "around_json"       // a code fence, byte order mark or white space that JSON does not have
	StrayBracket    Fault = "stray_bracket"     // a closing bracket too many, behind the whole
	BadEscape       Fault = "bad_escape"        // an escape that JSON does not have; of \u with other than four digits nothing is made
)
