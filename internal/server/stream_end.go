package server

import (
	"context"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/session"
)

func (s *Server) streamEnd(_ context.Context, p protocol.StreamEndParams) (protocol.StreamEndResult, error) {
	s.enter()
	defer s.leave()
	st, err := s.streamOf(p.Session, p.StreamID)
	if err != nil {
		return protocol.StreamEndResult{}, err
	}
	if st.ended != nil { // asked again: the same answer
		return *st.ended, nil
	}
	switch p.Reason {
	case protocol.StreamComplete:
		s.complete(st)
	case protocol.StreamAborted:
		s.abort(st)
	default:
		return protocol.StreamEndResult{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "reason is %q; it must be complete or aborted", p.Reason)
	}
	st.ended = &protocol.StreamEndResult{Calls: []protocol.StreamCall{}, ConsecutiveMistakes: st.session.state.Mistakes.Count()}
	for _, r := range st.calls {
		st.ended.Calls = append(st.ended.Calls, found(r))
	}
	if hidden := protocol.HiddenCalls(st.hidden); hidden != (protocol.HiddenCalls{}) {
		st.ended.Hidden = &hidden
	}
	st.tags, st.inputs, st.order = nil, nil, nil
	return *st.ended, nil
}

// complete reads the end of the message: a call that is still open is truncated.
func (s *Server) complete(st *stream) {
	if st.tags != nil {
		st.tags.End(func(e dialect.Event) { s.event(st, "", &st.open, "", e) })
	}
	for _, id := range st.order {
		in := st.inputs[id]
		in.reader.End(func(e dialect.Event) { s.event(st, "", &in.open, id, e) })
	}
}

// abort withdraws the open call and the stream's unanswered questions. Nothing is counted.
func (s *Server) abort(st *stream) {
	withdraw := func(r *record) {
		if r != nil && r.state != protocol.ItemClosed {
			s.mustApply(st.session, session.Withdrawn{ID: r.id})
		}
	}
	withdraw(st.open)
	for _, in := range st.inputs {
		withdraw(in.open)
	}
	for _, r := range st.calls {
		withdraw(r)
	}
}
