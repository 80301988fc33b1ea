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
)

// conversation is one session: the machine's state and what belongs to it.
type conversation struct {
	id, agent, key string
	folders        []protocol.WorkspaceFolder
	locale         locale.Tag
	resultTag      protocol.ResultTag
	reading        dialect.Options
	state          session.State
	records        []*record // every call that was read, in the order of asking
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
	notShown        *time.Timer        // runs while it is pending and there is no interface
	sent            sent               // what the interface knows of it
	rendered        *protocol.Rendered // the call's Markdown as HTML; see render
	renderedOnce    bool
}

func (s *Server) conversation(id string) (*conversation, error) {
	c, ok := s.sessions[id]
	if !ok {
		return nil, rpc.Errorf(protocol.CodeUnknown, "there is no open session %q; open it with session/open", id)
	}
	return c, nil
}

func (s *Server) record(id string) (*record, error) {
	r, ok := s.records[id]
	if !ok {
		return nil, rpc.Errorf(protocol.CodeUnknown, "there is no question %q", id)
	}
	return r, nil
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
	return nil
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
	s.inboxChanged(r)
	if to == session.Pending && !s.inbox.subscribed {
		s.watchNotShown(r)
	}
}

// watchNotShown ends a pending question as not shown, unless an interface comes in time.
func (s *Server) watchNotShown(r *record) {
	r.notShown = time.AfterFunc(s.notShownAfter, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
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
	close(r.done)
	if wasWhole {
		s.inboxChanged(r)
	} else {
		s.inboxRemoved(r)
	}
	s.log.Info("closed", zap.String("question", r.id), zap.String("session", r.session.id), zap.String("outcome", string(outcome)))
}
