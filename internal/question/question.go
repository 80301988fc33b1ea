// Package question holds the canonical model of what an agent asks: questions, their suggestions, and why a call was not one.
// It is pure: no I/O, no clock, no prose. Texts for people are made from its codes by package locale.
package question

// Tool names that agents call.
const (
	// ToolFollowup asks one question with optional suggestions (seeds 000, 001, 002 and 004).
	ToolFollowup = "ask_followup_question"
	// ToolAskUser asks one to four questions with options (seed 003).
	ToolAskUser = "AskUserQuestion"
)

// Followup is the standard form of an ask_followup_question call, as the interface gets it. Its JSON is the seeds':
// {"question": …, "suggest": [{"answer": …, "mode"?: …}]}.
type Followup struct {
	// Question is the question's text, trimmed at both ends.
	Question string `json:"question"`
	// Suggest holds the suggested answers in the agent's order. It is never nil in a valid call, so that it is written as [].
	Suggest []Suggestion `json:"suggest"`
}

// Suggestion is one suggested answer.
type Suggestion struct {
	// Answer is the text that is sent when the suggestion is chosen.
	Answer string `json:"answer"`
	// Mode is the agent's mode to switch to with this answer; empty when there is none.
	Mode string `json:"mode,omitempty"`
}
