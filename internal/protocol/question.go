package protocol

import (
	"encoding/json"
	"strings"
)

// Methods for the agent's side of a question, and for the user's side.
var (
	// QuestionAsk asks a question by a complete call and returns the answer. A request with a known id waits for that
	// question, in whichever process it was asked. Cancelling it withdraws the question. With the input {"await": id} it waits for
	// an earlier question of the same agent and asks nothing.
	QuestionAsk = Request[AskParams, Answer]{"question/ask"}
	// QuestionAwait waits for an earlier question. Cancelling it only ends the wait.
	QuestionAwait = Request[QuestionParams, Answer]{"question/await"}
	// QuestionWithdraw takes a question back. If its outcome is withdrawn, requests that wait for it fail with CodeCancelled.
	QuestionWithdraw = Request[WithdrawParams, CloseResult]{"question/withdraw"}
	// QuestionList returns a page of an asker's questions, newest first: those of the account at a hub, otherwise those of the sessions
	// with a prefix of keys. Nothing counts as collected.
	QuestionList = Request[QuestionListParams, QuestionListResult]{"question/list"}
	// QuestionAnswer answers a pending question. It is idempotent: the first outcome stays.
	QuestionAnswer = Request[AnswerParams, CloseResult]{"question/answer"}
	// QuestionReply sends the agent a message about a questionnaire instead of answers, with the choices made so far. It is
	// idempotent like QuestionAnswer.
	QuestionReply = Request[ReplyParams, CloseResult]{"question/reply"}
	// QuestionDecide allows or denies a pending approval. Nothing else does. It is idempotent like QuestionAnswer.
	QuestionDecide = Request[DecideParams, CloseResult]{"question/decide"}
	// QuestionConfirm records which decision on an approval took effect in the agent, if the agent's own dialog was open, too. It is
	// idempotent like QuestionAnswer.
	QuestionConfirm = Request[ConfirmParams, CloseResult]{"question/confirm"}
	// QuestionDismiss declines to answer. The agent shows its own dialog for an approval.
	QuestionDismiss = Request[QuestionParams, CloseResult]{"question/dismiss"}
)

// AskParams is a complete call.
type AskParams struct {
	Envelope
	Session string `json:"session"`
	// QuestionID is the caller's id: a UUID of version 7.
	QuestionID string `json:"questionId"`
	// Tool is the tool's name, such as ask_followup_question.
	Tool string `json:"tool"`
	// Input is the call's arguments as the model wrote them: an object, or a string that contains one. An invalid call is not
	// rejected; the answer describes its errors.
	Input json.RawMessage `json:"input"`
	// Deadline is how many milliseconds the caller waits before it gets the outcome waiting; the question stays open. Absent or 0
	// means no limit.
	Deadline int `json:"deadline,omitempty"`
	// Rejoin means that the agent cannot name its session the same way after a restart. If no agent waits for an uncollected
	// question of another session with the same agent, folders, tool and content, the answer names that question. With an input that
	// awaits a question, its answer counts as collected, whatever session asked it.
	Rejoin bool `json:"rejoin,omitempty"`
	// New means that the caller made the id for this request, and that neither was sent before. Only such a question is asked while the
	// store cannot be read; any other waits until the store can say whether it was asked before. A repetition must not have it.
	New bool `json:"new,omitempty"`
	// Callback receives the outcome. It is stored until it is delivered or given up.
	Callback *Callback `json:"callback,omitempty"`
	// PrivateCallback permits a callback to this machine or a private network. At a hub, its administrator decides instead.
	PrivateCallback bool `json:"privateCallback,omitempty"`
}

// Callback is an address that receives a CallbackEvent when a question is closed.
type Callback struct {
	// URL is the address: https, unless private addresses are permitted.
	URL string `json:"url"`
	// Secret signs the message as in Standard Webhooks: whsec_ and the base64 of 24 to 64 bytes. If absent, the message is not
	// signed.
	Secret string `json:"secret,omitempty"`
}

// QuestionParams names a question.
type QuestionParams struct {
	QuestionID string `json:"questionId"`
}

// WithdrawParams identify a question that is no longer needed.
type WithdrawParams struct {
	QuestionID string `json:"questionId"`
	// Outcome is why: withdrawn, expired, disconnected or notShown. If absent, withdrawn.
	Outcome Outcome `json:"outcome,omitempty"`
	// Elsewhere means that the user answered in the agent's own dialog.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Text is that answer, if known.
	Text string `json:"text,omitempty"`
	// Picks are that answer to a questionnaire, if known.
	Picks []Pick `json:"picks,omitempty"`
}

