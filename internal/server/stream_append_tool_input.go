package server

import (
	"context"

	"followup/internal/protocol"
)

func (s *Server) streamAppendToolInput(_ context.Context, p protocol.StreamAppendToolInputParams) error {
	b, err := piece(p.Offset, p.Fragment, p.Data)
	if err != nil {
		return err
	}
	return s.notifyInTurn(p.Session, len(b), func() error {
		s.continueStream(p.StreamID)
		return s.registry.AppendInput(p.Session, p.StreamID, p.CallID, p.Tool, p.Offset, b)
	})
}
