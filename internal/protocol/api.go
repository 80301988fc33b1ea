package protocol

import "encoding/json"

// AskResult is what became of a question, for programs: `followup ask --json` prints it, and the HTTP API answers with it.
type AskResult struct {
	// QuestionID is the question's id.
	QuestionID string `json:"questionId,omitempty"`
	// Outcome is how the question ended, or waiting while it is open.
	Outcome AnswerOutcome `json:"outcome"`
	// Provenance is where the answer came from, if there is one.
	Provenance Provenance `json:"provenance,omitempty"`
	// Text is the user's words, or what they chose, one a line. It is empty without an answer.
	Text string `json:"text"`
	// Structured is what there is to say beyond the text. It has the answers to a questionnaire.
	Structured *Structured `json:"structured,omitempty"`
	// Images are those that the user added.
	Images []Image `json:"images,omitempty"`
}

// APIQuestion is a question that a program asks over HTTP. It has the arguments of ask_followup_question (question and follow_up), or
// those of AskUserQuestion (questions).
type APIQuestion struct {
	// ID is the question's id, a UUID; version 7 is best. Asking again with the same id and content is safe: nothing is asked twice.
	// Absent: the server makes one.
	ID string `json:"id,omitempty"`
	// Agent is the name of the program as the user sees it. Absent: HTTP.
	Agent string `json:"agent,omitempty"`
	// Workspace is the folder that the question is about: an absolute path or a file URI.
	Workspace string `json:"workspace,omitempty"`
	// Question is the question, in Markdown.
	Question string `json:"question,omitempty"`
	// FollowUp are the suggested answers: texts, or objects with answer.
	FollowUp json.RawMessage `json:"follow_up,omitempty"`
	// Questions are several questions with options, as AskUserQuestion has them.
	Questions json.RawMessage `json:"questions,omitempty"`
	// To is the person or group that the question is for; only at a hub. Absent: everybody.
	To string `json:"to,omitempty"`
	// Expires is after how long the question is withdrawn, such as 90s, 30m or 12h. Absent: never.
	Expires string `json:"expires,omitempty"`
	// Callback is an address that gets the outcome.
	Callback *Callback `json:"callback,omitempty"`
}

// CallbackClosed is the type of the only event.
const CallbackClosed = "question.closed"

// CallbackEvent is what a callback gets.
type CallbackEvent struct {
	// Type is question.closed.
	Type string `json:"type"`
	// Timestamp is when the question was closed, by RFC 3339.
	Timestamp string `json:"timestamp"`
	// Data is what became of the question.
	Data AskResult `json:"data"`
}

// Problem is why a request over HTTP failed, by RFC 9457.
type Problem struct {
	// Type is about:blank: the status says what kind of problem it is.
	Type string `json:"type"`
	// Title is the status in words.
	Title string `json:"title"`
	// Status is the status of the response.
	Status int `json:"status"`
	// Detail says what is wrong, for people.
	Detail string `json:"detail"`
	// Code is that of an invalid question, one of those in section "Errors" of docs/protocol.md.
	Code string `json:"code,omitempty"`
}
