package question

// Code is the stable name of an error, a repair or a notice. Codes travel on the wire and in logs; package locale has the texts for
// people and agents.
type Code string

// Codes of errors, which are the reasons why calls are invalid. If several apply, a parser reports the first of truncated, too
// large, missing parameter, parse failed and invalid format.
const (
	// CodeTruncated: the input ended inside the call.
	CodeTruncated Code = "truncated"
	// CodeTooLarge: a parameter or the message exceeds its limit; the detail has its name and the limit.
	CodeTooLarge Code = "too_large"
	// CodeMissingParameter: a required parameter is absent or blank; the detail names it.
	CodeMissingParameter Code = "missing_parameter"
	// CodeParseFailed: the input cannot be parsed; the detail has the reason.
	CodeParseFailed Code = "parse_failed"
	// CodeInvalidFormat: the input can be parsed but has the wrong shape.
	CodeInvalidFormat Code = "invalid_format"
	// CodeInvalidValue: a value that its field does not allow; the detail names the field.
	CodeInvalidValue Code = "invalid_value"
	// CodeUnknownTool: no parser knows the tool; the detail has its name.
	CodeUnknownTool Code = "unknown_tool"
)

// Codes of repairs. A tolerant parser repaired or dropped part of a valid call.
const (
	RepairBadSuggestion       Code = "bad_suggestion"       // an item of the wrong type or without text was dropped
	RepairBareMarkup          Code = "bare_markup"          // a < or & that makes the markup ill-formed was kept as text
	RepairBlankSuggestion     Code = "blank_suggestion"     // a suggestion without text was dropped
	RepairDoubleEncoded       Code = "double_encoded"       // JSON inside a JSON string
	RepairElementSuggestions  Code = "element_suggestions"  // <suggest> elements in JSON
	RepairFlatQuestion        Code = "flat_question"        // one question instead of a list of them
	RepairKeyAlias            Code = "key_alias"            // a value under another name than the tool's
	RepairLenientValue        Code = "lenient_value"        // a number or boolean as text, or a string as a boolean
	RepairSuggestionKey       Code = "suggestion_key"       // suggestions under another name than follow_up or options
	RepairWrappedArguments    Code = "wrapped_arguments"    // arguments inside arguments, input or params
	RepairWrappedList         Code = "wrapped_list"         // a list inside an object, under item or the like
	RepairDuplicateSuggestion Code = "duplicate_suggestion" // a second suggestion of the same text and mode was dropped
	RepairForeignForm         Code = "foreign_form"         // the call format of another family of models
	RepairFencedCall          Code = "fenced_call"          // a call in a fence at the end of the message
	RepairJSONSuggestions     Code = "json_suggestions"     // a JSON array in tags
	RepairLenientJSON         Code = "lenient_json"         // a code fence, BOM, extra comma or bracket, raw control character, unknown escape
	RepairListSuggestions     Code = "list_suggestions"     // a bulleted or numbered list
	RepairNestedParameter     Code = "nested_parameter"     // a parameter inside the other one
	RepairRepeatedParameter   Code = "repeated_parameter"   // the last one that is not blank was used
	RepairStrayText           Code = "stray_text"           // text beside the suggestions was dropped
	RepairStringOption        Code = "string_option"        // an option was a string, which is its label
	RepairSuggestionFields    Code = "suggestion_fields"    // a suggestion with elements for its answer and mode
	RepairSuggestionTag       Code = "suggestion_tag"       // an element with another name was accepted
	RepairUnclosedElement     Code = "unclosed_element"     // an element that would have hidden the call was never closed
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
	NoticePlaceholder        Code = "placeholder"          // a suggestion has a gap for the user to fill in
	NoticePreviewMultiSelect Code = "preview_multi_select" // a preview with several choices
	NoticeTooManySuggestions Code = "too_many_suggestions" // more than MaxSuggestions
	NoticeUnknownKey         Code = "unknown_key"          // a key that the tool does not define
)

// MaxSuggestions is the recommended maximum of suggestions.
const MaxSuggestions = 4

// Reason is the argument of an error: one of these, or a Fault of package toolcall.
type Reason string

// Reasons of CodeParseFailed, besides faults of the spelling.
const (
	ReasonHidden    Reason = "hidden"     // the call is in a fence or element that is never closed
	ReasonNotObject Reason = "not_object" // the arguments are JSON, but not an object
	ReasonInnerEnd  Reason = "inner_end"  // the JSON inside a string ends too early
)

