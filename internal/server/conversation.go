package server

import (
	"time"

	"go.uber.org/zap"

	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
	"followup/internal/session"
	"followup/internal/store"
)

// conversation is one session: the machine's state and what belongs to it.
type conversation struct {
	id, agent, key string
	folders        []protocol.WorkspaceFolder
	locale         locale.Tag
	resultTag      protocol.ResultTag
	reading        dialect.Options
	state          session.State
	records        []*record // the calls that were read, in the order of asking; those that are over and stored are not kept here

	open    bool          // an agent of this window has opened it; others are here because of their questions
	closed  bool          // the conversation is over
	inStore bool          // the store has it, as
	kept    store.Session // it was last written or read
}

// record is one question, or one call that could not be one.
type record struct {
	id, tool        string
	session         *conversation
	streamID        string
	state           protocol.ItemState
	call            question.Call // what was read; its zero value while the call is still arriving
	partial         partial       // what has been read so far of a call that is still arriving
	askedAt         time.Time
	order           int
	outcome         *protocol.ItemOutcome // how it ended
	answer          protocol.Answer       // what the agent is given, once there is an outcome
	answerLocations []protocol.Location
	guidance        *protocol.Guidance // what it asks the user for in place of a question
	guidedBy        *record            // the request for guidance that an invalid call is held for
	callID          string             // the caller's id of a native call
	done            chan struct{}      // closed with the outcome
	askers          int                // how many question/ask requests wait for it
	waiters         int                // how many requests wait for it, the askers included
	notShown        *time.Timer        // runs while it is pending and there is no interface
	sent            sent               // what the interface knows of it
	deadline        time.Time          // when its first asker gives up waiting; zero: never
	draft           *protocol.Draft    // what the user has begun; nil when there never was anything
	rendered        *protocol.Rendered // the call's Markdown as HTML; see render
	renderedOnce    bool

	inStore        bool   // the store has it
	outcomeInStore bool   // and its outcome
	collected      bool   // an agent has been given the answer
	draftChanged   bool   // the store does not have this draft
	owner          string // the window that answers its caller, while it is open in the store
	alive          bool   // of another window: that it was heard of lately
	guidedByID     string // the id of guidedBy, where that has not been read
	beaten         bool   // another window's outcome came before ours
}

func (s *Server) conversation(id string) (*conversation, error) {
	c, ok := s.sessions[id]
	if !ok || !c.open {
		return nil, rpc.Errorf(protocol.CodeUnknown, "there is no open session %q; open it with session/open", id)
	}
	return c, nil
}

// newRecord notes a call that begins to be read.
func (s *Server) newRecord(c *conversation, id, tool string) *record {
	s.asked++
	r := &record{
		id: id, tool: tool, session: c, state: protocol.ItemStreaming, askedAt: time.Now(), order: s.asked,
		done: make(chan struct{}),
	}
	s.records[id] = r
	c.records = append(c.records, r)
	return r
}

// apply gives an event to a session's machine and carries out what follows from it.
func (s *Server) apply(c *conversation, e session.Event) error {
	next, effects, err := c.state.Apply(e)
	if err != nil {
		return err
	}
	c.state = next
	s.touchSession(c)
	s.carryOut(effects)
	return nil
}

// carryOut does what follows from an event.
func (s *Server) carryOut(effects []session.Effect) {
	for _, effect := range effects {
		switch effect := effect.(type) {
		case session.Guide:
			s.askForGuidance(s.records[effect.Call], effect.ID)
		case session.Held:
			s.held(s.records[effect.ID], s.records[effect.Guidance])
		case session.Moved:
			s.moved(s.records[effect.ID], effect.Phase)
		case session.Ended:
			s.ended(s.records[effect.ID], effect.Outcome)
		}
	}
}

// mustApply is apply for events that the machine cannot refuse unless something is broken, which is logged and survived.
func (s *Server) mustApply(c *conversation, e session.Event) {
	if err := s.apply(c, e); err != nil {
		s.log.DPanic("an event was refused", zap.Any("event", e), zap.Error(err))
	}
}

// states maps the machine's phases to the protocol's states.
var states = map[session.Phase]protocol.ItemState{
	session.Streaming: protocol.ItemStreaming,
	session.Queued:    protocol.ItemQueued,
	session.Pending:   protocol.ItemPending,
}

func (s *Server) moved(r *record, to session.Phase) {
	r.state = states[to]
	s.touch(r)
	s.inboxChanged(r)
	if to == session.Pending {
		s.watchNotShown(r)
	}
}

// watchNotShown ends a pending question as not shown, unless an interface comes in time. Whoever owns it sees to that: one
// that nobody waits for is not in a hurry.
func (s *Server) watchNotShown(r *record) {
	if s.inbox.subscribed || r.inStore && r.owner != s.owner {
		return
	}
	r.notShown = time.AfterFunc(s.notShownAfter, func() {
		s.enter()
		defer s.leave()
		if r.state != protocol.ItemPending || s.inbox.subscribed {
			return
		}
		s.log.Warn("nobody saw a question: no interface has subscribed", zap.String("question", r.id))
		s.mustApply(r.session, session.NotShown{ID: r.id})
	})
}

// ended gives a record its outcome and wakes whoever waits for it. An answer's content has been noted before.
func (s *Server) ended(r *record, outcome question.Outcome) {
	if r.outcome == nil {
		r.outcome = &protocol.ItemOutcome{}
	}
	r.outcome.Outcome = protocol.Outcome(outcome)
	r.outcome.At = time.Now().UnixMilli()
	wasWhole := r.state != protocol.ItemStreaming && r.state != protocol.ItemHeld
	r.state = protocol.ItemClosed
	if r.notShown != nil {
		r.notShown.Stop()
	}
	s.finishAnswer(r)
	s.over(r, wasWhole)
}

// over notes that a record has its outcome. Those who wait for it are told when it is on disk.
func (s *Server) over(r *record, wasWhole bool) {
	s.touch(r)
	s.finished = append(s.finished, r)
	if wasWhole {
		s.inboxChanged(r)
	} else {
		s.inboxRemoved(r)
	}
	s.log.Info("closed", zap.String("question", r.id), zap.String("session", r.session.id), zap.String("outcome", string(r.outcome.Outcome)))
}
