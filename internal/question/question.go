// Package question has the canonical model of agents' questions: questions, their suggestions, and errors of calls. It is pure: no
// I/O, no clock, no prose. Package locale translates its codes.
package question

// Tool names that agents call.
const (
	// ToolFollowup asks one question with optional suggestions (seeds 000, 001, 002 and 004).
	ToolFollowup = "ask_followup_question"
	// ToolAskUser asks one to four questions with options (seed 003).
	ToolAskUser = "AskUserQuestion"
)

// Followup is the standard form of an ask_followup_question call for the interface. Its JSON is the seeds': {"question": …,
// "suggest": [{"answer": …, "mode"?: …}]}.
type Followup struct {
	// Question is the question's text, trimmed.
	Question string `json:"question"`
	// Suggest are the suggested answers in the agent's order. It is never nil in a valid call, so that its JSON is [].
	Suggest []Suggestion `json:"suggest"`
}

// Suggestion is one suggested answer.
type Suggestion struct {
	// Answer is the text that is sent when the suggestion is chosen.
	Answer string `json:"answer"`
	// Mode is the mode that the agent switches to with this answer, or empty.
	Mode string `json:"mode,omitempty"`
}