// ConfirmParams are what an agent has done with a decision.
type ConfirmParams struct {
	QuestionID string `json:"questionId"`
	// Effective is the decision that took effect: allowed or denied.
	Effective Outcome `json:"effective"`
}

// AnswerOutcome is the outcome for an agent. OutcomeWaiting means that the question is still open.
type AnswerOutcome = Outcome

// OutcomeWaiting means that the caller's deadline has passed. The question is open, and the answer can be collected later.
const OutcomeWaiting AnswerOutcome = "waiting"

// Answer is the response to the agent.
type Answer struct {
	QuestionID string        `json:"questionId"`
	Outcome    AnswerOutcome `json:"outcome"`
	// Provenance is present if the outcome is answered.
	Provenance Provenance `json:"provenance,omitempty"`
	// Text is the first text part for the agent, for every outcome and error. After an error it includes the user's guidance in
	// answer tags, if any.
	Text string `json:"text"`
	// Option is the id of the chosen option of an approval. If present, Text is the user's words; for a denial, a sentence with them.
	Option string `json:"option,omitempty"`
	// Changed is the command that the user allowed instead of the agent's.
	Changed string `json:"changed,omitempty"`
	// Quoted is the end of Text that describes quotes from the editor, for callers that send the rest of Text in another form.
	Quoted string `json:"quoted,omitempty"`
	// Images are separate parts after the first text part.
	Images []Image `json:"images"`
	// Structured is the answer beyond text and images. If present, the agent gets it as JSON in another text part.
	Structured *Structured `json:"structured,omitempty"`
	// Error is why a call was invalid.
	Error *CallError `json:"error,omitempty"`
}

// Plain returns the whole answer, except images, as one text.
func (a Answer) Plain() string {
	if a.Structured == nil {
		return a.Text
	}
	more := *a.Structured
	more.Questions = nil // the agent knows its own questions
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // a model reads it, not a browser
	if err := encoder.Encode(more); err == nil && text.String() != "{}\n" {
		return a.Text + "\n\n" + strings.TrimSuffix(text.String(), "\n")
	}
	return a.Text
}

// Structured is the part of an answer beyond text and images.
type Structured struct {
	// Mode is the mode of the chosen suggestion.
	Mode string `json:"mode,omitempty"`
	// Provenance is present if the text is not simply a suggestion or the user's own words: chosen, edited, timer.
	Provenance Provenance `json:"provenance,omitempty"`
	// Suggestion is the chosen suggestion, or the one that the user edited.
	Suggestion string `json:"suggestion,omitempty"`
	// Note is the user's words in addition to the chosen suggestion. The text has both, with an empty line between them.
	Note string `json:"note,omitempty"`
	// Repairs are codes of repairs to the call.
	Repairs []string `json:"repairs,omitempty"`
	// Notices are codes of advice about the call.
	Notices []string `json:"notices,omitempty"`
	// Locations are the places of quotes from the editor. The answer's text quotes their content.
	Locations []Location `json:"locations,omitempty"`
	// Questions are the agent's questions. Every answer or reply to a questionnaire has them, with answers and annotations.
	Questions []Question `json:"questions,omitempty"`
	// Answers maps a question's text to the chosen label, the user's own words, or a list of them if several may be chosen. It
	// omits skipped questions.
	Answers map[string]any `json:"answers,omitzero"`
	// Annotations maps a question's text to the details of its answer.
	Annotations map[string]Annotation `json:"annotations,omitzero"`
}

// Image is an image in an answer.
type Image struct {
	// MimeType is image/png, image/jpeg, image/gif or image/webp.
	MimeType string `json:"mimeType"`
	// Data is base64 without a data: prefix; at most 2 MiB decoded.
	Data string `json:"data"`
}

// Quote is what the user added to an answer from the editor: a place in a file with its text, or a text from elsewhere.
type Quote struct {
	// Label is the quote's name, for the user and the agent: the path in the workspace with the lines, if any, as in
	// src/main.go:3-5, or a terminal's name.
	Label string `json:"label"`
	// Location is the quote's place; absent outside documents. A whole file has an empty range.
	Location *Location `json:"location,omitempty"`
	// Text is the quoted text; absent if the place says it all.
	Text string `json:"text,omitempty"`
}

