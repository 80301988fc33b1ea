package question

// Code names, in a stable spelling, an error, a repair or a notice. Codes travel on the wire and in logs; package
// locale holds the sentences that people and agents read.
type Code string

// Codes of errors: why a call is invalid. Where several apply, a reader reports the first of truncated, too large,
// missing parameter, parse failed and invalid format.
const (
	// CodeTruncated: the input ended inside the call.
	CodeTruncated Code = "truncated"
	// CodeTooLarge: a parameter or the message is over its limit; the detail names which, and the limit.
	CodeTooLarge Code = "too_large"
	// CodeMissingParameter: a required parameter is absent or blank; the detail names it.
	CodeMissingParameter Code = "missing_parameter"
	// CodeParseFailed: the input cannot be read; the detail says why.
	CodeParseFailed Code = "parse_failed"
	// CodeInvalidFormat: the input can be read but has the wrong shape.
	CodeInvalidFormat Code = "invalid_format"
	// CodeInvalidValue: a value is outside what its field allows; the detail names the field.
	CodeInvalidValue Code = "invalid_value"
	// CodeUnknownTool: no reader exists for the tool that the call names; the detail holds the name.
	CodeUnknownTool Code = "unknown_tool"
)

// Codes of repairs: what a tolerant reader mended, or dropped, in a valid call.
const (
	RepairBadSuggestion       Code = "bad_suggestion"       // an item of the wrong type or without text was dropped
	RepairBareMarkup          Code = "bare_markup"          // a < or & that makes the markup ill-formed was kept as text
	RepairBlankSuggestion     Code = "blank_suggestion"     // a suggestion without text was dropped
	RepairDoubleEncoded       Code = "double_encoded"       // JSON was found inside a JSON string
	RepairElementSuggestions  Code = "element_suggestions"  // JSON held <suggest> elements
	RepairFlatQuestion        Code = "flat_question"        // one question stood in place of the list of them
	RepairKeyAlias            Code = "key_alias"            // a value was found under another name than the tool gives it
	RepairLenientValue        Code = "lenient_value"        // a number or boolean as text, or a string as a boolean
	RepairSuggestionKey       Code = "suggestion_key"       // the suggestions stood under another name than follow_up or options
	RepairWrappedArguments    Code = "wrapped_arguments"    // the arguments stood in arguments, input or params
	RepairWrappedList         Code = "wrapped_list"         // a list stood in an object, under item or the like
	RepairDuplicateSuggestion Code = "duplicate_suggestion" // a second suggestion of the same text and mode was dropped
	RepairForeignForm         Code = "foreign_form"         // the call was written in the spelling of another family of models
	RepairFencedCall          Code = "fenced_call"          // the call stood in a fence at the end of the message
	RepairJSONSuggestions     Code = "json_suggestions"     // the tag form held a JSON array
	RepairLenientJSON         Code = "lenient_json"         // a code fence, BOM, comma or bracket too many, raw control character, unknown escape
	RepairListSuggestions     Code = "list_suggestions"     // a bulleted or numbered list
	RepairNestedParameter     Code = "nested_parameter"     // a parameter stood in the other one
	RepairRepeatedParameter   Code = "repeated_parameter"   // the last one that is not blank was taken
	RepairStrayText           Code = "stray_text"           // text beside the suggestions was dropped
	RepairStringOption        Code = "string_option"        // an option was a string, which is its label
	RepairSuggestionFields    Code = "suggestion_fields"    // a suggestion was made of elements for its answer and mode
	RepairSuggestionTag       Code = "suggestion_tag"       // an element of another name was read in place of the right one
	RepairUnclosedElement     Code = "unclosed_element"     // what would have hidden the call was never closed
	RepairUnclosedParameter   Code = "unclosed_parameter"   // a parameter lacked its closing tag
	RepairUnclosedSuggestion  Code = "unclosed_suggestion"  // a suggestion lacked its closing tag
	RepairUnknownParameter    Code = "unknown_parameter"    // the tags of an unknown element were skipped
)

// Codes of notices: advice to the agent on a valid call.
const (
	NoticeAgentAnnotations   Code = "agent_annotations"    // annotations that the agent wrote were dropped
	NoticeAgentAnswers       Code = "agent_answers"        // answers that the agent wrote were dropped
	NoticeHeaderLong         Code = "header_long"          // a header over MaxHeader
	NoticeLabelLong          Code = "label_long"           // a label over MaxLabelWords
	NoticeNoQuestionMark     Code = "no_question_mark"     // a question that does not end with one
	NoticePlaceholder        Code = "placeholder"          // a suggestion holds a gap that the user would have to fill in
	NoticePreviewMultiSelect Code = "preview_multi_select" // a preview where several options may be chosen
	NoticeTooManySuggestions Code = "too_many_suggestions" // more than MaxSuggestions
	NoticeUnknownKey         Code = "unknown_key"          // a key that the tool does not have
)

// MaxSuggestions is how many suggestions an agent is advised to give at most.
const MaxSuggestions = 4

// Reason says what a reader found, as the argument of an error: one of these, or a Fault of package toolcall.
type Reason string

