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
	Private bool // permits addresses of this machine or a private network
}

// Record is a question, or an invalid call. The registry's lock guards its fields.
type Record struct {
	ID, Tool     string
	Conversation *Conversation
	// StreamID is the stream of the call, and CallID the caller's id of a native call.
	StreamID, CallID string
	State            protocol.ItemState
	// Call is the parsed call. While the call is arriving, it only has the context.
	Call question.Call
	// Partial is the parsed part of an arriving call.
	Partial Partial
	AskedAt time.Time
	// Order is a global sequence number, assigned when the question is asked.
	Order int
	// Deadline is when its first asker stops waiting; zero means never.
	Deadline time.Time
	// Outcome is nil while the question is open. Answer is the agent's answer to a closed question.
	Outcome  *protocol.ItemOutcome
	Answer   protocol.Answer
	Guidance *protocol.Guidance // set if it is a request for guidance
	// GuidedBy is the request for guidance that an invalid call waits for.
	GuidedBy *Record
	// Draft is an unsent answer, or nil. Its images have hashes and data, and are never changed.
	Draft *protocol.Draft
	// Superseded means that the store already had another outcome when this one was given.
	Superseded bool
	Collected  bool       // an agent has received the answer
	Rendering  *Rendering // the Markdown of a complete call
	// Durable means that the store has the outcome. Only the persister changes it.
	Durable bool

	// Callback is where the outcome is delivered; nil means nowhere. Only the store keeps it, so a loaded question has none.
	Callback *Callback

	// strict means that its outcome is announced only once it is durable, even while nothing can be saved: see Registry.GiveDecision.
	strict   bool
	receipts []func() // called when its outcome is announced

	quotes   []protocol.Quote
	changed  Mark
	show     bool          // the interface must be notified once the change is released
	done     chan struct{} // closed when the outcome is announced
	askers   int           // waiting question/ask requests
	waiters  int           // all waiting requests, askers included
	left     bool          // no client waits for it; see Registry.leave
	visited  bool          // it was orphaned until requests of other conversations began to wait, none of which has got a result yet
	notShown *time.Timer   // runs while it is pending and there is no interface
	clock    int64         // the time of the timed choice, as sent to the interface; 0 means none
	expiry   *time.Timer   // makes the timed choice
	expires  time.Time     // when it does, by the monotonic clock
	// expiresFor is the Due that expires was computed for.
	expiresFor int64
	// ends is when the question expires by the monotonic clock; zero if unknown. endsSurely means that the question was asked here.
	ends       time.Time
	endsSurely bool

	counted  account // its part of the account's sums; see Registry.count
	promised bool    // its stream's end has listed it, and the agent has not received the answer yet
}

// StoredRecord returns a record for a stored question.
func StoredRecord(c *Conversation) *Record {
	return &Record{Conversation: c, Rendering: &Rendering{}, done: make(chan struct{})}
}

// SetOutcome sets the outcome of a record that is loaded from the store.
func (r *Record) SetOutcome(item protocol.ItemOutcome, agent protocol.Answer) {
	r.Outcome, r.Answer, r.State, r.Durable = &item, agent, protocol.ItemClosed, true
	close(r.done)
}

// Whole reports whether the call is complete. A truncated call is not saved.
func (r *Record) Whole() bool {
	return r.Call.Asks() || r.Call.Err != nil
}

// AgentID returns the agent's own id for a question. It differs from ID if another account of the hub had used that id before.
func (r *Record) AgentID() string { return cmp.Or(r.Conversation.Aliases[r.ID], r.ID) }

// Shown reports whether the inbox contains the record.
func (r *Record) Shown() bool {
	return r.State != protocol.ItemClosed && r.State != protocol.ItemHeld
}

// Announced reports whether the outcome was announced to waiting requests.
func (r *Record) Announced() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// Released reports whether the record's current state may be announced: it is on disk, or need not be.
func (r *Record) Released() bool { return r.changed <= r.Conversation.released && !r.Undecided() }

// Undecided reports whether an approval has a decision that may still be lost.
func (r *Record) Undecided() bool { return r.strict && !r.Durable }

// Error returns why a call is invalid; nil for a valid one.
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

// Uncollectable reports whether no agent will ask for the outcome: the agent withdrew the question or is gone, or it was for guidance.
func (r *Record) Uncollectable() bool {
	how := r.Outcome.Outcome
	return r.Guidance != nil || how == protocol.OutcomeWithdrawn || how == protocol.OutcomeDisconnected
}

// states maps the machine's phases to the protocol's states.
var states = []protocol.ItemState{
	session.Streaming: protocol.ItemStreaming, session.Queued: protocol.ItemQueued, session.Pending: protocol.ItemPending,
}

// Rendering is a question's parsed Markdown. It is parsed once for all interfaces, outside the registry's lock, since parsing may
// take long.
type Rendering struct {
	once sync.Once
	made atomic.Pointer[*protocol.Rendered]
}

// Make parses the Markdown, unless it is parsed already.
func (m *Rendering) Make(read func() *protocol.Rendered) {
	m.once.Do(func() {
		made := read()
		m.made.Store(&made)
	})
}

// Made returns the Markdown; nil if all texts are plain. It returns false until the Markdown is parsed.
func (m *Rendering) Made() (*protocol.Rendered, bool) {
	if made := m.made.Load(); made != nil {
		return *made, true
	}
	return nil, false
}
