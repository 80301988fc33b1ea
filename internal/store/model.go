package store

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"followup/internal/question"
)

// State is the state of a stored question. Questions that are still arriving are not stored.
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
	// Document is the caller's JSON. It is nil in a session that was lost with a damaged file.
	Document json.RawMessage
	Closed   bool
}

// Question is a call of an agent, or a request for guidance. The store keeps times in milliseconds.
type Question struct {
	ID string // the caller's UUID
	// Session is the id of its session, which is written no later than the question. It is empty for an imported question.
	Session string
	// Order is a global sequence number. The store assigns it when the question is first written.
	Order int64
	Tool  string // empty for a request for guidance
	// StreamID is the stream that contained it, and CallID the caller's id of a native call. Both may be empty.
	StreamID, CallID string
	// State is Closed if and only if Outcome is set. A Change never writes a question as Closed: an invalid call, which has its
	// outcome at once, is written as Held, and closed by an outcome of the same Change.
	State State
	Call  json.RawMessage // the parsed call, as the caller's JSON
	// Text is the searchable text: the question and what it offered.
	Text string
	// Guidance is the content of a request for guidance, as the caller's JSON. It is nil for a question.
	Guidance json.RawMessage
	// GuidedBy is the id of the request for guidance that a held call waits for.
	GuidedBy string
	AskedAt  time.Time // when the call was complete
	// Deadline is when the caller gets a ticket. Zero means never.
	Deadline time.Time
	// Agent and Workspace are for the history's filters. The workspace is a folder's URI or path; it may be empty.
	Agent, Workspace string
	// To is the person or group to ask. Empty means everybody.
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
	Document   json.RawMessage // the caller's JSON; empty if there is no draft
	Images     []Image
}

// Image is an image of a draft.
type Image struct {
	// Hash is from HashOf. In a Change it may be empty if there is Data.
	Hash     string
	MimeType string
	// Data is the image. Lists omit it. A Change may have Base64 instead, which is decoded only if the draft's images have changed.
	Data   []byte
	Base64 string
}

// HashOf identifies an image by its type and data: SHA-256, in hexadecimal.
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
	Provenance question.Provenance // empty unless answered
	// Answer is the outcome for the user and the agent, as the caller's JSON, or nil.
	Answer json.RawMessage
	Text   string // the searchable text: the user's words
	// Images are the answer's images. Lists omit them and only have ImageCount.
	Images     []question.Image
	ImageCount int
	// ClosedAt is when it ended. In a Change, zero means now.
	ClosedAt time.Time
	Key      Key // its position in the history, which the store assigns
}

// Key is a position in the history. Keys increase with the time of the outcome, whatever the order of writing. 0 is not a position.
type Key int64

// Callback is where the outcome of a question is delivered.
type Callback struct {
	QuestionID string
	URL        string
	Secret     string // signs the message; may be empty
	Private    bool   // permits URLs of this machine or a private network
}

// Change is the changes of one event. It is written atomically, in the order of its fields.
type Change struct {
	Sessions []Session // new, or replacements for those with the same ids
	// Questions are new, or update State, GuidedBy and Deadline of open questions. Closed ones do not change.
	Questions []Question
	// Drafts replace the questions' drafts. An empty one deletes the draft. Drafts of closed or unknown questions are ignored.
	Drafts []Draft
	// Outcomes close open questions. A question that has an outcome keeps it.
	Outcomes []Outcome
	// Collected are the ids of questions whose agents have received the answer.
	Collected []string
	// Callbacks are kept until the ids of their questions are in Delivered.
	Callbacks []Callback
	Delivered []string
}

// Result is the result of a Change.
type Result struct {
	Orders map[string]int64 // Order of the Change's questions, by id
	// Err is why the Change was rejected. Nothing of it was written then.
	Err error
}

// Filter selects entries of the history. Empty fields select all.
type Filter struct {
	Agents, Workspaces []string
	Kinds              []question.Kind
	// Outcomes, if empty, are all but question.Invalid.
	Outcomes []question.Outcome
	// From and To bound the time of the outcome; From is inclusive, To exclusive.
	From, To time.Time
	// For selects questions for these people and groups; "" is everybody. Nil selects all.
	For []string
	// Text is a search: an entry must contain all its words, in any order and case, with or without diacritics. The last one may be
	// a prefix. There are no operators. Emojis must occur literally, and so must a text without words. Words of scripts without
	// spaces match anywhere.
	Text string
}

// Page is a part of the history, newest first.
type Page struct {
	// Entries are closed questions. There may be fewer than the limit, even none, before the end.
	Entries []Question
	Next    Key // for the next page; 0 at the end
}

// Selection is a part of the history: the questions with these ids, or, if IDs is nil, all that match the filter. Filter.For applies
// to both.
type Selection struct {
	IDs    []string
	Filter Filter
}

