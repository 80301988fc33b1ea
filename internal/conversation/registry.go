// Package conversation holds the conversations in memory: their questions, and what their machines decide. It writes nothing
// down and tells nobody by itself. What is done between Enter and Leave is one section; at its end a Persister gets what was
// changed, and Release lets it be told.
package conversation

import (
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"followup/internal/background"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/session"
)

// A Persister persists what sections change. It is called under the lock.
type Persister interface {
	// Persist takes what a section has changed, and calls Release for each of its conversations once that is durable.
	Persist(Section)
	// Has reports whether a conversation can be read back as it is.
	Has(*Conversation) bool
	// Forget is called for a conversation that leaves memory.
	Forget(*Conversation)
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
	// PassText hands on what a stream has to tell; see Stream.TakeText. It must not block.
	PassText func(*Stream)
}

// Registry is all conversations. The exported fields are guarded by its lock, like all that it holds; Persister and Audience are
// set before the first section.
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
	accounts map[string]map[*Record]bool // the records of a hub's accounts, by name
	streams  streams
	asked    int // how many questions there have been; gives each its order
	at       Mark
	section  Section
	touched  []*Record       // those that have ended in this section, or that the interface has to be told of
	over     []*Record       // what Remember keeps, oldest first
	opened   []*Conversation // those that agents here have open, and some that they had, in the order in which they are to be let go of
	turns    turns
	reads    func() // called before a call is read, without the lock; may be nil
}

