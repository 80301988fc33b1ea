package server

import (
	"context"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) streamAppend(_ context.Context, p protocol.StreamAppendParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	st, err := s.streamOf(p.Session, p.StreamID)
	if err != nil {
		return err
	}
	if st.ended != nil {
		return rpc.Errorf(jsonrpc2.CodeInvalidRequest, "the stream %s has ended", p.StreamID)
	}
	if st.tags == nil {
		st.tags = dialect.NewTags(st.session.reading)
	}
	st.tags.Append([]byte(p.Text), func(e dialect.Event) { s.event(st, "", &st.open, "", e) })
	return nil
}
