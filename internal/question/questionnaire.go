package question

import "encoding/json"

// Questionnaire is an AskUserQuestion call in its standard form.
type Questionnaire struct {
	// Questions are one to four questions that are answered together.
	Questions []Question `json:"questions"`
	// Metadata is the agent's own data, unchanged; nil if there is none. It is saved and never shown.
	Metadata json.RawMessage `json:"-"`
}

// Question is one question of a questionnaire.
type Question struct {
	// Question is the text, trimmed; unique within the questionnaire.
	Question string `json:"question"`
	// Header is a short label. It may be empty.
	Header string `json:"header"`
	// Options are two to four options.
	Options []Option `json:"options"`
	// MultiSelect means that several options may be chosen.
	MultiSelect bool `json:"multiSelect"`
}

// Option is one option of a question.
type Option struct {
	// Label is the option's text, which is also the answer; unique within its question.
	Label string `json:"label"`
	// Description explains the option. It may be empty.
	Description string `json:"description"`
	// Preview is Markdown for a visual comparison of the options, with its white space; absent if the option has no preview.
	Preview string `json:"preview,omitempty"`
}

// Limits of a questionnaire.
const (
	// MaxQuestions is the maximum number of questions in a call.
	MaxQuestions = 4
	// MinOptions and MaxOptions bound the options of a question.
	MinOptions = 2
	MaxOptions = 4
	// MaxRaised is the maximum that a session may allow for questions, and for options of one.
	MaxRaised = 12
)

// Recommended limits for agents.
const (
	// MaxHeader is the maximum length of a header in characters.
	MaxHeader = 12
	// MaxLabelWords is the maximum number of words in a label.
	MaxLabelWords = 5
)
