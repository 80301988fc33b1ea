package conversation

import (
	"reflect"
	"slices"
	"time"

	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/session"
)

// DefaultMistakeLimit is how many invalid calls in a row cause a request for guidance.
const DefaultMistakeLimit = 3

// Conversation is a session: the machine's state and its questions. The registry's lock guards its fields.
type Conversation struct {
	// ID is derived from Agent and Key, which distinguishes the agent's conversations.
	ID, Agent, Key string
	Settings
	State session.State
	// Records are the calls in the order in which they were asked, without those that are closed and stored.
	Records []*Record
	// Aliases maps the ids of questions to the agent's own ids, where they differ; see Record.AgentID.
	Aliases map[string]string
	// Open means that an agent of this process has opened the session. Others are in memory because of their questions.
	Open bool
	// NotShownAfter, if not nil, overrides the registry's.
	NotShownAfter *time.Duration
	changed       Mark      // of the last change to it or a record of it
	released      Mark      // changes up to here may be announced
	unreleased    []*Record // records with unreleased changes
	receipts      []receipt // ordered by mark
}

// Settings are the options of a session.
type Settings struct {
	Account   string                     `json:"account,omitempty"` // the owner, at a hub
	Folders   []protocol.WorkspaceFolder `json:"folders,omitempty"`
	Locale    locale.Tag                 `json:"locale,omitempty"`
	ResultTag protocol.ResultTag         `json:"resultTag,omitempty"`
	Reading   dialect.Options            `json:"reading,omitzero"`
	// Bound means that its questions end with the processes that asked them.
	Bound bool `json:"bound,omitempty"`
	// Finishing means that it closes with its last open question.
	Finishing bool `json:"finishing,omitempty"`
	Closed    bool `json:"-"`
}

// Open opens or continues a session. A closed one restarts with these settings. first reports whether no agent here had it open.
func (g *Registry) Open(id string, p protocol.SessionOpenParams, starts Settings) (c *Conversation, first bool) {
	if c = g.sessions[id]; c == nil {
		c = &Conversation{ID: id, Agent: p.Agent, Key: p.Key, Settings: Settings{Closed: true}}
		g.sessions[id] = c
	}
	was, limit := c.Settings, c.State.Limit
	if c.Closed {
		c.Settings, c.ResultTag = starts, protocol.ResultTagAnswer
		c.State = session.State{Limit: DefaultMistakeLimit}
	}
	first, c.Open, c.Finishing = !c.Open, true, false
	c.set(p)
	if c.State.Limit != limit || !reflect.DeepEqual(c.Settings, was) {
		g.TouchConversation(c)
	}
	return c, first
}

// set sets the given options; the others do not change.
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
		c.Reading.Limits = *p.Limits
	}
	if p.Bound != nil {
		c.Bound = *p.Bound
	}
}

// Alias records the agent's own id for a question.
func (c *Conversation) Alias(id, called string) {
	if c.Aliases == nil {
		c.Aliases = map[string]string{}
	}
	c.Aliases[id] = called
}

// Workspace returns the folder under which the history files a session's questions: the first one.
func (c *Conversation) Workspace() string {
	if len(c.Folders) == 0 {
		return ""
	}
	return string(c.Folders[0].URI)
}

// Changed returns the section of the last change to it or a record of it.
func (c *Conversation) Changed() Mark { return c.changed }

func (c *Conversation) remove(r *Record) { c.Records = without(c.Records, r) }

// without removes a record from a list. The record is usually the first one, so removing many takes linear time.
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
