package protocol

import "followup/internal/question"

// Parts of messages that package question declares.
type (
	Annotation    = question.Annotation
	Approval      = question.Approval
	Choice        = question.Choice
	ChoiceKind    = question.ChoiceKind
	Envelope      = question.Envelope
	Followup      = question.Followup
	HiddenCalls   = question.Hidden
	HistoryKind   = question.Kind
	ItemOutcome   = question.ItemOutcome
	Limits        = question.Limits
	Option        = question.Option
	Outcome       = question.Outcome
	Pick          = question.Pick
	Provenance    = question.Provenance
	Question      = question.Question
	Questionnaire = question.Questionnaire
	Subject       = question.Subject
	SubjectKind   = question.SubjectKind
	Suggestion    = question.Suggestion
)

// Their values.
const (
	ChoiceOnce    = question.ChoiceOnce
	ChoiceSession = question.ChoiceSession
	ChoiceAlways  = question.ChoiceAlways
	ChoiceDeny    = question.ChoiceDeny

	KindQuestion = question.KindQuestion
	KindApproval = question.KindApproval
	KindPlan     = question.KindPlan
	KindGuidance = question.KindGuidance

	OutcomeAnswered     = question.Answered
	OutcomeDismissed    = question.Dismissed
	OutcomeReplied      = question.Replied
	OutcomeAllowed      = question.Allowed
	OutcomeDenied       = question.Denied
	OutcomeWithdrawn    = question.Withdrawn
	OutcomeExpired      = question.Expired
	OutcomeDisconnected = question.Disconnected
	OutcomeNotShown     = question.NotShown
	OutcomeInvalid      = question.Invalid

	ProvenanceClicked = question.Clicked
	ProvenanceChosen  = question.Chosen
	ProvenanceEdited  = question.Edited
	ProvenanceTyped   = question.Typed
	ProvenanceTimer   = question.Timer

	SubjectCommand = question.SubjectCommand
	SubjectEdit    = question.SubjectEdit
	SubjectFetch   = question.SubjectFetch
	SubjectTool    = question.SubjectTool
	SubjectPlan    = question.SubjectPlan
	SubjectUnshown = question.SubjectUnshown
)

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

// Texts returns all texts of a payload that people read.
func (p Payload) Texts() []*string { return question.Texts(p.Followup, p.Questionnaire, p.Approval) }

// Rendered is the parsed Markdown of a payload and its context: as nodes, and as plain text without marks and addresses for titles,
// notifications and screen readers. If nodes are absent, the text is too long or has no Markdown: show the text itself. If a plain
// text is absent, it equals the text.
type Rendered struct {
	// Question is the question of ask_followup_question.
	Question      []MarkdownNode `json:"question,omitempty"`
	PlainQuestion string         `json:"plainQuestion,omitempty"`
	// Questions are those of AskUserQuestion, in order.
	Questions []RenderedQuestion `json:"questions,omitempty"`
	// Subject is what an approval would allow: the Markdown of a plan, or the exact characters of anything else. Characters that are invisible,
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
	// Options are in the order of the question's.
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
