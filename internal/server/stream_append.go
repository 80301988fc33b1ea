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
	return s.notifyInTurn(p.Session, len(b), func() error {
		s.continueStream(p.StreamID)
		return s.registry.Append(p.Session, p.StreamID, p.Offset, b)
	})
}

// piece returns the next bytes of a message. The reader decodes them, since a character may be split between pieces.
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

// passText sends text outside calls to the client, joined while the line is busy.
func (s *Server) passText(st *conversation.Stream) {
	rpc.NotifyLater(s.conn, protocol.StreamDidPassText, st.ID, func() (protocol.StreamDidPassTextParams, bool) {
		offset, text := s.registry.TakeText(st)
		return protocol.StreamDidPassTextParams{Session: st.Conversation.ID, StreamID: st.ID, Offset: offset, Text: text}, text != ""
	})
}
