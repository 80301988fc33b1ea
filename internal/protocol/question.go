package protocol

import (
	"encoding/json"
	"strings"
)

// The agent's side of a question, and the user's.
var (
	// QuestionAsk asks a question by a whole call and is answered when the user has answered. Asking again with a known id
	// waits for that question, in whichever process it was asked. Cancelling it withdraws the question. With the input
	// {"await": id} it waits for the question of that id, which the same agent has asked, and asks none.
	QuestionAsk = Request[AskParams, Answer]{"question/ask"}
	// QuestionAwait waits for a question that was asked before. Cancelling it ends the waiting only.
	QuestionAwait = Request[QuestionParams, Answer]{"question/await"}
	// QuestionWithdraw takes back a question; whoever waits for it gets CodeCancelled.
	QuestionWithdraw = Request[WithdrawParams, CloseResult]{"question/withdraw"}
	// QuestionAnswer answers a pending question. It is idempotent: a question that has an outcome keeps it.
	QuestionAnswer = Request[AnswerParams, CloseResult]{"question/answer"}
	// QuestionReply tells the agent something about a questionnaire instead of answering it; the picks made so far go along.
	// It is idempotent like QuestionAnswer.
	QuestionReply = Request[ReplyParams, CloseResult]{"question/reply"}
	// QuestionDecide allows or denies what a pending approval asks for. Nothing else does. It is idempotent like QuestionAnswer.
	QuestionDecide = Request[DecideParams, CloseResult]{"question/decide"}
	// QuestionDismiss declines to answer. An approval is left to the agent's own dialog.
	QuestionDismiss = Request[QuestionParams, CloseResult]{"question/dismiss"}
)

// Envelope is what travels with a question, from the ask to the inbox item, the history entry and the store.
type Envelope struct {
	// Context is the end of what the agent wrote just before the call, in Markdown, at most 16 KiB. Absent if unknown.
	Context string `json:"context,omitempty"`
	// To is the person, or the group of people, that the question is for; only at a hub. Absent: everybody who sees the inbox.
	To string `json:"to,omitempty"`
	// InConversation reports that the agent's client shows the question inside the conversation itself. Interfaces list it as any other,
	// but do not open by themselves for it.
	InConversation bool `json:"inConversation,omitempty"`
	// NoCancel reports that the agent may stop waiting without saying so, such as after Esc in its own dialog. Interfaces tell the user.
	NoCancel bool `json:"noCancel,omitempty"`
	// PreviousPlan is the text of the session's plan before this one, if the call is a plan. Only the sidecar sets it.
	PreviousPlan string `json:"previousPlan,omitempty"`
	// Expires is when the question is withdrawn, in milliseconds since 1970. Absent: never.
	Expires int64 `json:"expires,omitempty"`
}

// AskParams is a whole call.
type AskParams struct {
	Envelope
	Session string `json:"session"`
	// QuestionID is the caller's: a UUID of version 7.
	QuestionID string `json:"questionId"`
	// Tool is the tool's name, such as ask_followup_question.
	Tool string `json:"tool"`
	// Input is the call's arguments as the model wrote them: an object, or a string that holds one. It is read whole and
	// never rejected before that; what is wrong with it is told in the answer.
	Input json.RawMessage `json:"input"`
	// Deadline is after how many milliseconds the caller gets the outcome waiting in place of an answer; the question stays
	// open. Absent or 0: the caller waits for good.
	Deadline int `json:"deadline,omitempty"`
	// Rejoin reports that the agent cannot name its session the same way after a restart. If no agent waits for a question of another session
	// with the same agent, folders, tool and content, and nobody has collected its answer, that one is meant: the answer names it. With an
	// input that awaits a question, its answer counts as collected, whatever session asked it.
	Rejoin bool `json:"rejoin,omitempty"`
	// Callback is where the outcome is sent. It is kept until it was delivered. PrivateCallback permits an address of this machine or a
	// private network; at a hub, its administrator decides.
	Callback        *Callback `json:"callback,omitempty"`
	PrivateCallback bool      `json:"privateCallback,omitempty"`
}

// Callback is an address that is called when a question has its outcome, with the message CallbackEvent.
type Callback struct {
	// URL is the address: https, unless private addresses are permitted.
	URL string `json:"url"`
	// Secret signs the message by Standard Webhooks: whsec_ and the base64 of 24 to 64 bytes. Absent: it is not signed.
	Secret string `json:"secret,omitempty"`
}

// QuestionParams names a question.
type QuestionParams struct {
	QuestionID string `json:"questionId"`
}

// WithdrawParams names a question that is not needed any more.
type WithdrawParams struct {
	QuestionID string `json:"questionId"`
	// Elsewhere tells that the user has seen to it in the agent's own dialog. Text, or the Picks of a questionnaire, are what they
	// answered there, where that is known.
	Elsewhere bool   `json:"elsewhere,omitempty"`
	Text      string `json:"text,omitempty"`
	Picks     []Pick `json:"picks,omitempty"`
}

