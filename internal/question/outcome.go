package question

// Outcome is how a question ended.
type Outcome string

// The outcomes. Invalid is the outcome of a call that never became a question.
const (
	Answered  Outcome = "answered"
	Dismissed Outcome = "dismissed"
	Replied   Outcome = "replied"
	// Allowed and Denied are outcomes of an approval.
	Allowed   Outcome = "allowed"
	Denied    Outcome = "denied"
	Withdrawn Outcome = "withdrawn" // by its asker
	// Expired is a question whose time ran out, as its asker set it.
	Expired Outcome = "expired"
	// Disconnected is a question whose asker is gone: its process has ended, or its account was revoked.
	Disconnected Outcome = "disconnected"
	// NotShown is a question that nobody could see.
	NotShown Outcome = "notShown"
	Invalid  Outcome = "invalid"
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome {
	return []Outcome{Answered, Dismissed, Replied, Allowed, Denied, Withdrawn, Expired, Disconnected, NotShown, Invalid}
}

// IsTakenBack reports whether the question was closed without its user, which is possible before it can be answered.
func (o Outcome) IsTakenBack() bool {
	return o == Withdrawn || o == Expired || o == Disconnected || o == NotShown
}

// YieldsTo reports whether the outcome in the agent's own log replaces a live outcome. A question that was taken back was not
// answered through Followup, but the user may have answered in the agent's own dialog.
func (o Outcome) YieldsTo(logged Outcome) bool {
	return o.IsTakenBack() && (logged == Answered || logged == Dismissed || logged == Replied)
}

// Provenance is the origin of an answer.
type Provenance string

// The provenances.
const (
	Clicked Provenance = "clicked" // an unchanged suggestion
	Chosen  Provenance = "chosen"  // an unchanged suggestion with additional words of the user
	Edited  Provenance = "edited"  // a suggestion that the user edited
	Typed   Provenance = "typed"   // the user's own words
	Timer   Provenance = "timer"   // a timed choice, which the user must have enabled
)

// ItemOutcome is how a question ended, for the user.
type ItemOutcome struct {
	Outcome    Outcome    `json:"outcome"`
	Provenance Provenance `json:"provenance,omitempty"`
	// Text is the answer without tags, or the reply to a questionnaire.
	Text string `json:"text,omitempty"`
	Mode string `json:"mode,omitempty"`
	// Suggestion is the index of the suggestion that was clicked, chosen or edited.
	Suggestion *int `json:"suggestion,omitempty"`
	// Note is the user's words in addition to a chosen suggestion.
	Note string `json:"note,omitempty"`
	// Picks are the choices in a questionnaire, one per question in order.
	Picks []Pick `json:"picks,omitempty"`
	// Images is the number of images in the answer.
	Images int `json:"images,omitempty"`
	// Quotes are the labels of quotes from the editor.
	Quotes []string `json:"quotes,omitempty"`
	// Option is the id of the chosen option of an approval.
	Option string `json:"option,omitempty"`
	// Changed is the command that the user allowed instead of the agent's.
	Changed string `json:"changed,omitempty"`
	// Client is the program that sent the decision on an approval, with its machine at a hub.
	Client string `json:"client,omitempty"`
	// Elsewhere means, for a withdrawn question, that the user answered it in the agent's own dialog. If known, Text or Picks are
	// that answer.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Effective is the decision that took effect in an agent whose own dialog was open, too: allowed or denied, as the agent reported. If it
	// differs from Outcome, the user decided otherwise in that dialog at the same moment. Absent until then: the decision was only sent.
	Effective Outcome `json:"effective,omitempty"`
	// AnsweredBy is the person who closed the question; only at a hub.
	AnsweredBy string `json:"answeredBy,omitempty"`
	// At is when the question was closed, in milliseconds since 1970; absent if an imported log does not have it.
	At int64 `json:"at,omitempty"`
}

// Overridden reports whether another decision took effect in the agent.
func (o ItemOutcome) Overridden() bool { return o.Effective != "" && o.Effective != o.Outcome }

// IsDecision reports whether the user has decided on an approval.
func (o Outcome) IsDecision() bool { return o == Allowed || o == Denied }
