package server

import (
	"context"
	"encoding/base64"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) streamAppend(_ context.Context, p protocol.StreamAppendParams) error {
	b, err := piece(p.Offset, p.Text, p.Data)
	if err != nil {
		return err
	}
	return s.noteInTurn(p.Session, len(b), func() error {
		s.givesMore(p.StreamID)
		return s.registry.Append(p.Session, p.StreamID, p.Offset, b)
	})
}

// piece is what has come of a message. The bytes of data are made into characters by whoever reads them, since one may be split.
func piece(offset int, text, data string) ([]byte, error) {
	if offset < 0 {
		return nil, rpc.Errorf(jsonrpc2.CodeInvalidParams, "offset is %d; it must not be negative", offset)
	}
	if data == "" {
		return []byte(text), nil
	}
	if text != "" {
		return nil, rpc.Errorf(jsonrpc2.CodeInvalidParams, "a piece is text or data, not both")
	}
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return nil, rpc.Errorf(jsonrpc2.CodeInvalidParams, "data: %v", err)
	}
	return b, nil
}

// passText hands text outside calls back, joined while the line is busy.
func (s *Server) passText(st *conversation.Stream) {
	rpc.NotifyLater(s.conn, protocol.StreamDidPassText, st.ID, func() (protocol.StreamDidPassTextParams, bool) {
		offset, text := s.registry.TakeText(st)
		return protocol.StreamDidPassTextParams{Session: st.Conversation.ID, StreamID: st.ID, Offset: offset, Text: text}, text != ""
	})
}
