// Package conversation holds the conversations in memory: their questions, and what their machines decide. It writes nothing
// down and tells nobody by itself. What is done between Enter and Leave is one section; at its end a Persister gets what was
// changed, and Release lets it be told.
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
)

// A Persister persists what sections change. It is called under the lock.
type Persister interface {
	// Persist takes what a section has changed, and calls Release for each of its conversations once that is durable.
	Persist(Section)
	// Has reports whether a conversation can be read back as it is.
	Has(*Conversation) bool
}

// An Audience is the interface that shows the inbox. It is called under the lock, with what may be told.
type Audience interface {
	// Present tells whether there is one.
	Present() bool
	// Changed tells of a record's new state, Grew that more of it has arrived, Removed that it never became whole.
	Changed(*Record)
	Grew(*Record)
	Removed(*Record)
}

// Section is what was changed between Enter and Leave; a record or a conversation may stand in it several times.
type Section struct {
	// At marks the section.
	At Mark
	// Records and Conversations have changed in a way that is kept.
	Records       []*Record
	Conversations []*Conversation
	// Collected are records whose agents have been given the answer. That is not worth a write of its own.
	Collected []*Record
}

// Mark is a section's place among all sections.
type Mark uint64

// Options are what a registry runs on.
type Options struct {
	// Log must not be nil.
	Log *zap.Logger
	// Background starts what runs beside.
	Background *background.Group
	// NewID makes the ids of questions that are found in streams: UUIDs of version 7.
	NewID func() string
	// Now is the clock of what is asked and how it ends. If nil, it is the system's.
	Now func() time.Time
	// PassText hands on what a stream has to tell; see Stream.TakeText. It must not block.
	PassText func(*Stream)
	// Cancelled is the cause with which the context of a request ends that its client has cancelled, rather than by the connection's end.
	Cancelled error
}

// Registry holds all conversations. Its lock guards the exported fields too. Persister and Audience are set before the first section.
type Registry struct {
	Persister Persister
	Audience  Audience
	// Locale and Folders are the editor's.
	Locale  locale.Tag
	Folders []protocol.WorkspaceFolder
	// NotShownAfter is how long a pending question waits for an interface; negative: for good.
	NotShownAfter time.Duration
	// Remember tells that what is over has to stay in memory, since it is kept nowhere else.
	Remember bool

	timed    time.Duration // see SetTimed
	options  Options
	mu       sync.Mutex
	sessions map[string]*Conversation
	records  map[string]*Record
	accounts map[string]account // a hub's that have open questions
	orphans  map[*Record]bool   // those that were left, and are open or have an answer that nobody has collected
	bytes    atomic.Int64       // see OpenBytes
	streams  streams
	asked    int // how many questions there have been; gives each its order
	at       Mark
	section  Section
	touched  []*Record // those that have ended in this section, or that the interface has to be told of
	over     []*Record // what Remember keeps, oldest first
	turns    turns
	reads    func() // called before a call is read, without the lock; may be nil
}

// New makes a registry.
func New(o Options) *Registry {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Registry{
		options: o, Locale: locale.English, at: 1,
		sessions: map[string]*Conversation{}, records: map[string]*Record{}, accounts: map[string]account{},
		orphans: map[*Record]bool{},
		streams: streams{byID: map[string]*Stream{}}, turns: turns{last: map[string]*Turn{}, asking: map[string]string{}},
	}
}

// Enter begins a section: what is done until Leave is one event.
func (g *Registry) Enter() {
	g.mu.Lock()
	g.at++
	g.section = Section{At: g.at}
}

// Leave ends a section. What it has changed goes to the persister; the rest is told at once.
func (g *Registry) Leave() {
	defer g.mu.Unlock()
	section, touched := g.section, g.touched
	g.section, g.touched = Section{}, nil
	for _, r := range touched {
		if !r.Tellable() {
			r.Conversation.untold = append(r.Conversation.untold, r)
			continue
		}
		g.tell(r)
	}
	if len(section.Conversations)+len(section.Collected) > 0 {
		g.Persister.Persist(section)
	}
	g.evictIdle()
}