// New makes a registry.
func New(o Options) *Registry {
	return &Registry{
		options: o, Locale: locale.English, at: 1,
		sessions: map[string]*Conversation{}, records: map[string]*Record{}, accounts: map[string]map[*Record]bool{},
		streams: streams{byID: map[string]*Stream{}, refused: map[string]unresumed{}}, turns: turns{last: map[string]*Turn{}, asking: map[string]string{}},
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
	for _, r := range section.Records {
		section.Conversations = append(section.Conversations, r.Conversation)
		r.changed, r.Conversation.changed = section.At, section.At
	}
	for _, c := range section.Conversations {
		c.changed = section.At
	}
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
	g.letRest()
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
func (g *Registry) Touch(r *Record) { g.section.Records = append(g.section.Records, r) }

// TouchConversation notes that a conversation has.
func (g *Registry) TouchConversation(c *Conversation) {
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
	at := c.changed
	for _, r := range g.section.Records {
		if r.Conversation == c {
			at = g.section.At
		}
	}
	if slices.Contains(g.section.Conversations, c) {
		at = g.section.At
	}
	if at <= c.released {
		return told
	}
	if last := len(c.receipts) - 1; last >= 0 && c.receipts[last].at == at {
		return c.receipts[last].done
	}
	made := &receipt{at, make(chan struct{})}
	c.receipts = append(c.receipts, made)
	return made.done
}

// told is the receipt of what was told already.
var told = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Conversation finds a session that was opened and is not over, for an agent that goes on with it. One that is not in memory has
// to be looked up before.
func (g *Registry) Conversation(id string) (*Conversation, error) {
	c, ok := g.sessions[id]
	if !ok || c.Closed {
		return nil, NoSession(id)
	}
	g.open(c)
	return c, nil
}

// open notes that an agent here goes on with a session, and tells whether none had it open.
func (g *Registry) open(c *Conversation) (first bool) {
	first, c.Open = !c.Open, true
	if !c.listed {
		c.listed = true
		g.opened = append(g.opened, c)
	}
	return first
}

// openKept is how many open sessions stay in memory in which nothing goes on.
const openKept = 64

// letRest lets go of a session that was opened long ago, in which nothing goes on, where there are many: agents vanish without closing
// theirs. Who goes on with it finds it in the store.
func (g *Registry) letRest() {
	for range 2 { // so that they do not become more
		if len(g.opened) <= openKept {
			return
		}
		c := g.opened[0]
		g.opened = g.opened[1:]
		if c.Open && (g.Remember || len(c.Records) > 0 || c.changed > c.released || g.turns.pending(c.ID) || g.streams.reads(c) || !g.Persister.Has(c)) {
			g.opened = append(g.opened, c)
			continue
		}
		c.Open, c.listed = false, false
		g.forgetConversation(c)
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
	g.asked, r.left = max(g.asked, r.Order), true
	g.hold(r)
}

// hold puts a record where it is found.
func (g *Registry) hold(r *Record) {
	c := r.Conversation
	g.records[r.ID] = r
	c.Records = append(c.Records, r)
	if c.Account == "" {
		return
	}
	if g.accounts[c.Account] == nil {
		g.accounts[c.Account] = map[*Record]bool{}
	}
	g.accounts[c.Account][r] = true
}

// drop is the opposite of hold.
func (g *Registry) drop(r *Record) {
	c := r.Conversation
	delete(g.records, r.ID)
	if delete(g.accounts[c.Account], r); len(g.accounts[c.Account]) == 0 {
		delete(g.accounts, c.Account)
	}
	c.remove(r)
}

// OpenOf returns how many questions of a hub's account are open, and about how many bytes of text they and those of all accounts have.
func (g *Registry) OpenOf(account string) (open, bytes, all int) {
	for name, records := range g.accounts {
		for r := range records {
			if r.Outcome != nil {
				continue
			}
			size := r.Call.Size()
			all += size
			if name == account {
				open, bytes = open+1, bytes+size
			}
		}
	}
	return open, bytes, all
}

// WithdrawOf withdraws the open questions of a hub's account. It is called in a section.
func (g *Registry) WithdrawOf(account string) (withdrawn int) {
	for r := range g.accounts[account] {
		if r.Outcome == nil && r.Whole() && r.State != protocol.ItemClosed {
			g.mustApply(r.Conversation, session.Withdrawn{ID: r.ID})
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

// Records calls each for every question in memory.
func (g *Registry) Records(each func(*Record)) {
	for _, r := range g.records {
		each(r)
	}
}

// Conversations calls each for every session in memory.
func (g *Registry) Conversations(each func(*Conversation)) {
	for _, c := range g.sessions {
		each(c)
	}
}

// Shown gives the questions that stand in the inbox, in the order of asking.
func (g *Registry) Shown() []*Record {
	var shown []*Record
	for _, r := range g.records {
		if r.Shown() {
			shown = append(shown, r)
		}
	}
	slices.SortFunc(shown, func(a, b *Record) int { return a.Order - b.Order })
	return shown
}

// newRecord notes a call that begins to be read.
func (g *Registry) newRecord(c *Conversation, id, tool string) *Record {
	g.asked++
	r := &Record{
		ID: id, Tool: tool, Conversation: c, State: protocol.ItemStreaming, AskedAt: time.Now(), Order: g.asked,
		Rendering: &Rendering{}, done: make(chan struct{}),
	}
	g.hold(r)
	return r
}

// remembered is how many questions that are over stay in memory: where nothing is kept on disk, and of those whose answers an
// agent was promised, which the user may have deleted from the disk before it asks for them.
const remembered = 256

// Forget lets go of a question that is over once it is kept elsewhere, or cannot be, nobody here waits for it any more, and its
// stream has ended.
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
	} else if r.remembered {
		r.remembered = false
		g.over = slices.DeleteFunc(g.over, func(other *Record) bool { return other == r })
	}
	g.drop(r)
	g.streams.forget(r)
	g.forgetConversation(r.Conversation)
}

// remember keeps a question that is over, and gives the one that is let go of for it; nil for none.
func (g *Registry) remember(r *Record) *Record {
	if !r.remembered {
		r.remembered = true
		g.over = append(g.over, r)
	}
	if len(g.over) <= remembered {
		return nil
	}
	oldest := g.over[0]
	g.over = g.over[1:]
	if oldest.remembered = false; oldest.waiters > 0 { // it comes back when they have their answers
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
	g.Persister.Forget(c)
}
