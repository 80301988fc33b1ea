package server

import (
	"context"

	"followup/internal/dialect"
	"followup/internal/protocol"
)

func (s *Server) streamAppend(_ context.Context, p protocol.StreamAppendParams) error {
	s.enter()
	defer s.leave()
	st, err := s.growing(p.Session, p.StreamID)
	if err != nil {
		return err
	}
	if st.tags == nil {
		st.tags = dialect.NewTags(st.session.reading)
	}
	st.tags.Append([]byte(p.Text), func(e dialect.Event) { s.event(st, "", &st.open, "", e) })
	return nil
}