// View calls look under the lock. It must change nothing that is kept.
func (g *Registry) View(look func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	look()
}

// Later has the interface told of a record that may not be told as it is now.
func (g *Registry) Later(r *Record) {
	r.show = true
	r.Conversation.untold = append(r.Conversation.untold, r)
}

// Touch notes that a record has changed in a way that is kept.
func (g *Registry) Touch(r *Record) {
	r.changed = g.at
	g.section.Records = append(g.section.Records, r)
	g.TouchConversation(r.Conversation)
}

// TouchConversation notes that a conversation has.
func (g *Registry) TouchConversation(c *Conversation) {
	c.changed = g.at
	g.section.Conversations = append(g.section.Conversations, c)
}

// Show has the interface told of a record once what was changed may be told.
func (g *Registry) Show(r *Record) {
	r.show = true
	g.touched = append(g.touched, r)
}

// hide takes a call that never became whole away from the interface.
func (g *Registry) hide(r *Record) {
	r.show = false
	g.Audience.Removed(r)
}

// Release lets be told what a conversation's sections have changed up to a mark. It is called in a section, or by Keep.
func (g *Registry) Release(c *Conversation, upTo Mark) {
	if upTo <= c.released {
		return
	}
	c.released = upTo
	untold := c.untold
	c.untold = nil
	for _, r := range untold {
		if r.Tellable() {
			g.tell(r)
		} else {
			c.untold = append(c.untold, r)
		}
	}
	for len(c.receipts) > 0 && c.receipts[0].at <= upTo {
		close(c.receipts[0].done)
		c.receipts = c.receipts[1:]
	}
	g.forgetConversation(c)
}

// tell tells whoever waits for a record, and the interface, how it stands.
func (g *Registry) tell(r *Record) {
	if r.show {
		r.show = false
		g.Audience.Changed(r)
	}
	if r.Outcome != nil && !r.Told() {
		close(r.done)
		g.Forget(r)
	}
}

// receipt is closed when what was changed up to its mark may be told.
type receipt struct {
	at   Mark
	done chan struct{}
}

// Receipt gives what is closed when all that was changed of a conversation may be told. It is called under the lock.
func (g *Registry) Receipt(c *Conversation) <-chan struct{} {
	done := make(chan struct{})
	if c.changed > c.released {
		c.receipts = append(c.receipts, receipt{c.changed, done})
	} else {
		close(done)
	}
	return done
}

// Conversation returns an open session for an agent that continues it. One that left memory has to be looked up before.
func (g *Registry) Conversation(id string) (*Conversation, error) {
	c, ok := g.sessions[id]
	if !ok || c.Closed {
		return nil, NoSession(id)
	}
	c.Open = true
	return c, nil
}

// openKept is how many sessions stay in memory while nothing goes on in them.
const openKept = 64

// evictIdle drops idle sessions from memory beyond openKept, because agents often exit without closing theirs. They are reloaded on demand.
func (g *Registry) evictIdle() {
	looked := 0
	for _, c := range g.sessions { // in random order
		if looked++; looked > 2 || len(g.sessions) <= openKept { // two for each that is opened: so they become fewer
			return
		}
		busy := len(c.Records) > 0 || c.changed > c.released || g.turns.last[c.ID] != nil || g.streams.reads(c)
		if !g.Remember && !busy && g.Persister.Has(c) {
			c.Open = false
			g.forgetConversation(c)
		}
	}
}

// Known finds a session that is in memory, opened here or not; nil when it is not.
func (g *Registry) Known(id string) *Conversation { return g.sessions[id] }

// Add puts a session into memory.
func (g *Registry) Add(c *Conversation) { g.sessions[c.ID] = c }

