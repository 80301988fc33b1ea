package server

import (
	"context"
	"encoding/base64"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) streamAppend(ctx context.Context, p protocol.StreamAppendParams) error {
	of := protocol.StreamParams{Session: p.Session, StreamID: p.StreamID}
	return s.parsePiece(ctx, of, p.Offset, p.Text, p.Data, func(piece []byte) error { return s.registry.Append(of, p.Offset, piece) })
}

func (s *Server) streamAppendToolInput(ctx context.Context, p protocol.StreamAppendToolInputParams) error {
	of := protocol.StreamParams{Session: p.Session, StreamID: p.StreamID}
	return s.parsePiece(ctx, of, p.Offset, p.Fragment, p.Data, func(piece []byte) error {
		return s.registry.AppendInput(of, p.CallID, p.Tool, p.Offset, piece)
	})
}

// parsePiece parses the next bytes of a message, in the session's turn. The reader decodes them, since a character may be split between
// pieces.
func (s *Server) parsePiece(ctx context.Context, of protocol.StreamParams, offset int, text, data string, parse func([]byte) error) error {
	if offset < 0 {
		return rpc.Errorf(jsonrpc2.CodeInvalidParams, "offset is %d; it must not be negative", offset)
	}
	piece := []byte(text)
	if data != "" {
		if text != "" {
			return rpc.Errorf(jsonrpc2.CodeInvalidParams, "a piece is text or data, not both")
		}
		var err error
		if piece, err = base64.StdEncoding.DecodeString(data); err != nil {
			return rpc.Errorf(jsonrpc2.CodeInvalidParams, "data: %v", err)
		}
	}
	return s.later(inSession(ctx, s, of.Session, len(piece), func(context.Context) (none rpc.Begun[protocol.None], err error) {
		s.section(func() { s.takeStream(of) })
		return none, parse(piece)
	}))
}

func (s *Server) streamEnd(ctx context.Context, p protocol.StreamEndParams) (rpc.Begun[protocol.StreamEndResult], error) {
	of := protocol.StreamParams{Session: p.Session, StreamID: p.StreamID}
	return inSession(ctx, s, p.Session, s.registry.Held(of), func(context.Context) (ended rpc.Begun[protocol.StreamEndResult], err error) {
		if p.Reason == protocol.StreamComplete {
			if err := s.registry.FinishReading(of); err != nil {
				return ended, err
			}
		}
		return durably(s, func() (*conversation.Conversation, func() protocol.StreamEndResult, error) {
			result, err := s.registry.EndStream(of, p.Reason)
			delete(s.streams, of)
			return s.registry.Known(p.Session), func() protocol.StreamEndResult { return result }, err
		})
	})
}

// streamResume loads what an earlier process saved of a stream's calls, in the session's turn.
func (s *Server) streamResume(ctx context.Context, p protocol.StreamParams) error {
	return s.later(inTurn(ctx, s.registry.Turn(p.Session, ""), false, func(ctx context.Context) (none rpc.Begun[protocol.None], err error) {
		err = s.persister.Await(ctx, false)
		var c *conversation.Conversation
		if err == nil {
			c, err = s.persister.Conversation(ctx, p.Session, false)
		}
		var past []*conversation.Record
		if err == nil && c != nil {
			s.section(func() {
				if s.streams[p] == nil {
					s.registry.Cut(p)
				}
				s.takeStream(p)
				err = s.registry.Reopen(p)
			})
			if err != nil {
				return none, err
			}
			past, err = s.persister.Past(ctx, c)
		}
		s.section(func() {
			if err != nil {
				s.registry.Refuse(p, err)
			} else {
				err = s.registry.Resume(p, past)
			}
		})
		return none, err
	}))
}

// cutStreams drops the streams that a disconnected client was sending.
func (h *Host) cutStreams(s *Server) {
	h.section(func() {
		for of, by := range h.streams {
			if by == s {
				delete(h.streams, of)
				if s.guest == nil && !h.closing {
					h.registry.Cut(of)
				}
			}
		}
	})
}

// takeStream records that a client sends a stream. If another client was sending it, the stream restarts. It is called in a section.
func (s *Server) takeStream(of protocol.StreamParams) {
	if before := s.streams[of]; before != nil && before != s {
		s.registry.Cut(of)
	}
	s.streams[of] = s
}

// passText sends text outside calls to the client that sends the stream, joined while the connection is busy.
func (h *Host) passText(st *conversation.Stream) {
	if s := h.streams[st.StreamParams]; s != nil {
		rpc.NotifyLater(s.conn, protocol.StreamDidPassText, st.Session+" "+st.StreamID, func() (protocol.StreamDidPassTextParams, bool) {
			offset, text := h.registry.TakeText(st)
			return protocol.StreamDidPassTextParams{Session: st.Session, StreamID: st.StreamID, Offset: offset, Text: text}, text != ""
		})
	}
}
