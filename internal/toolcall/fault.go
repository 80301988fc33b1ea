package toolcall

// Fault is the code, as sent on the wire, of an error in markup or JSON. The zero value is NoFault.
type Fault string

// NoFault means that the input is well-formed.
const NoFault Fault = ""

// Faults of markup.
const (
	BareLess      Fault = "bare_less"      // a < without a tag, comment or processing instruction
	BareAmpersand Fault = "bare_ampersand" // an & without an entity
	UnclosedTag   Fault = "unclosed_tag"   // an element or comment is not closed
	StrayEndTag   Fault = "stray_end_tag"  // an end tag without an open element of its name
	BadAttribute  Fault = "bad_attribute"  // an attribute in another form than name="value"
)

// Flaw is the first fault in markup, and its offset.
type Flaw struct {
	Fault Fault
	Name  string // the element's name, if the fault concerns an element
	At    int
}

// Note records a fault if it is before the one already recorded.
func (f *Flaw) Note(fault Fault, name string, at int) {
	if fault != NoFault && (f.Fault == NoFault || at < f.At) {
		*f = Flaw{fault, name, at}
	}
}

// Faults that stop a JSON reader.
const (
	NoJSON     Fault = "no_json"    // no value at the start
	Unexpected Fault = "unexpected" // a character that the grammar does not allow there
	Trailing   Fault = "trailing"   // text after the value
)

// Faults that a JSON reader repairs, except BadEscape in a \u without four digits.
const (
	TrailingComma   Fault = "trailing_comma"    // a comma before a closing bracket
	ControlInString Fault = "control_in_string" // a raw control character
	AroundJSON      Fault = "around_json"       // a code fence, the word json, a byte order mark or Unicode white space
	StrayBracket    Fault = "stray_bracket"     // an extra closing bracket after the value
	BadEscape       Fault = "bad_escape"        // an unknown escape
)
