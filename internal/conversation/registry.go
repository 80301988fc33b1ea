// Package conversation holds the conversations in memory: their questions and their state machines. It does no I/O. A section is
// the work between Enter and Leave. At its end the Persister gets the changes; once they are durable, Release announces them.
package conversation

import (
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"followup/internal/background"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

// A Persister persists the changes of sections. Its methods are called under the lock.
type Persister interface {
	// Persist takes a section's changes, and calls Release for each of its conversations once they are durable.
	Persist(Section)
	// Has reports whether the store has the conversation's current state.
	Has(*Conversation) bool
}

// An Audience is the interface that shows the inbox. Its methods are called under the lock, with released changes.
type Audience interface {
	// Present reports whether there is an interface.
	Present() bool
	// Changed gets a record's new state, Grew an arriving record that has grown, and Removed one that was never completed.
	Changed(*Record)
	Grew(*Record)
	Removed(*Record)
}

// Section has the changes between Enter and Leave. It may contain a record or a conversation several times.
type Section struct {
	// At is the section's mark.
	At Mark
	// Records and Conversations have changes to persist.
	Records       []*Record
	Conversations []*Conversation
	// Collected are records whose agents have received the answer. They alone do not cause a transaction.
	Collected []*Record
}

// Mark is a section's sequence number.
type Mark uint64

// Options are what a registry depends on.
type Options struct {
	// Log must not be nil.
	Log *zap.Logger
	// Background runs background work.
	Background *background.Group
	// NewID returns ids for questions in streams: UUIDs of version 7.
	NewID func() string
	// Now is the clock for questions and outcomes. If nil, it is the system's.
	Now func() time.Time
	// PassText passes a stream's text to its client; see Stream.TakeText. It must not block.
	PassText func(*Stream)
	// Cancelled is the cause of a request's context if the client cancelled the request rather than disconnected.
	Cancelled error
}

// Registry holds all conversations. Its lock guards the exported fields too. Persister and Audience are set before the first
// section.
type Registry struct {
	Persister Persister
	Audience  Audience
	// Locale is the user's language.
	Locale locale.Tag
	// NotShownAfter is how long a pending question waits for an interface. Negative means no limit.
	NotShownAfter time.Duration
	// Remember means that closed questions stay in memory, since there is no store.
	Remember bool

	timed    time.Duration // see SetTimed
	options  Options
	mu       sync.Mutex
	sessions map[string]*Conversation
	records  map[string]*Record
	accounts map[string]account // of a hub, with open questions
	orphans  map[*Record]bool   // orphaned, and open or with an uncollected answer
	bytes    atomic.Int64       // see OpenBytes
	streams  streams
	asked    int // the number of questions so far; assigns Order
	at       Mark
	section  Section
	touched  []*Record // closed in this section, or changed for the interface
	closed   []*Record // those kept by Remember, oldest first
	turns    turns
	reads    func() // called before a call is parsed, without the lock; may be nil
}

// New returns an empty registry.
func New(o Options) *Registry {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Registry{
		options: o, Locale: locale.English, at: 1,
		sessions: map[string]*Conversation{}, records: map[string]*Record{}, accounts: map[string]account{},
		orphans: map[*Record]bool{},
		streams: streams{byID: map[protocol.StreamParams]*Stream{}}, turns: turns{last: map[string]*Turn{}, asking: map[string]string{}},
	}
}

// Enter begins a section: all changes until Leave are one event.
func (g *Registry) Enter() {
	g.mu.Lock()
	g.at++
	g.section = Section{At: g.at}
}

// Leave ends a section. Its changes go to the persister; unpersisted changes are announced at once.
func (g *Registry) Leave() {
	defer g.mu.Unlock()
	section, touched := g.section, g.touched
	g.section, g.touched = Section{}, nil
	for _, r := range touched {
		if !r.Released() {
			r.Conversation.unreleased = append(r.Conversation.unreleased, r)
			continue
		}
		g.announce(r)
	}
	if len(section.Conversations)+len(section.Collected) > 0 {
		g.Persister.Persist(section)
	}
	g.evictIdle()
}

// View calls look under the lock. look must not change state that is persisted.
func (g *Registry) View(look func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	look()
}

// Touch records a change to persist.
func (g *Registry) Touch(r *Record) {
	r.changed = g.at
	g.section.Records = append(g.section.Records, r)
	g.TouchConversation(r.Conversation)
}

// TouchConversation records a change of a conversation to persist.
func (g *Registry) TouchConversation(c *Conversation) {
	c.changed = g.at
	g.section.Conversations = append(g.section.Conversations, c)
}

// Show notifies the interface of a record once its changes are released, at the end of this section or the next one.
func (g *Registry) Show(r *Record) {
	r.show = true
	g.touched = append(g.touched, r)
}

// hide removes an incomplete call from the interface.
func (g *Registry) hide(r *Record) {
	r.show = false
	g.Audience.Removed(r)
}

// Release announces the changes of a conversation's sections up to a mark. It is called in a section, or by Keep.
func (g *Registry) Release(c *Conversation, upTo Mark) {
	if upTo <= c.released && len(c.unreleased) == 0 {
		return
	}
	c.released = max(c.released, upTo)
	unreleased := c.unreleased
	c.unreleased = nil
	for _, r := range unreleased {
		if r.Released() {
			g.announce(r)
		} else {
			c.unreleased = append(c.unreleased, r)
		}
	}
	for len(c.receipts) > 0 && c.receipts[0].at <= c.released {
		then := c.receipts[0].then
		c.receipts = c.receipts[1:]
		then()
	}
	g.forgetConversation(c)
}

// announce announces a record's state to the interface and to those who wait for it.
func (g *Registry) announce(r *Record) {
	if r.show {
		r.show = false
		g.Audience.Changed(r)
	}
	if r.Outcome != nil && !r.Announced() {
		close(r.done)
		receipts := r.receipts
		r.receipts = nil
		for _, then := range receipts {
			then()
		}
		g.Forget(r)
	}
}

// receipt is called when the changes up to its mark are released.
type receipt struct {
	at   Mark
	then func()
}

// Released calls then, under the lock, when all changes of a conversation are released. It is called under the lock.
func (g *Registry) Released(c *Conversation, then func()) {
	if c.changed > c.released {
		c.receipts = append(c.receipts, receipt{c.changed, then})
	} else {
		then()
	}
}

// Settled is Released for a question. It also waits until the decision on an approval is durable.
func (g *Registry) Settled(r *Record, then func()) {
	if r.Undecided() {
		r.receipts = append(r.receipts, then)
	} else {
		g.Released(r.Conversation, then)
	}
}

// Conversation returns an open session for an agent that continues it. The caller loads an evicted session first.
func (g *Registry) Conversation(id string) (*Conversation, error) {
	c, ok := g.sessions[id]
	if !ok || c.Closed {
		return nil, NoSession(id)
	}
	c.Open = true
	return c, nil
}

// openKept is how many idle sessions stay in memory.
const openKept = 64

// evictIdle drops idle sessions from memory beyond openKept, because agents often exit without closing theirs. They are reloaded on demand.
func (g *Registry) evictIdle() {
	looked := 0
	for _, c := range g.sessions { // in random order
		if looked++; looked > 2 || len(g.sessions) <= openKept { // two per new session, so that their number falls
			return
		}
		busy := len(c.Records) > 0 || c.changed > c.released || g.turns.last[c.ID] != nil || g.streams.reads(c)
		if !g.Remember && !busy && g.Persister.Has(c) {
			c.Open = false
			g.forgetConversation(c)
		}
	}
}

// Known returns a session in memory, whether opened here or not, or nil.
func (g *Registry) Known(id string) *Conversation { return g.sessions[id] }

// Add adds a session to memory.
func (g *Registry) Add(c *Conversation) { g.sessions[c.ID] = c }

// Record returns a question in memory, or nil.
func (g *Registry) Record(id string) *Record { return g.records[id] }

// AddRecord adds a loaded open question to memory. It is orphaned until a client waits for it.
func (g *Registry) AddRecord(r *Record) {
	g.asked, r.left, g.orphans[r] = max(g.asked, r.Order), true, true
	g.hold(r)
	g.watchExpiry(r, false)
}

func (g *Registry) hold(r *Record) {
	g.records[r.ID] = r
	r.Conversation.Records = append(r.Conversation.Records, r)
	g.count(r)
}

func (g *Registry) drop(r *Record) {
	delete(g.records, r.ID)
	delete(g.orphans, r)
	r.Conversation.remove(r)
	g.count(r)
}

// account counts the open questions of a hub's account, and approximately the bytes of text in them.
type account struct{ open, bytes int }

// count updates the sums of a record's account after a change of the record.
func (g *Registry) count(r *Record) {
	name := r.Conversation.Account
	if name == "" {
		return
	}
	was := r.counted
	r.counted = account{}
	if g.records[r.ID] == r && r.Outcome == nil {
		r.counted = account{1, r.Call.Size()}
	}
	of := g.accounts[name]
	of.open += r.counted.open - was.open
	of.bytes += r.counted.bytes - was.bytes
	g.bytes.Add(int64(r.counted.bytes - was.bytes))
	if g.accounts[name] = of; of == (account{}) {
		delete(g.accounts, name)
	}
}

// OpenOf returns the number of a hub account's open questions, and approximately the bytes of text in them.
func (g *Registry) OpenOf(name string) (open, bytes int) {
	return g.accounts[name].open, g.accounts[name].bytes
}

// OpenBytes returns approximately how many bytes of text the open questions of all accounts of a hub have. It takes no lock.
func (g *Registry) OpenBytes() int { return int(g.bytes.Load()) }

// DisconnectAccount closes the open questions of a hub's account. It is called in a section.
func (g *Registry) DisconnectAccount(name string) (closed int) {
	for _, r := range g.records {
		if r.Conversation.Account == name && r.Outcome == nil && r.Whole() && g.takeBack(r, question.Disconnected) == nil {
			closed++
		}
	}
	return closed
}

// Ordered sets the sequence number that the store has assigned to a question.
func (g *Registry) Ordered(r *Record, order int) {
	r.Order = order
	g.asked = max(g.asked, order)
}

// Records returns all questions in memory, and Conversations all sessions.
func (g *Registry) Records() iter.Seq[*Record]             { return maps.Values(g.records) }
func (g *Registry) Conversations() iter.Seq[*Conversation] { return maps.Values(g.sessions) }

// Shown returns the questions in the inbox, ordered by Order.
func (g *Registry) Shown() []*Record {
	all := slices.SortedFunc(maps.Values(g.records), func(a, b *Record) int { return a.Order - b.Order })
	return slices.DeleteFunc(all, func(r *Record) bool { return !r.Shown() })
}

// newRecord adds a record for a call that begins to arrive.
func (g *Registry) newRecord(c *Conversation, id, tool string) *Record {
	g.asked++
	r := &Record{
		ID: id, Tool: tool, Conversation: c, State: protocol.ItemStreaming, AskedAt: g.options.Now(), Order: g.asked,
		Rendering: &Rendering{}, done: make(chan struct{}),
	}
	g.hold(r)
	return r
}

// remembered is how many closed questions stay in memory. Without a store, these are any closed questions; otherwise they
// are those with promised answers, which the user may delete from the history.
const remembered = 256

// Forget evicts a closed question that is durable or cannot become durable, once nobody here waits for it and its stream
// has ended.
func (g *Registry) Forget(r *Record) {
	if r.waiters > 0 || r.Outcome == nil || !r.Announced() || g.records[r.ID] != r || r.Whole() && !r.Durable && !g.Remember {
		return
	}
	if g.streams.growing(r) {
		return
	}
	if (g.Remember || r.promised) && r.Whole() {
		if r = g.remember(r); r == nil {
			return
		}
	} else {
		g.closed = slices.DeleteFunc(g.closed, func(other *Record) bool { return other == r })
	}
	g.drop(r)
	g.streams.forget(r)
	g.forgetConversation(r.Conversation)
}

// remember keeps a closed question in memory, and returns the one to evict instead, or nil.
func (g *Registry) remember(r *Record) *Record {
	if !slices.Contains(g.closed, r) {
		g.closed = append(g.closed, r)
	}
	if len(g.closed) <= remembered {
		return nil
	}
	oldest := g.closed[0]
	g.closed = g.closed[1:]
	if oldest.waiters > 0 { // Forget is called again when they have their answers
		return nil
	}
	return oldest
}

// forgetConversation evicts a session that no agent here has open, if all of it is stored.
func (g *Registry) forgetConversation(c *Conversation) {
	if len(c.Records) > 0 || c.Open || c.changed > c.released || g.sessions[c.ID] != c {
		return
	}
	delete(g.sessions, c.ID)
}