// Record finds a question that is in memory; nil when it is not.
func (g *Registry) Record(id string) *Record { return g.records[id] }

// AddRecord puts an open question of the store into memory. It is orphaned until a client waits for it.
func (g *Registry) AddRecord(r *Record) {
	g.asked, r.left, g.orphans[r] = max(g.asked, r.Order), true, true
	g.hold(r)
	g.watchExpiry(r)
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

// account is how many open questions a hub's account has, and about how many bytes of text these have.
type account struct{ open, bytes int }

// count updates the sums of a record's account, after the record was held or dropped, or its call or its outcome has changed.
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

// OpenOf returns how many questions of a hub's account are open, and about how many bytes of text they have.
func (g *Registry) OpenOf(name string) (open, bytes int) {
	return g.accounts[name].open, g.accounts[name].bytes
}

// OpenBytes returns about how many bytes of text the open questions of all accounts of a hub have. It takes no lock.
func (g *Registry) OpenBytes() int { return int(g.bytes.Load()) }

// WithdrawOf withdraws the open questions of a hub's account. It is called in a section.
func (g *Registry) WithdrawOf(name string) (withdrawn int) {
	for _, r := range g.records {
		if r.Conversation.Account == name && r.Outcome == nil && r.Whole() {
			g.withdraw(r)
			withdrawn++
		}
	}
	return withdrawn
}

// Ordered notes the place in the order of asking that the store has given a question.
func (g *Registry) Ordered(r *Record, order int) {
	r.Order = order
	g.asked = max(g.asked, order)
}

// Records are all questions in memory, and Conversations all sessions.
func (g *Registry) Records() iter.Seq[*Record]             { return maps.Values(g.records) }
func (g *Registry) Conversations() iter.Seq[*Conversation] { return maps.Values(g.sessions) }

// Shown gives the questions that stand in the inbox, in the order of asking.
func (g *Registry) Shown() []*Record {
	all := slices.SortedFunc(maps.Values(g.records), func(a, b *Record) int { return a.Order - b.Order })
	return slices.DeleteFunc(all, func(r *Record) bool { return !r.Shown() })
}

// newRecord notes a call that begins to be read.
func (g *Registry) newRecord(c *Conversation, id, tool string) *Record {
	g.asked++
	r := &Record{
		ID: id, Tool: tool, Conversation: c, State: protocol.ItemStreaming, AskedAt: g.options.Now(), Order: g.asked,
		Rendering: &Rendering{}, done: make(chan struct{}),
	}
	g.hold(r)
	return r
}

// remembered is how many closed questions stay in memory: if there is no disk, and of promised answers, which the user may delete there.
const remembered = 256

// Forget drops a closed question that is durable, or cannot be, once nobody here waits for it and its stream has ended.
func (g *Registry) Forget(r *Record) {
	if r.waiters > 0 || r.Outcome == nil || !r.Told() || g.records[r.ID] != r || r.Whole() && !r.Durable && !g.Remember {
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
		g.over = slices.DeleteFunc(g.over, func(other *Record) bool { return other == r })
	}
	g.drop(r)
	g.streams.forget(r)
	g.forgetConversation(r.Conversation)
}

// remember keeps a question that is over, and gives the one that is let go of for it; nil for none.
func (g *Registry) remember(r *Record) *Record {
	if !slices.Contains(g.over, r) {
		g.over = append(g.over, r)
	}
	if len(g.over) <= remembered {
		return nil
	}
	oldest := g.over[0]
	g.over = g.over[1:]
	if oldest.waiters > 0 { // it comes back when they have their answers
		return nil
	}
	return oldest
}

// forgetConversation lets go of a session that no agent here has open, of which all is kept elsewhere.
func (g *Registry) forgetConversation(c *Conversation) {
	if len(c.Records) > 0 || c.Open || c.changed > c.released || g.sessions[c.ID] != c {
		return
	}
	delete(g.sessions, c.ID)
}
