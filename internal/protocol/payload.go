package protocol

// Payload is what a call asks: one of the standard forms, by the call's tool. On the wire it is that form itself.
type Payload struct {
	// Followup is the form of ask_followup_question, and of a request for guidance.
	*Followup
	// Questionnaire is the form of AskUserQuestion.
	*Questionnaire
}

// Followup is an ask_followup_question call in the standard form of the interface (seeds 000, 001, 002 and 004).
type Followup struct {
	Question string       `json:"question"`
	Suggest  []Suggestion `json:"suggest"`
}

// Suggestion is one suggested answer.
type Suggestion struct {
	Answer string `json:"answer"`
	// Mode is the agent's mode to switch to with this answer.
	Mode string `json:"mode,omitempty"`
}

// Questionnaire is an AskUserQuestion call in its standard form (seed 003).
type Questionnaire struct {
	// Questions are one to four.
	Questions []Question `json:"questions"`
}

// Question is one question of a questionnaire.
type Question struct {
	// Question is the text, unique within the questionnaire.
	Question string `json:"question"`
	// Header is a short label; may be empty.
	Header string `json:"header"`
	// Options are two to four.
	Options []Option `json:"options"`
	// MultiSelect tells that several options may be chosen.
	MultiSelect bool `json:"multiSelect"`
}

// Option is one option of a question.
type Option struct {
	// Label is what is chosen; unique within the question.
	Label string `json:"label"`
	// Description tells what choosing it means; may be empty.
	Description string `json:"description"`
	// Preview is Markdown to compare the options by eye; absent when there is none.
	Preview string `json:"preview,omitempty"`
}

// Rendered is the Markdown of a payload and of its context, read: as nodes, and as plain text for titles, notices and screen
// readers, without marks and addresses. If nodes are absent, the text is too long or has no Markdown: show the text itself.
// If a plain text is absent, it equals the text.
type Rendered struct {
	// Question is the question's text of a Followup.
	Question      []MarkdownNode `json:"question,omitempty"`
	PlainQuestion string         `json:"plainQuestion,omitempty"`
	// Questions stand in the order of a Questionnaire's.
	Questions []RenderedQuestion `json:"questions,omitempty"`
	// Context is an item's.
	Context      []MarkdownNode `json:"context,omitempty"`
	PlainContext string         `json:"plainContext,omitempty"`
}

// RenderedQuestion is the Markdown of one question of a questionnaire.
type RenderedQuestion struct {
	// Question is the question's text.
	Question      []MarkdownNode `json:"question,omitempty"`
	PlainQuestion string         `json:"plainQuestion,omitempty"`
	// Options stand in the order of the question's.
	Options []RenderedOption `json:"options"`
}

// RenderedOption is the Markdown of one option.
type RenderedOption struct {
	// Description is the option's description.
	Description      []MarkdownNode `json:"description,omitempty"`
	PlainDescription string         `json:"plainDescription,omitempty"`
	// Preview is the option's preview.
	Preview      []MarkdownNode `json:"preview,omitempty"`
	PlainPreview string         `json:"plainPreview,omitempty"`
}
