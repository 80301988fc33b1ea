package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"followup/internal/question"
)

// State is the state of a stored question. A question that is still arriving is not stored.
type State string

// The states.
const (
	Pending State = "pending" // it can be answered
	Queued  State = "queued"  // it waits for the question before it
	Held    State = "held"    // an invalid call that waits for the user's guidance
	Closed  State = "closed"  // it has an outcome
)

// Session is one conversation with one agent.
type Session struct {
	ID string
	// Document is JSON of the caller's. It is nil in a session that was lost with a damaged file.
	Document json.RawMessage
	Closed   bool
}

// Question is one call of an agent's, or one request for guidance. The store keeps its times in milliseconds.
type Question struct {
	ID string // a UUID of the caller's
	// Session is the id of its session, which is written no later than the question. It is empty for an imported question.
	Session string
	// Order is a global sequence number. The store assigns it when the question is written first.
	Order int64
	Tool  string // empty for a request for guidance
	// StreamID is the stream that it arrived in, and CallID the caller's id of a native call. Both may be empty.
	StreamID, CallID string
	// State is Closed exactly when Outcome is set. A Change never writes a question as Closed: an invalid call, which has its outcome at
	// once, is written as Held, and closed by an outcome of the same Change.
	State State
	Call  json.RawMessage // what was read, as JSON of the caller's
	// Text is what the search finds the question by: its text and what it offered.
	Text string
	// Guidance is what a request for guidance tells the user, as JSON of the caller's. It is nil for a question.
	Guidance json.RawMessage
	// GuidedBy is the id of the request for guidance that a held call waits for.
	GuidedBy string
	AskedAt  time.Time // when the call was whole
	// Deadline is when the caller gets a ticket in place of an answer. Zero means never.
	Deadline time.Time
	// Agent and Workspace are what the history filters by. The workspace is a folder's URI or path; it may be empty.
	Agent, Workspace string
	// To is the person or group that it is for. Empty means everybody.
	To string
	// Source is the tool from whose log it was imported. It is empty for a question that was asked here.
	Source    string
	Collected bool // whether the agent has the answer
	// Draft is an unsent answer. It is nil if there is none, and on a closed question.
	Draft *Draft
	// Outcome is how it ended. It is nil while the question is open.
	Outcome *Outcome
}

// Draft is an unsent answer.
type Draft struct {
	QuestionID string
	Text       string
	Picks      json.RawMessage // JSON of the caller's, or nil
	Images     []Image
}

// Image is an image of a draft.
type Image struct {
	// Hash is what HashOf returns. In a Change it may be empty if there is Data.
	Hash     string
	MimeType string
	// Data is the image. Lists leave it out. A Change may have Base64 instead, which is decoded only if the draft's images have changed.
	Data   []byte
	Base64 string
}

// HashOf names an image by its type and data: SHA-256, in hexadecimal digits.
func HashOf(mimeType string, data []byte) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\n", mimeType)
	hash.Write(data)
	return hex.EncodeToString(hash.Sum(nil))
}

// Outcome is how a question ended.
type Outcome struct {
	QuestionID string
	Outcome    question.Outcome
	Provenance question.Provenance // that of an answer, and empty otherwise
	// Answer is what the user and the agent are told, as JSON of the caller's, or nil.
	Answer json.RawMessage
	Text   string // what the search finds the answer by: the user's words
	// Images go with the answer. Lists leave them out and have only ImageCount.
	Images     []question.Image
	ImageCount int
	// ClosedAt is when it ended. In a Change, zero means now.
	ClosedAt time.Time
	Key      Key // its place in the history, which the store assigns
}

// Key is a place in the history. Keys grow with the time of the outcome, whatever the order of writing. 0 is no place.
type Key int64

// Callback is where the outcome of a question is delivered.
type Callback struct {
	QuestionID string
	URL        string
	Secret     string // it signs what is sent; may be empty
	Private    bool   // whether the URL may be of this machine or a private network
}

// Change is what one event changes. It is written whole or not at all, in the order of its fields.
type Change struct {
	Sessions []Session // new, or replace those with the same ids
	// Questions are new, or update State, GuidedBy and Deadline of open questions. Closed ones stay as they are.
	Questions []Question
	// Drafts replace the questions' drafts. An empty one removes the draft. A draft of a closed or unknown question is dropped.
	Drafts []Draft
	// Outcomes close open questions. A question that has an outcome keeps it.
	Outcomes []Outcome
	// Collected are the ids of questions whose agents have the answer.
	Collected []string
	// Callbacks are kept until the ids of their questions are among the Delivered.
	Callbacks []Callback
	Delivered []string
}

// Result is what became of a Change.
type Result struct {
	Orders map[string]int64 // those of the Change's questions, by id
	// Err is why the Change was refused. Nothing of it was written then.
	Err error
}

// Filter selects entries of the history. Empty fields select all.
type Filter struct {
	Agents, Workspaces []string
	Kinds              []question.Kind
	// Outcomes, if empty, are all but question.Invalid.
	Outcomes []question.Outcome
	// From and To bound the time of the outcome: From included, To excluded.
	From, To time.Time
	// For selects what is for these people and groups; "" is everybody. Nil selects all.
	For []string
	// Text is a search: all its words have to occur, in any order and case, with or without diacritics. The last one may be the beginning
	// of a word. There are no operators. Emojis have to occur as they are, and so has all of a text without words. Words of scripts
	// without spaces are found anywhere.
	Text string
}

// Page is a part of the history, newest first.
type Page struct {
	// Entries are closed questions. There may be fewer than the limit, even none, before the end.
	Entries []Question
	Next    Key // where the next page begins; 0 at the end
}

// Selection is a part of the history: the questions with these ids, or, if IDs is nil, all that the filter selects.
type Selection struct {
	IDs    []string
	Filter Filter
}

// Deletion is what Delete has done. Restore takes it back.
type Deletion struct {
	ID    int64 // 0 if nothing was deleted
	Count int   // how many questions were deleted
	// Until is when it can no longer be taken back, by the store's clock.
	Until time.Time
}

// Facets are the values that the history can be filtered by, sorted.
type Facets struct {
	Agents, Workspaces []string
}

// Imported is an exchange from another tool's log.
type Imported struct {
	// Source names the tool; Key is the exchange's stable and unique id there. Together they make the question's id.
	Source, Key string
	// Shared says that Key is the agent's id of the call, unique by itself: it makes the question's id alone, so that the
	// question is the same in the logs of several tools, and as it was asked live.
	Shared bool
	// Question is what was asked. ID, Session, Order, State and Draft are ignored.
	Question Question
	// Outcome is how it ended; QuestionID is ignored. Without ClosedAt, AskedAt counts.
	Outcome Outcome
	// Amend returns the outcome of a question that is there already, as the log has it, and false to keep the outcome. Only Outcome,
	// Provenance, Text and Answer are written. If nil, outcomes stand.
	Amend func(Outcome) (Outcome, bool)
}

// ID returns the question's id: the same at every import, and that of the question itself if it was asked live.
func (x Imported) ID() string {
	if x.Shared {
		return question.IDOfCall(x.Key)
	}
	return question.ImportedID(x.Source, x.Key)
}

// Retention is how much of the history is kept.
type Retention struct {
	// Nothing keeps closed questions only until their agents have got the answers.
	Nothing bool
	Age     time.Duration // how long closed questions are kept; 0: for good
}
