package conversation

import (
	"cmp"
	"sync"
	"sync/atomic"
	"time"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

// Callback is where the outcome of a question is delivered.
type Callback struct {
	protocol.Callback
	Private bool // whether the address may be of this machine or a private network
}

// Record is one question, or one call that could not be one. Its fields are guarded by the registry's lock.
type Record struct {
	ID, Tool     string
	Conversation *Conversation
	// StreamID and CallID are the stream it arrived in and the caller's id of a native call.
	StreamID, CallID string
	State            protocol.ItemState
	// Call is what was read; nothing but its context while it is still arriving.
	Call question.Call
	// Partial is what has been read so far of a call that is still arriving.
	Partial Partial
	AskedAt time.Time
	// Order stands the questions of all sessions in the order of their asking.
	Order int
	// Deadline is when its first asker gives up waiting; zero: never.
	Deadline time.Time
	// Outcome is how it ended; nil while it is open. Answer is what the agent is given then.
	Outcome  *protocol.ItemOutcome
	Answer   protocol.Answer
	Guidance *protocol.Guidance // what it asks the user for in place of a question
	// GuidedBy is the request for guidance that an invalid call is held for.
	GuidedBy *Record
	// Draft is an unsent answer, or nil. Its images have hashes and data, and are never changed.
	Draft *protocol.Draft
	// Beaten reports that the store had an outcome before the one that was given here.
	Beaten    bool
	Collected bool       // an agent has been given the answer
	Rendering *Rendering // its Markdown, once the call is whole
	// Durable reports that the store has the outcome. Only the persister changes it.
	Durable bool

	// Callback is where the outcome is delivered; nil for nowhere. The store alone keeps it: it is unknown of a question that was loaded.
	Callback *Callback

	quotes   []protocol.Quote
	changed  Mark
	show     bool          // the interface has to be told once the change may be
	done     chan struct{} // closed when the outcome may be told
	askers   int           // how many question/ask requests wait for it
	waiters  int           // how many requests wait for it, the askers included
	left     bool          // no client waits for it; see Registry.leave
	notShown *time.Timer   // runs while it is pending and there is no interface
	clock    int64         // as the interface was told: when a choice is made for the user; 0: never
	expiry   *time.Timer   // runs with the clock, until expires
	expires  time.Time

	counted  account // what it counts for; see Registry.count
	promised bool    // the end of its stream has told of it, and the agent has not been given the answer yet
}

// Recalled makes the record of a question that stands in the store.
func Recalled(c *Conversation) *Record {
	return &Record{Conversation: c, Rendering: &Rendering{}, done: make(chan struct{})}
}

// Over notes the outcome of a record that is nowhere but in the store.
func (r *Record) Over(item protocol.ItemOutcome, agent protocol.Answer) {
	r.Outcome, r.Answer, r.State, r.Durable = &item, agent, protocol.ItemClosed, true
	close(r.done)
}

// Whole tells whether all of a call was read. What broke off before that is not kept.
func (r *Record) Whole() bool {
	return r.Call.Asks() || r.Call.Err != nil
}

// AgentID returns the id that its agent has given a question. It differs from ID where another account of a hub has used that id before.
func (r *Record) AgentID() string { return cmp.Or(r.Conversation.Aliases[r.ID], r.ID) }

// Shown tells whether a record stands in the inbox.
func (r *Record) Shown() bool {
	return r.State != protocol.ItemClosed && r.State != protocol.ItemHeld
}

// Told tells whether the outcome was told to those who wait.
func (r *Record) Told() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// Tellable tells whether the record, as it is now, is on disk or need not be.
func (r *Record) Tellable() bool { return r.changed <= r.Conversation.released }

// Error words why a call is invalid; nil for a valid one.
func (r *Record) Error() *protocol.CallError {
	if r.Call.Err == nil {
		return nil
	}
	return &protocol.CallError{
		Code:    string(r.Call.Err.Code),
		Message: dialect.Message(r.Conversation.Locale, r.Tool, r.Call.Err),
		Found:   dialect.Found(r.Conversation.Locale, r.Call.Err),
	}
}

// Uncollectable reports whether nobody will ask for the outcome: the agent took the question back, or it was for guidance.
func (r *Record) Uncollectable() bool {
	return r.Guidance != nil || r.Outcome.Outcome == protocol.OutcomeWithdrawn
}

// states are the protocol's states of the machine's phases.
var states = []protocol.ItemState{
	session.Streaming: protocol.ItemStreaming, session.Queued: protocol.ItemQueued, session.Pending: protocol.ItemPending,
}

// Rendering is a question's Markdown, which is read once for all interfaces, outside the registry's lock: it may take long.
type Rendering struct {
	once sync.Once
	made atomic.Bool
	read *protocol.Rendered
}

// Make reads the Markdown, unless that was done.
func (m *Rendering) Make(read func() *protocol.Rendered) {
	m.once.Do(func() {
		m.read = read()
		m.made.Store(true)
	})
}

// Made returns the Markdown, which is nil if all texts are plain, and false before it was read or while it is being read.
func (m *Rendering) Made() (*protocol.Rendered, bool) {
	if !m.made.Load() {
		return nil, false
	}
	return m.read, true
}
