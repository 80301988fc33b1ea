package question

// Outcome is how a question ended.
type Outcome string

// The outcomes; section 3 of the design says what each means to the user and to the agent.
const (
	Answered  Outcome = "answered"
	Dismissed Outcome = "dismissed"
	Replied   Outcome = "replied"
	Withdrawn Outcome = "withdrawn"
	NotShown  Outcome = "notShown"
	// Invalid is that of a call that was never a question.
	Invalid Outcome = "invalid"
)

// Provenance is where an answer came from.
type Provenance string

// The provenances.
const (
	Clicked Provenance = "clicked"
	Edited  Provenance = "edited"
	Typed   Provenance = "typed"
	Timer   Provenance = "timer"
)
