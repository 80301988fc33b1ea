package server

import (
	"strings"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
	"followup/internal/session"
)

// stream is one message of an agent's, read as it is written.
type stream struct {
	id      string
	session *conversation
	tags    *dialect.Tags     // nil once the stream has ended, or when it has no assistant text
	open    *record           // the tag form's call that is being read; nil outside calls
	inputs  map[string]*input // native calls, by their ids
	order   []string          // the ids of the native calls, in the order of their first fragments
	calls   []*record         // the calls that have ended, in order
	hidden  question.Hidden   // the calls that were not run
	passed  strings.Builder   // text outside calls that has not been handed back yet
	ended   *protocol.StreamEndResult
}

// input is one native call whose arguments arrive in fragments.
type input struct {
	reader *dialect.Input
	open   *record
	callID string
}

// streamOf finds a stream, or opens it.
func (s *Server) streamOf(sessionID, streamID string) (*stream, error) {
	c, err := s.conversation(sessionID)
	if err != nil {
		return nil, err
	}
	st, ok := s.streams[streamID]
	if !ok {
		st = &stream{id: streamID, session: c, inputs: map[string]*input{}}
		s.streams[streamID] = st
	}
	if st.session != c {
		return nil, rpc.Errorf(protocol.CodeUnknown, "the stream %s belongs to another session", streamID)
	}
	return st, nil
}

// growing finds a stream that has not ended, or opens it.
func (s *Server) growing(sessionID, streamID string) (*stream, error) {
	st, err := s.streamOf(sessionID, streamID)
	if err == nil && st.ended != nil {
		return nil, rpc.Errorf(jsonrpc2.CodeInvalidRequest, "the stream %s has ended", streamID)
	}
	return st, err
}

// event carries out what a reader tells. Open is where the reader's open call is kept.
func (s *Server) event(st *stream, tool string, open **record, callID string, e dialect.Event) {
	r := *open
	switch e := e.(type) {
	case *dialect.Text:
		s.passText(st, e.Text)
	case *dialect.Hidden:
		st.hidden.Count(e.By)
	case *dialect.Opened:
		*open = s.begin(st, e.Tool, callID)
	case *dialect.Grew:
		r.partial.question.WriteString(e.Text)
		s.inboxGrew(r)
	case *dialect.Suggested:
		r.partial.suggest = append(r.partial.suggest, e.Suggestion)
		s.inboxGrew(r)
	case *dialect.Rewrote:
		r.partial = rewritten(e)
		s.inboxChanged(r)
	case *dialect.GrewPart:
		r.partial.grow(e)
		s.inboxGrew(r)
	case *dialect.Done:
		if r == nil { // a call that was over before anything of it could be shown
			r = s.newRecord(st.session, s.options.NewID(), e.Call.Tool)
			r.streamID, r.callID = st.id, callID
		}
		*open = nil
		st.calls = append(st.calls, r)
		s.take(r, e.Call)
		r.partial = partial{} // the call holds all of it now
	default:
		s.log.DPanic("unknown event of a reader", zap.String("tool", tool), zap.Any("event", e))
	}
}

// begin notes a call that has opened in a stream.
func (s *Server) begin(st *stream, tool, callID string) *record {
	r := s.newRecord(st.session, s.options.NewID(), tool)
	r.streamID, r.callID = st.id, callID
	s.mustApply(st.session, session.Began{ID: r.id})
	return r
}

// passText hands text outside calls back, joined while the line is busy.
func (s *Server) passText(st *stream, text string) {
	st.passed.WriteString(text)
	rpc.NotifyLater(s.conn, protocol.StreamDidPassText, st.id, func() (protocol.StreamDidPassTextParams, bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		passed := st.passed.String()
		st.passed = strings.Builder{}
		return protocol.StreamDidPassTextParams{Session: st.session.id, StreamID: st.id, Text: passed}, passed != ""
	})
}

// found is a call of a stream as its caller is told.
func found(r *record) protocol.StreamCall {
	call := protocol.StreamCall{
		QuestionID: r.id, Tool: r.tool, Status: protocol.CallValid, Payload: payload(r), CallID: r.callID,
		Repairs: codes(r.call.Repairs), Notices: codes(r.call.Notices),
	}
	if r.call.Err != nil {
		call.Status, call.Error = protocol.CallInvalid, callError(r)
	}
	return call
}

// known tells whether a tool's calls can be read.
func known(tool string) bool { return tool == question.ToolFollowup || tool == question.ToolAskUser }

// unknownTool refuses a call of a tool that nothing here reads.
func unknownTool(tool string) error {
	return rpc.Errorf(jsonrpc2.CodeInvalidParams, "there is no tool %q; there are %s and %s", tool, question.ToolFollowup, question.ToolAskUser)
}
