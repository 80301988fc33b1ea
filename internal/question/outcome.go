package question

// Outcome is how a question ended.
type Outcome string

// The outcomes; section 3 of the design says what each means to the user and to the agent.
const (
	Answered  Outcome = "answered"
	Dismissed Outcome = "dismissed"
	Replied   Outcome = "replied"
	// Allowed and Denied are those of an approval.
	Allowed   Outcome = "allowed"
	Denied    Outcome = "denied"
	Withdrawn Outcome = "withdrawn"
	NotShown  Outcome = "notShown"
	// Invalid is that of a call that was never a question.
	Invalid Outcome = "invalid"
)

// YieldsTo reports whether a live outcome gives way to the one that the agent's own log tells. Withdrawn and NotShown only say
// that nobody answered through Followup: the user may have done so in the agent's own dialog. What was given through Followup
// stands.
func (o Outcome) YieldsTo(logged Outcome) bool {
	return (o == Withdrawn || o == NotShown) && (logged == Answered || logged == Dismissed || logged == Replied)
}

// Provenance is where an answer came from.
type Provenance string

// The provenances.
const (
	Clicked Provenance = "clicked"
	Chosen  Provenance = "chosen"
	Edited  Provenance = "edited"
	Typed   Provenance = "typed"
	Timer   Provenance = "timer"
)
