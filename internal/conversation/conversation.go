package conversation

import (
	"reflect"
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
	Settings
	State session.State
	// Records are the calls that were read, in the order of asking; those that are over and stored are not kept here.
	Records []*Record
	// Aliases are what its agent calls those of its questions that have another id here; see Record.AgentID.
	Aliases map[string]string
	// Open tells that an agent of this process has opened it, or goes on with it; others are here because of their questions.
	Open bool
	// NotShownAfter replaces the registry's for this conversation. If nil, the registry's applies.
	NotShownAfter *time.Duration
	changed       Mark      // when it, or a record of it, was last changed
	released      Mark      // up to which of its changes may be told
	untold        []*Record // those with changes that may not be told yet
	receipts      []receipt // in the order of their marks
}

// Settings are how a session was opened.
type Settings struct {
	Account   string // whose it is, where several share this process
	Folders   []protocol.WorkspaceFolder
	Locale    locale.Tag
	ResultTag protocol.ResultTag
	Reading   dialect.Options
	// Bound tells that its questions end with the processes that have asked them.
	Bound  bool
	Closed bool // the conversation is over
}

// Open opens a session, or continues it; a closed one begins anew. first reports whether no agent here had it open.
func (g *Registry) Open(id string, p protocol.SessionOpenParams) (c *Conversation, first bool) {
	if c = g.sessions[id]; c == nil {
		c = &Conversation{ID: id, Agent: p.Agent, Key: p.Key, Settings: Settings{Closed: true}}
		g.sessions[id] = c
	}
	was, limit := c.Settings, c.State.Limit
	if c.Closed {
		c.Settings = Settings{Folders: g.Folders, Locale: g.Locale, ResultTag: protocol.ResultTagAnswer}
		c.State = session.State{Limit: DefaultMistakeLimit}
	}
	first, c.Open = !c.Open, true
	c.set(p)
	if c.State.Limit != limit || !reflect.DeepEqual(c.Settings, was) {
		g.TouchConversation(c)
	}
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

// Alias notes what its agent calls the question with an id.
func (c *Conversation) Alias(id, called string) {
	if c.Aliases == nil {
		c.Aliases = map[string]string{}
	}
	c.Aliases[id] = called
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

func (c *Conversation) remove(r *Record) { c.Records = without(c.Records, r) }

// without removes a record from a list of its own. That is the first one most often: dropping many takes linear time.
func without(all []*Record, r *Record) []*Record {
	switch at := slices.Index(all, r); at {
	case -1:
		return all
	case 0:
		all[0] = nil
		return all[1:]
	default:
		return slices.Delete(all, at, at+1)
	}
}