// Reasons of CodeInvalidValue; Name is the field, such as questions[0].options.
const (
	ReasonCount     Reason = "count"     // a list has Count items, not Min to Max
	ReasonDuplicate Reason = "duplicate" // an earlier item has the value Found too
	ReasonType      Reason = "type"      // a value has the type Got instead of Want
	ReasonRepaired  Reason = "mended"    // strict mode: the repairs with the codes Found would be needed
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

// Detail has the arguments of an error. The code determines which of them are set.
type Detail struct {
	// Reason is set for CodeParseFailed, and for CodeInvalidValue.
	Reason Reason
	// Name is the parameter, element, field, tool or character with the error. For CodeTooLarge it is a parameter, or empty for the
	// whole message.
	Name string
	// Limit is the exceeded limit in bytes, for CodeTooLarge.
	Limit int
	// Min, Max and Count are set for ReasonCount.
	Min, Max, Count int
	// Found is set for ReasonDuplicate and ReasonRepaired.
	Found string
	// Want and Got are set for ReasonType.
	Want, Got ValueType
	// At is the position of the error.
	At Place
}

// Error is why a call is invalid: a code with arguments.
type Error struct {
	Code   Code
	Detail Detail
}

// Limits bounds an agent's messages. Sizes are raw bytes; 0 means the default.
type Limits struct {
	// Parameter bounds one parameter of a call; 1 MiB by default.
	Parameter int `json:"parameter,omitempty"`
	// Message bounds one message, or the arguments of a native call; 8 MiB by default.
	Message int `json:"message,omitempty"`
	// Questions bounds the questions of a questionnaire, 4 to 12; 4 by default.
	Questions int `json:"questions,omitempty"`
	// Options bounds the options of a question, 4 to 12; 4 by default.
	Options int `json:"options,omitempty"`
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

// Envelope is metadata that accompanies a question in the request, the inbox item, the history entry and the store.
type Envelope struct {
	// Context is the end of the agent's text just before the call, in Markdown, at most 16 KiB. Absent if unknown.
	Context string `json:"context,omitempty"`
	// To is the person or group to ask; only at a hub. If absent, everybody who sees the inbox.
	To string `json:"to,omitempty"`
	// InConversation means that the agent's client shows the question inside the conversation. Interfaces list it, but do not open
	// by themselves for it.
	InConversation bool `json:"inConversation,omitempty"`
	// NoCancel means that the agent may stop waiting without reporting it, such as after Esc in its own dialog. Interfaces show that
	// to the user.
	NoCancel bool `json:"noCancel,omitempty"`
	// Beside means that the agent's own dialog is open at the same time. The first answer counts, and the agent decides which one that is.
	Beside bool `json:"beside,omitempty"`
	// PreviousPlan is the text of the session's previous plan, if the call is a plan. Only the sidecar sets it.
	PreviousPlan string `json:"previousPlan,omitempty"`
	// Expires is when the question expires, in milliseconds since 1970. Absent: never.
	Expires int64 `json:"expires,omitempty"`
}

// Call is a complete tool call.
type Call struct {
	Envelope
	// Tool is the name of the tool.
	Tool string
	// Followup is the payload of a valid ask_followup_question call; nil otherwise.
	Followup *Followup
	// Questionnaire is the payload of a valid AskUserQuestion call; nil otherwise.
	Questionnaire *Questionnaire
	// Approval is the payload of a valid request for permission; nil otherwise.
	Approval *Approval
	// Err is why the call is invalid; nil if it is valid.
	Err *Error
	// Repairs and Notices are sorted, without duplicates, and never nil on a valid call.
	Repairs, Notices []Code
	// Ordinal is the position among the calls in tags of a message, from 1; 0 for any other call.
	Ordinal int `json:",omitempty"`
}

// Asks reports whether the call is a valid question or a valid request for permission.
func (c *Call) Asks() bool { return c.Followup != nil || c.Questionnaire != nil || c.Approval != nil }

// Texts returns all texts of a payload that people read. At most one of its forms is not nil.
func Texts(f *Followup, q *Questionnaire, a *Approval) (all []*string) {
	if f != nil {
		all = append(make([]*string, 0, 1+len(f.Suggest)), &f.Question)
		for i := range f.Suggest {
			all = append(all, &f.Suggest[i].Answer)
		}
	}
	if q != nil {
		for i := range q.Questions {
			asked := &q.Questions[i]
			all = append(all, &asked.Question, &asked.Header)
			for j := range asked.Options {
				o := &asked.Options[j]
				all = append(all, &o.Label, &o.Description, &o.Preview)
			}
		}
	}
	if a != nil {
		s := &a.Subject
		all = append(all, &a.Title, &s.Text, &s.Folder, &s.Path, &s.Before, &s.After, &s.Name, &s.OtherArguments, &a.Reason)
		for i := range a.Options {
			all = append(all, &a.Options[i].Label)
		}
	}
	return all
}

// Texts returns all texts of the call that people read.
func (c *Call) Texts() []*string { return Texts(c.Followup, c.Questionnaire, c.Approval) }

// Size returns approximately how many bytes the call keeps, including those that nobody reads.
func (c *Call) Size() int {
	size := len(c.Context) + len(c.PreviousPlan)
	for _, text := range c.Texts() {
		size += len(*text)
	}
	if c.Followup != nil {
		for _, s := range c.Followup.Suggest {
			size += len(s.Mode)
		}
	}
	if c.Questionnaire != nil {
		size += len(c.Questionnaire.Metadata)
	}
	if c.Approval != nil {
		for _, o := range c.Approval.Options {
			size += len(o.ID)
		}
	}
	return size
}
