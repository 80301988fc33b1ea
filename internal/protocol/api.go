package protocol

import "encoding/json"

// AskResult is the outcome of a question, for programs: `followup ask --json` prints it, and the HTTP API returns it.
type AskResult struct {
	// QuestionID is the question's id.
	QuestionID string `json:"questionId,omitempty"`
	// Outcome is how the question ended, or waiting while it is open.
	Outcome AnswerOutcome `json:"outcome"`
	// Provenance is where the answer came from, if there is one.
	Provenance Provenance `json:"provenance,omitempty"`
	// Text is the user's words, or their choices, one per line. It is empty without an answer.
	Text string `json:"text"`
	// Structured is the answer beyond its text, such as the answers to a questionnaire.
	Structured *Structured `json:"structured,omitempty"`
	// Images are the images that the user added.
	Images []Image `json:"images,omitempty"`
}

// APIQuestions is a page of the questions that a token has asked, newest first.
type APIQuestions struct {
	// Questions have no images. There may be fewer than the limit, even none, before the last page.
	Questions []AskResult `json:"questions"`
	// Next is the value of ?after= for the next page; absent on the last.
	Next string `json:"next,omitempty"`
}

// APIQuestion is a question that a program asks over HTTP. It has the arguments of ask_followup_question (question and follow_up), or
// those of AskUserQuestion (questions).
type APIQuestion struct {
	// ID is the question's id, a UUID; version 7 is best. Repeating a request with the same id and content has no effect. If absent,
	// the server creates one.
	ID string `json:"id,omitempty"`
	// Agent is the program's name, shown to the user. If absent, it is HTTP.
	Agent string `json:"agent,omitempty"`
	// Workspace is the folder that the question is about: an absolute path or a file URI.
	Workspace string `json:"workspace,omitempty"`
	// Question is the text in Markdown.
	Question string `json:"question,omitempty"`
	// FollowUp are the suggested answers: strings, or objects with an answer.
	FollowUp json.RawMessage `json:"follow_up,omitempty"`
	// Questions are several questions with options, as in AskUserQuestion.
	Questions json.RawMessage `json:"questions,omitempty"`
	// To is the person or group to ask; only at a hub. If absent, everybody.
	To string `json:"to,omitempty"`
	// Expires is the time after which the question expires, such as 90s, 30m or 12h. If absent, never.
	Expires string `json:"expires,omitempty"`
	// Callback, if present, receives the outcome.
	Callback *Callback `json:"callback,omitempty"`
}

// CallbackClosed is the type of the only event.
const CallbackClosed = "question.closed"

// CallbackEvent is the message to a callback.
type CallbackEvent struct {
	// Type is question.closed, the only one.
	Type string `json:"type"`
	// Timestamp is when the question was closed, as in RFC 3339.
	Timestamp string `json:"timestamp"`
	// Data is the outcome.
	Data AskResult `json:"data"`
}

// Problem is the error of an HTTP request, as in RFC 9457.
type Problem struct {
	// Type is about:blank: the status is the type.
	Type string `json:"type"`
	// Title is the status in words.
	Title string `json:"title"`
	// Status is the status of the response.
	Status int `json:"status"`
	// Detail describes the error for people.
	Detail string `json:"detail"`
	// Code is the error code of an invalid question, listed in section "Errors" of docs/protocol.md.
	Code string `json:"code,omitempty"`
}
