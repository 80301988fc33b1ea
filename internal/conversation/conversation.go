package conversation

import (
	"slices"
	"time"

	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

// DefaultMistakeLimit is how many invalid calls in a row lead to the user being asked for guidance.
const DefaultMistakeLimit = 3

// Conversation is one session: the machine's state and what belongs to it. Its fields are guarded by the registry's lock.
type Conversation struct {
	// ID is made of Agent and Key, which tells this agent's conversations apart.
	ID, Agent, Key string
	// Account is whose it is, where several share this process.
	Account   string
	Folders   []protocol.WorkspaceFolder
	Locale    locale.Tag
	ResultTag protocol.ResultTag
	Reading   dialect.Options
	State     session.State
	// Records are the calls that were read, in the order of asking; those that are over and stored are not kept here.
	Records []*Record
	// Open tells that an agent of this process has opened it, or goes on with it; others are here because of their questions.
	Open bool
	// Bound tells that its questions end with the processes that have asked them.
	Bound bool
	// NotShownAfter replaces the registry's for this conversation. If nil, the registry's applies.
	NotShownAfter *time.Duration
	// Closed tells that the conversation is over.
	Closed bool

	listed   bool       // it stands among those that are open here
	changed  Mark       // when it, or a record of it, was last changed
	released Mark       // up to which of its changes may be told
	untold   []*Record  // those with changes that may not be told yet
	receipts []*receipt // in the order of their marks
}

// Open opens a session, or goes on with the one in memory; it tells whether no agent here had it open. A conversation that was
// over begins anew.
func (g *Registry) Open(id string, p protocol.SessionOpenParams) (c *Conversation, first bool) {
	if c = g.sessions[id]; c == nil {
		c = &Conversation{ID: id, Agent: p.Agent, Key: p.Key, Closed: true}
		g.sessions[id] = c
	}
	if c.Closed {
		c.Folders, c.Locale, c.ResultTag, c.Reading = g.Folders, g.Locale, protocol.ResultTagAnswer, dialect.Options{}
		c.Bound = false
		c.State = session.State{Limit: DefaultMistakeLimit}
		c.Closed = false
	}
	first = g.open(c)
	c.set(p)
	g.TouchConversation(c)
	return c, first
}

// set takes the options that are named; the others stay as they are.
func (c *Conversation) set(p protocol.SessionOpenParams) {
	if p.WorkspaceFolders != nil {
		c.Folders = p.WorkspaceFolders
	}
	if p.Locale != "" {
		c.Locale = locale.Match(p.Locale)
	}
	if p.MistakeLimit != nil {
		c.State.Limit = *p.MistakeLimit
	}
	if p.ResultTag != "" {
		c.ResultTag = p.ResultTag
	}
	if p.Strict != nil {
		c.Reading.Strict = *p.Strict
	}
	if p.OpaqueTags != nil {
		c.Reading.OpaqueTags = p.OpaqueTags
	}
	if p.Limits != nil {
		c.Reading.Limits = question.Limits(*p.Limits)
	}
	if p.Bound != nil {
		c.Bound = *p.Bound
	}
}

// Workspace is what the history files a session's questions under: its first folder.
func (c *Conversation) Workspace() string {
	if len(c.Folders) == 0 {
		return ""
	}
	return string(c.Folders[0].URI)
}

// Changed marks the section in which it, or a record of it, was last changed.
func (c *Conversation) Changed() Mark { return c.changed }

// remove takes a record out of those that a session still needs.
func (c *Conversation) remove(r *Record) {
	c.Records = slices.DeleteFunc(c.Records, func(other *Record) bool { return other == r })
}
