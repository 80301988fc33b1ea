package hook

import "followup/internal/dialect"

// Short names for the tests.
type (
	asked  = dialect.Asked
	option = dialect.AskedOption
)

var splitClaudeAnswer = dialect.SplitAnswers
