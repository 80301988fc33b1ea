package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"followup/internal/question"
)

// State is where a stored question stands. A question that is still arriving is not stored.
type State int

// The states.
const (
	// Pending can be answered.
	Pending State = iota + 2
	// Queued waits for the question before it.
	Queued
	// Held is an invalid call that is not answered before the user has given guidance.
	Held
	// Closed has an outcome.
	Closed
)

func (s State) String() string {
	if s < Pending || s > Closed {
		return "unknown"
	}
	return [...]string{"pending", "queued", "held", "closed"}[s-Pending]
}

// Session is one conversation with one agent.
type Session struct {
	// ID is the session's id, the same whenever the same agent opens the same key.
	ID string
	// Agent and Key are what the session was opened with.
	Agent, Key string
	// Folders are the conversation's workspace folders, as the caller writes them; JSON, or nil.
	Folders json.RawMessage
	// Locale is the language of what the agent is told, a BCP 47 tag.
	Locale string
	// Options are the session's further options (tags, strictness, limits), as the caller writes them; JSON, or nil.
	Options json.RawMessage
	// Mistakes counts the invalid calls since the last valid one; Limit is how many of them lead to a request for guidance.
	Mistakes, Limit int
	// Guidance is the id of the open request for guidance, and empty while there is none. The calls held for it name it
	// in their GuidedBy.
	Guidance string
	// Closed tells that the conversation is over.
	Closed bool
}

// Question is one call of an agent's, or one request for guidance.
type Question struct {
	// ID is the question's id: a UUID of the caller's.
	ID string
	// Session is the session it belongs to, which is written no later than the question; empty for an imported one.
	Session string
	// Order stands the questions of all sessions in the order of their asking. The store gives it; what a caller sets is
	// ignored.
	Order int64
	// Tool is the tool's name; empty for a request for guidance.
	Tool string
	// StreamID and CallID are the stream it arrived in and the caller's id of a native call; both may be empty.
	StreamID, CallID string
	// State is Closed exactly when Outcome is set. In a Change, a question that has its outcome at once (an invalid call)
	// is given as Held, Pending or Queued and closed by an outcome of the same Change.
	State State
	// Call is what was read (payload, repairs, notices, error, metadata), as the caller writes it; JSON.
	Call json.RawMessage
	// Text is what the history's search finds the question by: its text and what it offered.
	Text string
	// Guidance is what a request for guidance tells the user, as the caller writes it; JSON, nil for a question.
	Guidance json.RawMessage
	// GuidedBy is the id of the request for guidance that a held call waits for.
	GuidedBy string
	// AskedAt is when the call was whole. The store keeps milliseconds, of this and of every other time.
	AskedAt time.Time
	// Deadline is when the caller gets a ticket in place of an answer; zero when it waits for good.
	Deadline time.Time
	// Agent and Workspace are what the history filters by. The workspace is a folder's URI or path; it may be empty.
	Agent, Workspace string
	// To is the person or group that it is for; empty: everybody.
	To string
	// Source is the tool from whose log it was imported; empty for a question that was asked here.
	Source string
	// Collected tells that the agent has got the answer.
	Collected bool
	// Draft is what the user has begun to answer; nil when there is nothing, and on a closed question.
	Draft *Draft
	// Outcome is how it ended; nil while it is open.
	Outcome *Outcome
}

// Draft is an answer that the user has begun.
type Draft struct {
	// QuestionID is the question's.
	QuestionID string
	// Text is what the user has typed.
	Text string
	// Picks are choices, notes and whatever else the interface keeps, as the caller writes them; JSON, or nil.
	Picks json.RawMessage
	// Images are those added so far, all of them.
	Images []Image
}

