package server

import (
	"context"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) streamAppend(_ context.Context, p protocol.StreamAppendParams) error {
	return s.noteInTurn(p.Session, func() error { return s.registry.Append(p.Session, p.StreamID, p.Text) })
}

// passText hands text outside calls back, joined while the line is busy.
func (s *Server) passText(st *conversation.Stream) {
	rpc.NotifyLater(s.conn, protocol.StreamDidPassText, st.ID, func() (protocol.StreamDidPassTextParams, bool) {
		text := s.registry.TakeText(st)
		return protocol.StreamDidPassTextParams{Session: st.Conversation.ID, StreamID: st.ID, Text: text}, text != ""
	})
}
