package server

import (
	"context"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) streamEnd(_ context.Context, p protocol.StreamEndParams) (rpc.Begun[protocol.StreamEndResult], error) {
	var missing error
	read := func() {
		if p.Reason == protocol.StreamComplete {
			missing = s.registry.FinishReading(p.StreamID)
		}
	}
	return inTurnAfterParsing(s, p.Session, s.registry.Held(p.StreamID), read, func() (*conversation.Conversation, protocol.StreamEndResult, error) {
		if missing != nil {
			return nil, protocol.StreamEndResult{}, missing
		}
		defer s.endStream(p.StreamID)
		result, err := s.registry.EndStream(p.Session, p.StreamID, p.Reason)
		return s.registry.Known(p.Session), result, err
	})
}
