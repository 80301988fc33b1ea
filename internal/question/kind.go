package question

// Kind is what an agent wanted of the user.
type Kind string

// The kinds.
const (
	KindQuestion Kind = "question"
	KindApproval Kind = "approval"
	KindGuidance Kind = "guidance" // after too many invalid calls
)

// Kinds returns all of them.
func Kinds() []Kind { return []Kind{KindQuestion, KindApproval, KindGuidance} }

// KindOf returns the kind of a call of a tool, or of a request for guidance.
func KindOf(tool string, guidance bool) Kind {
	switch {
	case guidance:
		return KindGuidance
	case tool == ToolApproval:
		return KindApproval
	}
	return KindQuestion
}