// CallError is why a call was invalid.
type CallError struct {
	// Code is one of the codes in section "Errors" of docs/protocol.md.
	Code string `json:"code"`
	// Message is the text for the agent, in the session's language.
	Message string `json:"message"`
	// Found is appended to the message for the agent: a quotation of the error and its position. Absent if the message has it, or it
	// is unknown.
	Found string `json:"found,omitempty"`
}

// ErrorUnknownQuestion is the code for an agent that waits for a question it has not asked. It does not count as a mistake.
const ErrorUnknownQuestion = "unknown_question"

// AnswerParams is a user's answer.
type AnswerParams struct {
	QuestionID string     `json:"questionId"`
	Provenance Provenance `json:"provenance"`
	// Suggestion is the index of the clicked suggestion, or of the one that the text was edited from. A clicked answer's text and
	// mode are the sidecar's own record of that suggestion.
	Suggestion *int `json:"suggestion,omitempty"`
	// Text is the user's exact words; not blank unless there is an image. With a clicked suggestion it is additional, and the
	// provenance becomes chosen.
	Text string `json:"text,omitempty"`
	// Mode is the mode of an edited suggestion, unless the user removed it.
	Mode string `json:"mode,omitempty"`
	// Images are at most 8 images.
	Images []Image `json:"images,omitempty"`
	// Quotes are at most 20 quotes from the editor.
	Quotes []Quote `json:"quotes,omitempty"`
	// Picks answer a questionnaire, one per question in order. If present, Provenance, Suggestion, Text and Mode are ignored; the
	// sidecar determines the provenance itself.
	Picks []Pick `json:"picks,omitempty"`
}

// DecideParams is a user's decision on an approval.
type DecideParams struct {
	QuestionID string `json:"questionId"`
	// Option is the id of the chosen option.
	Option string `json:"option"`
	// Digest identifies what the user saw: the SHA-256, in hexadecimal, of netstrings of the subject's kind, text, cwd, path,
	// before, after, name and otherArguments, and of the option's id, kind and label. To allow anything, it must match the sidecar's own. A
	// denial needs no digest.
	Digest string `json:"digest,omitempty"`
	// Text is the user's exact words.
	Text string `json:"text,omitempty"`
	// Changed is the command as the user edited it. It requires Approval.Changeable, and an option that allows once.
	Changed string `json:"changed,omitempty"`
}

// ReplyParams is a message about a questionnaire instead of answers.
type ReplyParams struct {
	QuestionID string `json:"questionId"`
	// Text is the user's exact words; not blank unless there is an image.
	Text string `json:"text"`
	// Picks are the choices so far, one per question in order; empty if there are none.
	Picks []Pick `json:"picks,omitempty"`
	// Images are at most 8 images.
	Images []Image `json:"images,omitempty"`
	// Quotes are at most 20 quotes from the editor.
	Quotes []Quote `json:"quotes,omitempty"`
}

// CloseResult is the result of an answer, a dismissal or a withdrawal.
type CloseResult struct {
	// Accepted is false if the question already had an outcome, or a different one from another person. Nothing changed then.
	Accepted bool `json:"accepted"`
	// Outcome is the question's current outcome.
	Outcome ItemOutcome `json:"outcome"`
}

// QuestionSaveDraft saves the user's unsent answer to an open question, and returns once it is saved. An empty draft deletes the
// saved one, and a draft older than the saved one is ignored. Each image is sent once, later only its hash. A question has one
// draft. At a hub it belongs to the first person who began one, until it is empty again.
var QuestionSaveDraft = Request[SaveDraftParams, SaveDraftResult]{"question/saveDraft"}

// SaveDraftParams is an unsent answer.
type SaveDraftParams struct {
	QuestionID string `json:"questionId"`
	Draft      Draft  `json:"draft"`
}

// SaveDraftResult reports whether a draft was saved.
type SaveDraftResult struct {
	// Missing are the hashes of unknown images that were sent without data. If there are any, nothing was saved: send the draft
	// again with their data.
	Missing []string `json:"missing,omitempty"`
	// Unkept means that nothing was saved, because the question has another person's draft. The caller keeps its own.
	Unkept bool `json:"unkept,omitempty"`
}

