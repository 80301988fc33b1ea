package hook

import "followup/internal/dialect"

// Short names of what tests spell out.
type (
	asked  = dialect.Asked
	option = dialect.AskedOption
)

var splitClaudeAnswer = dialect.SplitAnswers
