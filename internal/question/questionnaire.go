package question

import "encoding/json"

// Questionnaire is the standard form of an AskUserQuestion call (seed 003): one to four questions that are answered
// together. Its JSON is {"questions": [{"question", "header", "options": [{"label", "description", "preview"?}], "multiSelect"}]}.
type Questionnaire struct {
	// Questions are in the agent's order; never nil in a valid call.
	Questions []Question `json:"questions"`
	// Metadata is what the agent attached for its own tracking, as it was; nil when there was none. It is kept with the record
	// and not shown to anybody.
	Metadata json.RawMessage `json:"-"`
}

// Question is one question with options.
type Question struct {
	// Question is the question's text, trimmed at both ends; unique within a questionnaire.
	Question string `json:"question"`
	// Header is a short label for a chip; may be empty.
	Header string `json:"header"`
	// Options are what is offered, two to four.
	Options []Option `json:"options"`
	// MultiSelect tells that several options may be chosen.
	MultiSelect bool `json:"multiSelect"`
}

// Option is one option of a question.
type Option struct {
	// Label is what is chosen and handed back; unique within its question.
	Label string `json:"label"`
	// Description tells what choosing it means; may be empty.
	Description string `json:"description"`
	// Preview is Markdown to compare the options by eye, its white space kept; empty when there is none.
	Preview string `json:"preview,omitempty"`
}

// Limits of a questionnaire (seed 003).
const (
	// MaxQuestions is how many questions a call may hold.
	MaxQuestions = 4
	// MinOptions and MaxOptions bound the options of a question.
	MinOptions = 2
	MaxOptions = 4
	// MaxRaised is how many questions, and options of one, a session may allow at most.
	MaxRaised = 12
)

// Limits that the agent is advised to keep (seed 003).
const (
	// MaxHeader is how many characters a header has.
	MaxHeader = 12
	// MaxLabelWords is how many words a label has.
	MaxLabelWords = 5
)
