package protocol

// Payload is what a call asks: one of the standard forms, by the call's tool. On the wire it is that form itself.
type Payload struct {
	// Followup is the form of ask_followup_question, and of a request for guidance.
	*Followup
	// Questionnaire is the form of AskUserQuestion.
	*Questionnaire
	// Approval is a request for permission.
	*Approval
}

// Ask returns the name of the payload's form.
func (p Payload) Ask() Ask {
	switch {
	case p.Questionnaire != nil:
		return AskQuestions
	case p.Approval != nil:
		return AskApproval
	}
	return AskFollowup
}

// Texts returns the texts of a subject, which are what a user decides on.
func (s *Subject) Texts() []*string {
	return []*string{&s.Text, &s.Folder, &s.Path, &s.Before, &s.After, &s.Name, &s.Rest}
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
	// MultiSelect reports that several options may be chosen.
	MultiSelect bool `json:"multiSelect"`
}

// Option is one option of a question.
type Option struct {
	// Label is what is chosen; unique within the question.
	Label string `json:"label"`
	// Description says what choosing it means; may be empty.
	Description string `json:"description"`
	// Preview is Markdown to compare the options by eye; absent when there is none.
	Preview string `json:"preview,omitempty"`
}

// Approval is an agent's request to be allowed to do one thing. The user decides with question/decide, and nothing decides for them.
type Approval struct {
	// Title is what the agent calls the thing, such as the name of its tool.
	Title   string  `json:"title"`
	Subject Subject `json:"subject"`
	// Options are what the agent lets the user choose. At least one denies, and at least one allows.
	Options []Choice `json:"options"`
	// Reason is why the agent wants it, in its own words.
	Reason string `json:"reason,omitempty"`
	// Changeable reports that the user may change the command and allow that. The changed command is what the agent runs.
	Changeable bool `json:"changeable,omitempty"`
}

// Subject is what an approval would allow, whole.
type Subject struct {
	Kind SubjectKind `json:"kind"`
	// Text is the command, the URL, the tool's input as JSON, the plan's Markdown, or, if the agent does not give an edit's two texts,
	// a unified diff.
	Text string `json:"text,omitempty"`
	// Folder is the folder that a command runs in.
	Folder string `json:"cwd,omitempty"`
	// Path is the file that an edit changes, Before and After the texts.
	Path   string `json:"path,omitempty"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Name is the tool's name.
	Name string `json:"name,omitempty"`
	// Rest is the call's other arguments, as JSON.
	Rest string `json:"rest,omitempty"`
}

// SubjectKind is what an approval is about.
type SubjectKind string

// The kinds of subjects.
const (
	SubjectCommand SubjectKind = "command"
	SubjectEdit    SubjectKind = "edit"
	SubjectFetch   SubjectKind = "fetch"
	SubjectTool    SubjectKind = "tool"
	SubjectPlan    SubjectKind = "plan"
)

// Choice is one option of an approval.
type Choice struct {
	ID string `json:"id"`
	// Label says what the option allows beyond this call, in words; absent where the kind says it all.
	Label string     `json:"label,omitempty"`
	Kind  ChoiceKind `json:"kind"`
}

// ChoiceKind is what an option does.
type ChoiceKind string

// The kinds of options. The agent itself remembers what is allowed for longer than once.
const (
	ChoiceOnce    ChoiceKind = "once"
	ChoiceSession ChoiceKind = "session"
	ChoiceAlways  ChoiceKind = "always"
	ChoiceDeny    ChoiceKind = "deny"
)

// Rendered is the Markdown of a payload and of its context, read: as nodes, and as plain text for titles, notices and screen
// readers, without marks and addresses. If nodes are absent, the text is too long or has no Markdown: show the text itself.
// If a plain text is absent, it equals the text.
type Rendered struct {
	// Question is the question's text of a Followup.
	Question      []MarkdownNode `json:"question,omitempty"`
	PlainQuestion string         `json:"plainQuestion,omitempty"`
	// Questions stand in the order of a Questionnaire's.
	Questions []RenderedQuestion `json:"questions,omitempty"`
	// Subject is an Approval's: of a plan its Markdown, of anything else the exact characters. Those that hide, turn the text around them
	// or look like others are nodes of the kinds control and confusable. Folder, Path, Name and Rest are likewise.
	Subject []MarkdownNode `json:"subject,omitempty"`
	// Changes are the nodes of a plan and of the session's plan before it. Blocks that only one of them has are in nodes of the kinds inserted
	// and removed. Absent if both are the same, or there is no other.
	Changes []MarkdownNode `json:"changes,omitempty"`
	Folder  []MarkdownNode `json:"cwd,omitempty"`
	Path    []MarkdownNode `json:"path,omitempty"`
	Name    []MarkdownNode `json:"name,omitempty"`
	Rest    []MarkdownNode `json:"rest,omitempty"`
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