// Draft is an unsent answer.
type Draft struct {
	// Text is the content of the text box: the user's own answer, or a reply to a questionnaire.
	Text string `json:"text,omitempty"`
	// Suggestion is the index of the suggestion that the text was edited from.
	Suggestion *int `json:"suggestion,omitempty"`
	// Mode is the mode of that suggestion.
	Mode string `json:"mode,omitempty"`
	// Picks are the choices in a questionnaire so far, one per question in order.
	Picks []PickDraft `json:"picks,omitempty"`
	// Comments are the comments on a plan so far, in any order.
	Comments []PlanComment `json:"comments,omitempty"`
	// Step is the index of the shown question of the questionnaire; one past the last is the review.
	Step int `json:"step,omitempty"`
	// Replying means that the text box for a reply is open.
	Replying bool `json:"replying,omitempty"`
	// Images are the images added so far.
	Images []DraftImage `json:"images,omitempty"`
	// Quotes are the quotes added from the editor so far.
	Quotes []Quote `json:"quotes,omitempty"`
	// ChangedAt is the time of the last change, in milliseconds since 1970.
	ChangedAt int64 `json:"changedAt,omitempty"`
	// By is the draft's owner at a hub. The hub sets it, and sends the draft to nobody else.
	By string `json:"by,omitempty"`
}

// PlanComment is a comment on a paragraph of a plan, or on a passage in it.
type PlanComment struct {
	// Paragraph is the index among the nodes of Rendered.Subject.
	Paragraph int `json:"paragraph"`
	// Passage is the selected text; empty if the comment is on the whole paragraph.
	Passage string `json:"passage,omitempty"`
	Text    string `json:"text"`
}

// PickDraft is an unsent choice for one question of a questionnaire.
type PickDraft struct {
	// Options are the indexes of the chosen options.
	Options []int `json:"options,omitempty"`
	// Other is the text in the box for the user's own words, chosen or not.
	Other string `json:"other,omitempty"`
	// OtherChosen means that the user's own words are chosen.
	OtherChosen bool `json:"otherChosen,omitempty"`
	// Notes are words in addition to the choice.
	Notes string `json:"notes,omitempty"`
}

// DraftImage is an image in a draft.
type DraftImage struct {
	// Hash identifies the image: the SHA-256, in hexadecimal, of the type, a line feed and the bytes. It may be absent if Data is
	// present.
	Hash string `json:"hash,omitempty"`
	// MimeType is image/png, image/jpeg, image/gif or image/webp.
	MimeType string `json:"mimeType"`
	// Data is base64 without a data: prefix. It is absent if the other side already has the image: it was sent in either direction
	// for the same question since InboxSubscribe.
	Data string `json:"data,omitempty"`
	// Name is the file's name, for its label; the agent does not get it.
	Name string `json:"name,omitempty"`
}

// QuestionListParams select a page of questions.
type QuestionListParams struct {
	// Outcome is what the questions have in common; waiting means open.
	Outcome AnswerOutcome `json:"outcome"`
	// KeyPrefix is how the keys of the sessions begin. A hub ignores it.
	KeyPrefix string `json:"keyPrefix,omitempty"`
	// After is QuestionListResult.Next of the previous page; absent for the first page.
	After string `json:"after,omitempty"`
	// Limit is the maximum number of questions: 50 by default, at most 200.
	Limit int `json:"limit,omitempty"`
}

// QuestionListResult is a page of questions.
type QuestionListResult struct {
	// Questions have the outcomes without images. There may be fewer than the limit, even none, before the last page.
	Questions []Answer `json:"questions"`
	// Next selects the next page; absent on the last.
	Next string `json:"next,omitempty"`
}

var (
	// TimerConfigure sets the time after which the first suggestion of a question is chosen for the user. It is off unless the
	// user enables it, and never applies to guidance or to a questionnaire with more than one question.
	TimerConfigure = Request[TimerConfigureParams, None]{"timer/configure"}
	// QuestionTouch reports that the user is at a question, which stops its timed choice permanently in all windows. Saving a draft
	// does the same.
	QuestionTouch = Request[QuestionParams, None]{"question/touch"}
)

// TimerConfigureParams are the user's setting.
type TimerConfigureParams struct {
	// After is the time in milliseconds (0 = never). 0 stops running timers.
	After int `json:"after"`
}
