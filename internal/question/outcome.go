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
	Withdrawn Outcome = "withdrawn"
	NotShown  Outcome = "notShown"
	Invalid   Outcome = "invalid"
)

// YieldsTo reports whether a live outcome is replaced by the one in the agent's own log. Withdrawn and NotShown only mean that
// nobody answered through Followup: the user may have answered in the agent's own dialog. An answer given through Followup stays.
func (o Outcome) YieldsTo(logged Outcome) bool {
	return (o == Withdrawn || o == NotShown) && (logged == Answered || logged == Dismissed || logged == Replied)
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