// Reasons of CodeParseFailed, besides faults of the spelling.
const (
	ReasonHidden    Reason = "hidden"     // the call stands in a fence or element that is never closed
	ReasonNotObject Reason = "not_object" // the arguments are JSON, but no object
	ReasonInnerEnd  Reason = "inner_end"  // the JSON inside a string ends too early
)

// Reasons of CodeInvalidValue; Name is the field, such as questions[0].options.
const (
	ReasonCount     Reason = "count"     // a list holds Count items, not Min to Max
	ReasonDuplicate Reason = "duplicate" // Found stood in the field of an earlier item too
	ReasonType      Reason = "type"      // a value of the type Got stands where one of the type Want must
	ReasonMended    Reason = "mended"    // strict mode: the repairs whose codes are Found would be needed
)

// ValueType is a type of JSON values.
type ValueType string

// The types of JSON values.
const (
	TypeNull   ValueType = "null"
	TypeBool   ValueType = "boolean"
	TypeNumber ValueType = "number"
	TypeString ValueType = "string"
	TypeList   ValueType = "list"
	TypeObject ValueType = "object"
)

// Detail holds the arguments of an error; which of them are set depends on its code.
type Detail struct {
	// Reason is set for CodeParseFailed, and for CodeInvalidValue.
	Reason Reason
	// Name is the parameter, element, field, tool or character that the error is about. For CodeTooLarge it is a
	// parameter, or empty for the whole message.
	Name string
	// Limit is the limit that was passed, in bytes, for CodeTooLarge.
	Limit int
	// Min, Max and Count are set for ReasonCount.
	Min, Max, Count int
	// Found is set for ReasonDuplicate and ReasonMended.
	Found string
	// Want and Got are set for ReasonType.
	Want, Got ValueType
	// At is where that is.
	At Place
}

// Error is why a call is invalid: a code with arguments, and no prose.
type Error struct {
	Code   Code
	Detail Detail
}

// Limits bound what a reader keeps, sizes in bytes of raw input. A zero field means its default.
type Limits struct {
	// Parameter is the most that one parameter may hold.
	Parameter int
	// Message is the most that one assistant message, or the arguments of one native call, may hold.
	Message int
	// Questions and Options are how many a questionnaire, and one of its questions, may hold: MaxQuestions and MaxOptions
	// unless they are raised, to MaxRaised at most.
	Questions, Options int
}

// Default limits, in bytes.
const (
	DefaultParameterLimit = 1 << 20
	DefaultMessageLimit   = 8 << 20
)

// WithDefaults returns l with its zero fields set to the defaults.
func (l Limits) WithDefaults() Limits {
	if l.Parameter <= 0 {
		l.Parameter = DefaultParameterLimit
	}
	if l.Message <= 0 {
		l.Message = DefaultMessageLimit
	}
	l.Questions = min(max(l.Questions, MaxQuestions), MaxRaised)
	l.Options = min(max(l.Options, MaxOptions), MaxRaised)
	return l
}

// Envelope is what travels with a question beside its payload. It has the fields of protocol.Envelope, which says more.
type Envelope struct {
	// Context is what the agent wrote just before the call, bounded by Before. Empty if unknown.
	Context string `json:"context,omitempty"`
	// To is the person or group that the question is for. Empty means everybody who sees the inbox.
	To string `json:"to,omitempty"`
	// InConversation reports that the agent's client shows the question inside the conversation itself.
	InConversation bool `json:"inConversation,omitempty"`
	// NoCancel reports that the agent may stop waiting without saying so.
	NoCancel bool `json:"noCancel,omitempty"`
	// PreviousPlan is the text of the session's plan before this one; empty if there was none.
	PreviousPlan string `json:"previousPlan,omitempty"`
	// Expires is when the question is withdrawn, in milliseconds since 1970. 0 means never.
	Expires int64 `json:"expires,omitempty"`
}

// Call is one tool call that has ended.
type Call struct {
	Envelope
	// Tool is the name of the tool that was called.
	Tool string
	// Followup is the payload of a valid ask_followup_question call; nil otherwise.
	Followup *Followup
	// Questionnaire is the payload of a valid AskUserQuestion call; nil otherwise.
	Questionnaire *Questionnaire
	// Approval is the payload of a valid request for permission; nil otherwise.
	Approval *Approval
	// Err says why the call is invalid; nil when it is valid.
	Err *Error
	// Repairs and Notices are sorted, hold each code once, and are never nil on a valid call.
	Repairs, Notices []Code
	// Ordinal is which of the calls written as tags in its message it is, from 1; 0 for any other call.
	Ordinal int `json:",omitempty"`
}

// Asks reports whether the call is a valid question or request.
func (c *Call) Asks() bool { return c.Followup != nil || c.Questionnaire != nil || c.Approval != nil }

// Size is about how many bytes of text the call brings.
func (c *Call) Size() int {
	size := len(c.Context) + len(c.PreviousPlan)
	if f := c.Followup; f != nil {
		size += len(f.Question)
		for _, s := range f.Suggest {
			size += len(s.Answer)
		}
	}
	if c.Questionnaire != nil {
		for _, q := range c.Questionnaire.Questions {
			size += len(q.Question) + len(q.Header)
			for _, o := range q.Options {
				size += len(o.Label) + len(o.Description) + len(o.Preview)
			}
		}
	}
	if c.Approval != nil {
		size += c.Approval.size()
	}
	return size
}