// Deletion is the result of Delete. Restore undoes it.
type Deletion struct {
	ID    string // the caller's
	Count int    // how many questions were deleted
	// Until is the end of the time to undo it, by the store's clock.
	Until time.Time
}

// Facets are the values that filters can have, sorted.
type Facets struct {
	Agents, Workspaces []string
}

// Imported is a question with its outcome from another tool's log.
type Imported struct {
	// Source names the tool; Key is a stable and unique id there. The question's id is derived from both.
	Source, Key string
	// Shared means that Key is the agent's globally unique id of the call: the question's id is derived from it alone, so that the
	// question is the same in the logs of several tools and when asked live.
	Shared bool
	// Question is the question. ID, Session, Order, State and Draft are ignored.
	Question Question
	// Outcome is how it ended; QuestionID is ignored. Without ClosedAt, AskedAt is used.
	Outcome Outcome
	// Amend returns the new outcome of an existing question, as the log has it, and false to keep the outcome. Only Outcome,
	// Provenance, Text and Answer are written. If nil, outcomes do not change.
	Amend func(Outcome) (Outcome, bool)
}

// ID returns the question's id, which is the same at every import and when asked live.
func (x Imported) ID() string {
	if x.Shared {
		return question.IDOfCall(x.Key)
	}
	return question.ImportedID(x.Source, x.Key)
}

// Retention is how much of the history is kept.
type Retention struct {
	// Nothing keeps closed questions only until their agents have received the answers.
	Nothing bool
	Age     time.Duration // how long closed questions are kept (0 = forever)
	// Now is the time by which something counts as old. Removal cannot be undone, so the caller must be sure of it. If zero, nothing is
	// old enough.
	Now time.Time
}

// Account is a person or an agent of a hub.
type Account struct {
	Team  string
	Name  string // unique among the accounts and groups of its team
	Agent bool   // an agent's account, not a person's
	// Groups are the groups of a person. Former are earlier ones, so that a group without members can still be reached.
	Groups, Former []string
	// MayApprove means that the person may decide requests for permission.
	MayApprove bool
	Tokens     []Token // empty if all were revoked
	// Withdrawn means that its open questions were withdrawn with its tokens.
	Withdrawn bool
	At        time.Time // the last write; the store sets it
}

// Token is the stored form of a token.
type Token struct {
	Hash   []byte    `json:"hash"` // see HashToken
	Issued time.Time `json:"issued,omitzero"`
	Until  time.Time `json:"until,omitzero"` // when it expires; zero means never
	Used   time.Time `json:"used,omitzero"`  // when it was last used, to about an hour; zero means never
}

// Expired reports whether the token has expired.
func (t Token) Expired(now time.Time) bool { return !t.Until.IsZero() && !now.Before(t.Until) }

// HashToken returns the stored form of a token: its SHA-256, which is enough for 130 random bits and cannot be used as a token.
func HashToken(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}

// Token returns the account's token with a hash, compared in constant time.
func (a Account) Token(hash []byte) (found Token, has bool) {
	for _, token := range a.Tokens {
		if len(token.Hash) == sha256.Size && subtle.ConstantTimeCompare(token.Hash, hash) == 1 {
			found, has = token, true
		}
	}
	return found, has
}

// Active reports whether the account has a valid token.
func (a Account) Active(now time.Time) bool {
	return slices.ContainsFunc(a.Tokens, func(token Token) bool { return !token.Expired(now) })
}

// Subscription is a browser that receives push messages for a person, or the delivery record of a --notify address.
type Subscription struct {
	// ID is from SubscriptionID, or the address's.
	ID string
	// Address reports that this is a --notify address, not a browser: it has no person and no keys, and Endpoint is a name without secrets.
	Address bool `json:",omitempty"`
	// Person is the browser's account at a hub; empty in a person's own store.
	Person string
	// Token is the hash of the hub's token that the browser had. Without a valid one, the browser receives nothing.
	Token []byte `json:",omitempty"`
	// Endpoint is the browser's address at its push service. P256dh and Auth are its public key and its secret, in base64url.
	Endpoint, P256dh, Auth string
	Name                   string // the display name
	Locale                 string
	// After is how long a question waits before a message is sent.
	After time.Duration
	// Hidden means that a message names the agent and omits the question.
	Hidden bool
	// Silent means that the browser can replace a notification without a sound.
	Silent bool
	At     time.Time // when it subscribed
	// LastAt is when the last message was delivered or failed; zero if there was none. Problem is why it failed; empty if it did not.
	LastAt  time.Time
	Problem string
}

// SubscriptionID returns an id derived from a subscription's endpoint and keys, so that another browser with the same endpoint
// replaces nothing.
func SubscriptionID(endpoint, p256dh, auth string) string {
	sum := sha256.Sum256([]byte(endpoint + "\n" + p256dh + "\n" + auth))
	return hex.EncodeToString(sum[:])
}

// Millis returns a time as it is stored and sent, in milliseconds; 0 if it is zero.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// FromMillis is the inverse of Millis.
func FromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
