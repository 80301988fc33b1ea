// Package question has the canonical model of agents' questions, their suggestions, and errors of calls. It is pure: no I/O, no
// clock, no prose. Package locale translates its codes.
package question

// Tool names that agents call.
const (
	// ToolFollowup asks one question with optional suggestions.
	ToolFollowup = "ask_followup_question"
	// ToolAskUser asks one to four questions with options.
	ToolAskUser = "AskUserQuestion"
)

// Followup is an ask_followup_question call in the standard form of the interface.
type Followup struct {
	// Question is the text, trimmed.
	Question string `json:"question"`
	// Suggest are the suggested answers in the agent's order; never nil in a valid call.
	Suggest []Suggestion `json:"suggest"`
}

// Suggestion is one suggested answer.
type Suggestion struct {
	// Answer is the text that is sent when the user chooses the suggestion.
	Answer string `json:"answer"`
	// Mode is the mode that the agent switches to with this answer.
	Mode string `json:"mode,omitempty"`
}
