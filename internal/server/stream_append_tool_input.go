package server

import (
	"context"

	"followup/internal/dialect"
	"followup/internal/protocol"
)

func (s *Server) streamAppendToolInput(_ context.Context, p protocol.StreamAppendToolInputParams) error {
	s.enter()
	defer s.leave()
	st, err := s.growing(p.Session, p.StreamID)
	if err != nil {
		return err
	}
	in, ok := st.inputs[p.CallID]
	if !ok {
		if !known(p.Tool) {
			return unknownTool(p.Tool)
		}
		in = &input{reader: dialect.NewInput(p.Tool, st.session.reading), callID: p.CallID}
		st.inputs[p.CallID] = in
		st.order = append(st.order, p.CallID)
	}
	in.reader.Append([]byte(p.Fragment), func(e dialect.Event) { s.event(st, p.Tool, &in.open, p.CallID, e) })
	return nil
}
