package protocol

import "github.com/sourcegraph/go-lsp"

// A session is one conversation with one agent.
var (
	// SessionOpen opens a session, or finds the one that is open for the same agent and key.
	SessionOpen = Request[SessionOpenParams, SessionOpenResult]{"session/open"}
	// SessionGet tells a session's state.
	SessionGet = Request[SessionParams, SessionState]{"session/get"}
	// SessionClose withdraws a session's open questions and ends it.
	SessionClose = Request[SessionParams, None]{"session/close"}
)

// SessionOpenParams identifies a session by (agent, key). A repeated open updates the options that it names.
type SessionOpenParams struct {
	// Agent is the agent's name as the user knows it; not blank.
	Agent string `json:"agent"`
	// Key tells this agent's conversations apart; not blank.
	Key string `json:"key"`
	// WorkspaceFolders are those the conversation is about; absent: the editor's.
	WorkspaceFolders []WorkspaceFolder `json:"workspaceFolders,omitempty"`
	// Locale is the language of what the agent is told, a BCP 47 tag; absent: the editor's.
	Locale string `json:"locale,omitempty"`
	// ResultTag is the element around the user's words; absent: answer.
	ResultTag ResultTag `json:"resultTag,omitempty"`
	// Strict turns off repairs: a call that is not well-formed is invalid. Absent: false.
	Strict *bool `json:"strict,omitempty"`
	// MistakeLimit is the number of consecutive invalid calls at which the user is asked for guidance before the agent gets
	// its answer; 0: never. Absent: 3.
	MistakeLimit *int `json:"mistakeLimit,omitempty"`
	// OpaqueTags are names of further elements, besides the tools that are known, in which no call can begin.
	OpaqueTags []string `json:"opaqueTags,omitempty"`
	// Limits bounds what is read; absent: the defaults.
	Limits *Limits `json:"limits,omitempty"`
	// Bound tells that a question ends with the process that has asked it: its agent asks in another way then. Absent: false.
	Bound *bool `json:"bound,omitempty"`
}

// ResultTag names the element around the user's words.
type ResultTag string

// The elements that agents expect.
const (
	ResultTagAnswer      ResultTag = "answer"
	ResultTagUserMessage ResultTag = "user_message"
)

// Limits bounds what is read of an agent. Sizes are raw bytes; 0 means the default.
type Limits struct {
	// Parameter bounds one parameter of a call; 1 MiB by default.
	Parameter int `json:"parameter,omitempty"`
	// Message bounds one message, or the whole arguments of a native call; 8 MiB by default.
	Message int `json:"message,omitempty"`
	// Questions is how many questions a questionnaire may hold, 4 to 12; 4 by default.
	Questions int `json:"questions,omitempty"`
	// Options is how many options a question of a questionnaire may hold, 4 to 12; 4 by default.
	Options int `json:"options,omitempty"`
}

// SessionOpenResult names the open session.
type SessionOpenResult struct {
	// Session is the session's id: a UUID that is the same whenever the same agent opens the same key.
	Session string `json:"session"`
}

// SessionParams names a session.
type SessionParams struct {
	Session string `json:"session"`
}

// SessionState is a session as it stands.
type SessionState struct {
	Session string `json:"session"`
	Agent   string `json:"agent"`
	Key     string `json:"key"`
	// ConsecutiveMistakes counts the invalid calls since the last valid one.
	ConsecutiveMistakes int `json:"consecutiveMistakes"`
	// WorkspaceFolders are those the conversation is about.
	WorkspaceFolders []WorkspaceFolder `json:"workspaceFolders"`
	// Conversation holds every call that was read, or has begun to be, in the order of their asking.
	Conversation []ConversationItem `json:"conversation"`
}

// ConversationItem is one call and what became of it.
type ConversationItem struct {
	QuestionID string `json:"questionId"`
	Tool       string `json:"tool"`
	// Payload is what was asked; absent for an invalid call.
	Payload *Payload `json:"payload,omitempty"`
	// Error tells why the call was invalid.
	Error *CallError `json:"error,omitempty"`
	// Guidance marks what was asked of the user in place of a question.
	Guidance *Guidance `json:"guidance,omitempty"`
	// State is where the question stands.
	State ItemState `json:"state"`
	// Outcome tells how it ended; absent while it is open.
	Outcome *ItemOutcome `json:"outcome,omitempty"`
	// Collected tells that the agent has got the answer.
	Collected bool `json:"collected,omitempty"`
	// AskedAt is when the call was whole, in milliseconds since 1970.
	AskedAt int64 `json:"askedAt"`
}

// Location is a place in a document of the editor's that belongs to an answer.
type Location = lsp.Location
