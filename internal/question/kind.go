package question

import "encoding/json"

// Kind is the kind of an agent's request.
type Kind string

// The kinds.
const (
	KindQuestion Kind = "question"
	KindApproval Kind = "approval"
	KindPlan     Kind = "plan"     // an approval of a plan
	KindGuidance Kind = "guidance" // after too many invalid calls
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{KindQuestion, KindApproval, KindPlan, KindGuidance} }

// KindOf returns the kind of a call of a tool, or of a request for guidance. call is the JSON that package archive stores, and is
// only parsed for approvals.
func KindOf(tool string, guidance bool, call json.RawMessage) Kind {
	switch {
	case guidance:
		return KindGuidance
	case tool == ToolApproval:
		var stored struct{ Payload Approval }
		if json.Unmarshal(call, &stored) == nil && stored.Payload.Subject.Kind == SubjectPlan {
			return KindPlan
		}
		return KindApproval
	}
	return KindQuestion
}
