package protocol

import "github.com/sourcegraph/go-lsp"

// A session is one conversation with one agent.
var (
	// SessionOpen opens a session, or finds the open one with the same agent and key.
	SessionOpen = Request[SessionOpenParams, SessionOpenResult]{"session/open"}
	// SessionGet returns a session's state.
	SessionGet = Request[SessionParams, SessionState]{"session/get"}
	// SessionClose withdraws a session's open questions and ends it.
	SessionClose = Request[SessionCloseParams, None]{"session/close"}
)

// SessionOpenParams identify a session by (agent, key). A repeated request updates the given options.
type SessionOpenParams struct {
	// Agent is the agent's display name; not blank.
	Agent string `json:"agent"`
	// Key distinguishes this agent's conversations; not blank.
	Key string `json:"key"`
	// WorkspaceFolders are the conversation's folders; if absent, the editor's.
	WorkspaceFolders []WorkspaceFolder `json:"workspaceFolders,omitempty"`
	// Locale is the language of messages to the agent, a BCP 47 tag; if absent, the editor's.
	Locale string `json:"locale,omitempty"`
	// ResultTag is the element around the user's words; answer by default.
	ResultTag ResultTag `json:"resultTag,omitempty"`
	// Strict rejects malformed calls instead of repairing them.
	Strict *bool `json:"strict,omitempty"`
	// MistakeLimit is the number of consecutive invalid calls after which the user is asked for guidance, before the agent gets its
	// answer: 3 by default (0 = never).
	MistakeLimit *int `json:"mistakeLimit,omitempty"`
	// OpaqueTags are names of further elements, besides known tools, that cannot contain a call.
	OpaqueTags []string `json:"opaqueTags,omitempty"`
	// Limits bounds the agent's messages.
	Limits *Limits `json:"limits,omitempty"`
	// Bound withdraws questions when the process that asked them ends, because its agent then asks in its own way.
	Bound *bool `json:"bound,omitempty"`
}

// ResultTag is the name of the element around the user's words.
type ResultTag string

// The elements that agents expect.
const (
	ResultTagAnswer      ResultTag = "answer"
	ResultTagUserMessage ResultTag = "user_message"
)

// SessionOpenResult identifies the session.
type SessionOpenResult struct {
	// Session is the session's id: a UUID that is always the same for the same agent and key.
	Session string `json:"session"`
}

// SessionParams names a session.
type SessionParams struct {
	Session string `json:"session"`
}

// SessionCloseParams name a session, and say when it ends.
type SessionCloseParams struct {
	Session string `json:"session"`
	// Finish leaves the open questions to the user: the session ends with the last of them, unless it is opened again before.
	Finish bool `json:"finish,omitempty"`
}

// SessionState is the state of a session.
type SessionState struct {
	Session string `json:"session"`
	Agent   string `json:"agent"`
	Key     string `json:"key"`
	// ConsecutiveMistakes is the number of invalid calls since the last valid one.
	ConsecutiveMistakes int `json:"consecutiveMistakes"`
	// WorkspaceFolders are the conversation's folders.
	WorkspaceFolders []WorkspaceFolder `json:"workspaceFolders"`
	// Conversation has every call, partial ones too, in the order in which they were asked.
	Conversation []ConversationItem `json:"conversation"`
}

// ConversationItem is one call and its outcome.
type ConversationItem struct {
	QuestionID string `json:"questionId"`
	Tool       string `json:"tool"`
	// Payload is the question; absent for an invalid call.
	Payload *Payload `json:"payload,omitempty"`
	// Error is why the call was invalid.
	Error *CallError `json:"error,omitempty"`
	// Guidance marks a request for guidance instead of a question.
	Guidance *Guidance `json:"guidance,omitempty"`
	// State is the question's state.
	State ItemState `json:"state"`
	// Outcome is how it ended; absent while it is open.
	Outcome *ItemOutcome `json:"outcome,omitempty"`
	// Collected means that the agent has received the answer.
	Collected bool `json:"collected,omitempty"`
	// AskedAt is when the call was complete, in milliseconds since 1970.
	AskedAt int64 `json:"askedAt"`
}

// Location is a place in a document, part of an answer.
type Location = lsp.Location