// Image is an image of a draft. Each is kept, and travels, once.
type Image struct {
	// Hash names it: what HashOf gives. The store sets it; in a Change it may be empty where there is Data.
	Hash string
	// MimeType is its type.
	MimeType string
	// Data is the image. Lists leave it out. In a Change, Base64 may stand in its place: it is decoded only if the store does not have the
	// image yet.
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
	// QuestionID is the question's.
	QuestionID string
	// Outcome and Provenance are as in package question; the provenance stands with answers only.
	Outcome    question.Outcome
	Provenance question.Provenance
	// Answer is what the user and the agent are told, as the caller writes it; JSON, or nil.
	Answer json.RawMessage
	// Text is what the history's search finds the answer by: the user's words.
	Text string
	// Images go with the answer. Lists and changes leave them out and only tell their number in ImageCount; Question and
	// Export have them.
	Images     []question.Image
	ImageCount int
	// ClosedAt is when. Zero in a Change: now.
	ClosedAt time.Time
	// Key is its place in the history; the store gives it.
	Key Key
}

// Key is a place in the history. Keys grow with the time of the outcome, whatever the order of writing, so that what is
// imported stands where it belongs. 0 is no place.
type Key int64

// Change is what is written for one event that the user or an agent can notice. It is written whole or not at all.
// Sessions come before Questions, these before Drafts and Outcomes, so that each may name those before it.
type Change struct {
	// Sessions are new, or replace those with the same ids.
	Sessions []Session
	// Questions are new, or bring State, GuidedBy and Deadline of the open questions with the same ids up to date; what was
	// asked never changes. Those that are closed by now stay as they are.
	Questions []Question
	// Drafts take the place of the questions' drafts. One without text, picks and images removes the draft. A draft of a
	// question that is closed or unknown is dropped.
	Drafts []Draft
	// Outcomes close open questions. A question that has an outcome keeps it.
	Outcomes []Outcome
	// Collected are the ids of questions whose agent has got the answer.
	Collected []string
}

// Result says what became of a Change.
type Result struct {
	// Orders are the places in the order of asking of the Change's questions, by id.
	Orders map[string]int64
	// Err is why the Change was refused. Nothing of it was written then.
	Err error
}

// Filter narrows the history. Fields that are empty do not.
type Filter struct {
	Agents, Workspaces []string
	// Outcomes, when empty, are all but question.Invalid: what was never a question is history only on request.
	Outcomes []question.Outcome
	// From and To bound the time of the outcome: From included, To excluded.
	From, To time.Time
	// For, unless it is nil, lets through only what is for these people and groups; "" is everybody.
	For []string
	// Text is what the user has typed so far: all its words have to occur, in any order and any case, with or without
	// diacritics; the last one may be the beginning of a word, unless something else stands behind it. Nothing in it is
	// an operator; what is neither letter nor digit parts words. Emojis have to occur as they are, and so has all of a text
	// that holds no word. Words of scripts without spaces between words are found anywhere.
	Text string
}

// Page is a part of the history, newest first.
type Page struct {
	// Entries are closed questions. There may be fewer than the limit, also none, where much had to be read for them.
	Entries []Question
	// Next is where the next page begins; 0 at the end.
	Next Key
}

// Selection is a part of the history: the questions with these ids, or, when IDs is nil, all that the filter lets through.
type Selection struct {
	IDs    []string
	Filter Filter
}

// Deletion is what Delete has done, which can be taken back for a while.
type Deletion struct {
	// ID is what Restore takes it back by; 0 when nothing was deleted.
	ID int64
	// Count tells how many questions it deleted.
	Count int
	// Until is when it can no longer be taken back, by the store's clock.
	Until time.Time
}

// Facets are the values that the history can be filtered by, sorted.
type Facets struct {
	Agents, Workspaces []string
}

// Imported is an exchange out of another tool's log.
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
	// Amend returns the outcome of a question that is there already, as the log knows it, and false to leave it. Only its Outcome,
	// Provenance, Text and Answer are written. If nil, outcomes stand.
	Amend func(Outcome) (Outcome, bool)
}

// Retention is how much of the history is kept.
type Retention struct {
	// Nothing keeps closed questions only until their agents have got the answers.
	Nothing bool
	// Age is how long closed questions are kept; 0: for good.
	Age time.Duration
}
