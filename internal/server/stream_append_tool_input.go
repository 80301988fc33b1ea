package server

import (
	"context"

	"followup/internal/protocol"
)

func (s *Server) streamAppendToolInput(_ context.Context, p protocol.StreamAppendToolInputParams) error {
	return s.noteInTurn(p.Session, func() error {
		return s.registry.AppendInput(p.Session, p.StreamID, p.CallID, p.Tool, p.Fragment)
	})
}
