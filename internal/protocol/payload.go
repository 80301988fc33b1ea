package protocol

// Payload is the content of a call: the standard form of its tool. On the wire it is that form itself.
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

// Texts returns the texts of a subject, which the user decides on.
func (s *Subject) Texts() []*string {
	return []*string{&s.Text, &s.Folder, &s.Path, &s.Before, &s.After, &s.Name, &s.OtherArguments}
}

// Followup is an ask_followup_question call in the standard form of the interface (seeds 000, 001, 002 and 004).
type Followup struct {
	Question string       `json:"question"`
	Suggest  []Suggestion `json:"suggest"`
}

// Suggestion is one suggested answer.
type Suggestion struct {
	Answer string `json:"answer"`
	// Mode is the mode that the agent switches to with this answer.
	Mode string `json:"mode,omitempty"`
}

// Questionnaire is an AskUserQuestion call in its standard form (seed 003).
type Questionnaire struct {
	// Questions are one to four questions.
	Questions []Question `json:"questions"`
}

// Question is one question of a questionnaire.
type Question struct {
	// Question is the text, unique within the questionnaire.
	Question string `json:"question"`
	// Header is a short label. It may be empty.
	Header string `json:"header"`
	// Options are two to four options.
	Options []Option `json:"options"`
	// MultiSelect reports that several options may be chosen.
	MultiSelect bool `json:"multiSelect"`
}

// Option is one option of a question.
type Option struct {
	// Label is the option's text; unique within the question.
	Label string `json:"label"`
	// Description explains the option. It may be empty.
	Description string `json:"description"`
	// Preview is Markdown for a visual comparison of the options; absent if the option has no preview.
	Preview string `json:"preview,omitempty"`
}

// Approval is an agent's request for permission to do one thing. Only the user decides, with question/decide.
type Approval struct {
	// Title is the agent's name for it, such as the name of its tool.
	Title   string  `json:"title"`
	Subject Subject `json:"subject"`
	// Options are the choices that the agent offers. At least one denies, and at least one allows.
	Options []Choice `json:"options"`
	// Reason is the agent's reason, in its own words.
	Reason string `json:"reason,omitempty"`
	// Changeable means that the user may edit the command before allowing it. The agent runs the edited command.
	Changeable bool `json:"changeable,omitempty"`
}

// Subject is all that an approval would allow.
type Subject struct {
	Kind SubjectKind `json:"kind"`
	// Text is the command, the URL, the tool's input as JSON, the plan's Markdown, or, if the agent does not send an edit's two
	// texts, a unified diff.
	Text string `json:"text,omitempty"`
	// Folder is the working folder of a command.
	Folder string `json:"cwd,omitempty"`
	// Path is the file that an edit changes; Before and After are its texts.
	Path   string `json:"path,omitempty"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Name is the tool's name.
	Name string `json:"name,omitempty"`
	// OtherArguments is the call's other arguments, as JSON.
	OtherArguments string `json:"otherArguments,omitempty"`
}

// SubjectKind is the kind of a subject.
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
	// Label describes what the option allows beyond this call; absent if the kind describes it.
	Label string     `json:"label,omitempty"`
	Kind  ChoiceKind `json:"kind"`
}

// ChoiceKind is the effect of an option.
type ChoiceKind string

// The kinds of options. The agent itself remembers permissions that last longer than one call.
const (
	ChoiceOnce    ChoiceKind = "once"
	ChoiceSession ChoiceKind = "session"
	ChoiceAlways  ChoiceKind = "always"
	ChoiceDeny    ChoiceKind = "deny"
)

// Rendered is the parsed Markdown of a payload and its context: as nodes, and as plain text without marks and addresses for titles,
// notifications and screen readers. If nodes are absent, the text is too long or has no Markdown: show the text itself. If a plain
// text is absent, it equals the text.
type Rendered struct {
	// Question is the text of a Followup.
	Question      []MarkdownNode `json:"question,omitempty"`
	PlainQuestion string         `json:"plainQuestion,omitempty"`
	// Questions have the order of the Questionnaire's.
	Questions []RenderedQuestion `json:"questions,omitempty"`
	// Subject is an Approval's: the Markdown of a plan, or the exact characters of anything else. Characters that are invisible,
	// change the direction of text or look like others are nodes of the kinds control and confusable. The same applies to Folder,
	// Path, Name and OtherArguments.
	Subject []MarkdownNode `json:"subject,omitempty"`
	// Changes are the nodes of a plan and of the session's previous plan. Blocks that only one of them has are in nodes of the kinds
	// inserted and removed. Absent if both are the same, or there is no previous plan.
	Changes        []MarkdownNode `json:"changes,omitempty"`
	Folder         []MarkdownNode `json:"cwd,omitempty"`
	Path           []MarkdownNode `json:"path,omitempty"`
	Name           []MarkdownNode `json:"name,omitempty"`
	OtherArguments []MarkdownNode `json:"otherArguments,omitempty"`
	// Context is the item's context.
	Context      []MarkdownNode `json:"context,omitempty"`
	PlainContext string         `json:"plainContext,omitempty"`
}

// RenderedQuestion is the Markdown of one question of a questionnaire.
type RenderedQuestion struct {
	// Question is the question's text.
	Question      []MarkdownNode `json:"question,omitempty"`
	PlainQuestion string         `json:"plainQuestion,omitempty"`
	// Options have the order of the question's.
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