// Outcome is how a question ended.
type Outcome string

// The outcomes. Invalid is that of a call which was never a question.
const (
	OutcomeAnswered  Outcome = "answered"
	OutcomeDismissed Outcome = "dismissed"
	OutcomeReplied   Outcome = "replied"
	OutcomeAllowed   Outcome = "allowed"
	OutcomeDenied    Outcome = "denied"
	OutcomeWithdrawn Outcome = "withdrawn"
	OutcomeNotShown  Outcome = "notShown"
	OutcomeInvalid   Outcome = "invalid"
)

// AnswerOutcome is what an agent is told: how the question ended, or that it has not yet.
type AnswerOutcome = Outcome

// OutcomeWaiting is none yet: the caller's deadline has passed, the question is open, and the answer can be collected later.
const OutcomeWaiting AnswerOutcome = "waiting"

// Provenance is where an answer came from.
type Provenance string

// The provenances.
const (
	// ProvenanceClicked is a suggestion as it stood.
	ProvenanceClicked Provenance = "clicked"
	// ProvenanceChosen is a suggestion as it stood, with the user's words beside it.
	ProvenanceChosen Provenance = "chosen"
	// ProvenanceEdited is a suggestion that the user changed before sending.
	ProvenanceEdited Provenance = "edited"
	// ProvenanceTyped is the user's own words.
	ProvenanceTyped Provenance = "typed"
	// ProvenanceTimer is a choice that a timer made; only where the user turned that on.
	ProvenanceTimer Provenance = "timer"
)

// Answer is what the agent is given.
type Answer struct {
	QuestionID string        `json:"questionId"`
	Outcome    AnswerOutcome `json:"outcome"`
	// Provenance stands with outcome answered.
	Provenance Provenance `json:"provenance,omitempty"`
	// Text is the first text part for the agent, for every outcome and error. Behind an error stands the user's guidance, in
	// answer tags, if it was given.
	Text string `json:"text"`
	// Option is the id of the option of an approval that the user chose, and Changed the command that they allow in place of the
	// agent's. Text is then the user's words, and of a denial a sentence with them.
	Option  string `json:"option,omitempty"`
	Changed string `json:"changed,omitempty"`
	// Quoted is the end of Text that tells what the user added from the editor, for who gives an agent the rest in another form.
	Quoted string `json:"quoted,omitempty"`
	// Images are parts of their own, behind the first text part.
	Images []Image `json:"images"`
	// Structured is what there is to say beyond text and images. Where it is present, the agent gets it as a further
	// text part that holds this object as JSON; where it is absent, there is no such part.
	Structured *Structured `json:"structured,omitempty"`
	// Error tells why a call was invalid.
	Error *CallError `json:"error,omitempty"`
}

// Plain is the answer as one text that stands alone: the text, and what else there is to say but for images.
func (a Answer) Plain() string {
	if a.Structured == nil {
		return a.Text
	}
	more := *a.Structured
	more.Questions = nil // the agent knows what it has asked
	var told strings.Builder
	encoder := json.NewEncoder(&told)
	encoder.SetEscapeHTML(false) // a model reads it, not a browser
	if err := encoder.Encode(more); err == nil && told.String() != "{}\n" {
		return a.Text + "\n\n" + strings.TrimSuffix(told.String(), "\n")
	}
	return a.Text
}

// Structured is what an answer holds beyond text and images.
type Structured struct {
	// Mode is the mode that the chosen suggestion asks to switch to.
	Mode string `json:"mode,omitempty"`
	// Provenance is given where the text is not simply a suggestion or the user's own words: chosen, edited, timer.
	Provenance Provenance `json:"provenance,omitempty"`
	// Suggestion is the suggestion that was chosen, or that an edited answer came from.
	Suggestion string `json:"suggestion,omitempty"`
	// Note is the user's words beside the chosen suggestion. The text holds both, with an empty line between them.
	Note string `json:"note,omitempty"`
	// Repairs are codes of what was mended in the call.
	Repairs []string `json:"repairs,omitempty"`
	// Notices are codes of advice about the call.
	Notices []string `json:"notices,omitempty"`
	// Locations are the places of what the user added from the editor; Text quotes what stands there.
	Locations []Location `json:"locations,omitempty"`
	// Questions, Answers and Annotations stand with every answer to a questionnaire, and with a reply to one.
	Questions []Question `json:"questions,omitempty"`
	// Answers holds, by question text, the chosen label, the user's own words, or, where several may be chosen, the list
	// of them. A question that was left out is not in it.
	Answers map[string]any `json:"answers,omitzero"`
	// Annotations holds, by question text, what belongs to its answer.
	Annotations map[string]Annotation `json:"annotations,omitzero"`
}

