package locale

// Keys of the errors of a call. Their words, except those marked as our own, are the seeds'.
const (
	MissingParameter Key = "error.missing_parameter" // parameter
	ParseFailed      Key = "error.parse_failed"      // detail
	InvalidFormat    Key = "error.invalid_format"
	UnexpectedEnd    Key = "detail.unexpected_end"    // the detail of a truncated call
	TooLarge         Key = "error.too_large"          // parameter, limit; our own
	MessageTooLarge  Key = "error.too_large.message"  // limit; our own
	UnknownTool      Key = "error.unknown_tool"       // tool; our own
	InvalidValue     Key = "error.invalid_value"      // field; our own
	Bytes            Key = "unit.bytes"               // number
	Kibibytes        Key = "unit.kibibytes"           // number
	Mebibytes        Key = "unit.mebibytes"           // number
	BareLess         Key = "detail.bare_less"         //
	BareAmpersand    Key = "detail.bare_ampersand"    //
	UnclosedTag      Key = "detail.unclosed_tag"      // element
	StrayEndTag      Key = "detail.stray_end_tag"     // element
	BadAttribute     Key = "detail.bad_attribute"     // element
	Hidden           Key = "detail.hidden"            //
	NoJSON           Key = "detail.no_json"           // character
	NotObject        Key = "detail.not_object"        //
	Unexpected       Key = "detail.unexpected"        // character
	BadEscape        Key = "detail.bad_escape"        // character
	Trailing         Key = "detail.trailing"          // character
	InnerEnd         Key = "detail.inner_end"         //
	TrailingComma    Key = "detail.trailing_comma"    //
	ControlInString  Key = "detail.control_in_string" //
	AroundJSON       Key = "detail.around_json"       //
	StrayBracket     Key = "detail.stray_bracket"     //
	Unreadable       Key = "detail.unreadable"        // a reason without words of its own
)