// Annotation is what belongs to the answer to one question of a questionnaire.
type Annotation struct {
	// Notes are the user's words beside the choice.
	Notes string `json:"notes,omitempty"`
	// Preview is the chosen option's, as the agent wrote it.
	Preview string `json:"preview,omitempty"`
	// Skipped reports that the user left the question out.
	Skipped bool `json:"skipped,omitempty"`
}

// Image is an image of the user's.
type Image struct {
	// MimeType is image/png, image/jpeg, image/gif or image/webp.
	MimeType string `json:"mimeType"`
	// Data is base64 without a data: prefix; at most 2 MiB when decoded.
	Data string `json:"data"`
}

// Quote is what the user added to an answer from the editor: a place, what stands there, or a text from elsewhere in it.
type Quote struct {
	// Label is what it is called, to the user and to the agent: the path in the workspace, with lines where there are some, as
	// src/main.go:3-5, or a terminal's name.
	Label string `json:"label"`
	// Location is where it stands; absent of what stands in no document. A whole file has an empty range.
	Location *Location `json:"location,omitempty"`
	// Text is what stands there; absent where the place is all.
	Text string `json:"text,omitempty"`
}

// CallError tells why a call was invalid.
type CallError struct {
	// Code is one of those in section "Errors" of docs/protocol.md.
	Code string `json:"code"`
	// Message is the text for the agent, in the session's language.
	Message string `json:"message"`
	// Found follows the message in what the agent is told: what is wrong, quoted, and where it stands. Absent where that is in
	// the message, or not known.
	Found string `json:"found,omitempty"`
}

// ErrorUnknownQuestion is the code of an answer to an agent that waits for a question which it has not asked. It is no mistake in a call.
const ErrorUnknownQuestion = "unknown_question"

// AnswerParams is a user's answer.
type AnswerParams struct {
	QuestionID string     `json:"questionId"`
	Provenance Provenance `json:"provenance"`
	// Suggestion is the index of the suggestion that was clicked, or that the edited text came from. A clicked answer's
	// text and mode are the sidecar's own record of that suggestion.
	Suggestion *int `json:"suggestion,omitempty"`
	// Text is the user's words exactly as they are; not blank unless there is an image. With a clicked suggestion it is what goes
	// beside it, and the answer becomes a chosen one.
	Text string `json:"text,omitempty"`
	// Mode goes with an edited suggestion, unless the user took it off.
	Mode string `json:"mode,omitempty"`
	// Images are at most 8.
	Images []Image `json:"images,omitempty"`
	// Quotes are what the user added from the editor; at most 20.
	Quotes []Quote `json:"quotes,omitempty"`
	// Picks answer a questionnaire, one for each question in order. Provenance, Suggestion, Text and Mode are not read then;
	// the sidecar finds the provenance itself.
	Picks []Pick `json:"picks,omitempty"`
}

// Pick is what the user chose for one question of a questionnaire. Neither options nor own words: the question is left out.
type Pick struct {
	// Options are the indexes of the chosen options, in the order of the options; at most one unless several may be chosen.
	Options []int `json:"options,omitempty"`
	// Other is the user's own words in place of an option, or, where several may be chosen, beside them.
	Other string `json:"other,omitempty"`
	// Notes are the user's words beside the choice.
	Notes string `json:"notes,omitempty"`
}

// DecideParams is a user's decision on an approval.
type DecideParams struct {
	QuestionID string `json:"questionId"`
	// Option is the id of the option that the user chose.
	Option string `json:"option"`
	// Digest names what the user was shown: the SHA-256, in hexadecimal digits, of netstrings of the subject's kind, text, cwd, path,
	// before, after, name and rest, and of the option's id, kind and label. To allow anything, it must match the sidecar's own. A denial
	// needs none.
	Digest string `json:"digest,omitempty"`
	// Text is the user's words exactly as they are.
	Text string `json:"text,omitempty"`
	// Changed is the command as the user changed it. Only a Changeable approval takes it, with an option of the kind once.
	Changed string `json:"changed,omitempty"`
}

// ReplyParams is what the user writes about a questionnaire instead of answering it.
type ReplyParams struct {
	QuestionID string `json:"questionId"`
	// Text is the user's words exactly as they are; not blank unless there is an image.
	Text string `json:"text"`
	// Picks are those made so far, one for each question in order; empty when there are none.
	Picks []Pick `json:"picks,omitempty"`
	// Images are at most 8.
	Images []Image `json:"images,omitempty"`
	// Quotes are what the user added from the editor; at most 20.
	Quotes []Quote `json:"quotes,omitempty"`
}

// CloseResult tells whether an answer, a dismissal or a withdrawal was taken.
type CloseResult struct {
	// Accepted is false where the question had another outcome already, or another person's; nothing was changed then.
	Accepted bool `json:"accepted"`
	// Outcome is the question's outcome now.
	Outcome ItemOutcome `json:"outcome"`
}
