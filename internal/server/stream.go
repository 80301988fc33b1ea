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
	b, err := piece(p.Offset, p.Text, p.Data)
	if err != nil {
		return err
	}
	return s.parseInSession(ctx, p.Session, len(b), func() error {
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

func (s *Server) streamAppendToolInput(ctx context.Context, p protocol.StreamAppendToolInputParams) error {
	b, err := piece(p.Offset, p.Fragment, p.Data)
	if err != nil {
		return err
	}
	return s.parseInSession(ctx, p.Session, len(b), func() error {
		s.continueStream(p.StreamID)
		return s.registry.AppendInput(p.Session, p.StreamID, p.CallID, p.Tool, p.Offset, b)
	})
}

func (s *Server) streamEnd(ctx context.Context, p protocol.StreamEndParams) (rpc.Begun[protocol.StreamEndResult], error) {
	var parse func() error
	if p.Reason == protocol.StreamComplete {
		parse = func() error { return s.registry.FinishReading(p.StreamID) }
	}
	return inSession(ctx, s, p.Session, s.registry.Held(p.StreamID), parse, func() (*conversation.Conversation, protocol.StreamEndResult, error) {
		defer s.endStream(p.StreamID)
		result, err := s.registry.EndStream(p.Session, p.StreamID, p.Reason)
		return s.registry.Known(p.Session), result, err
	})
}

// streamResume loads what an earlier process saved of a stream's calls, in the session's turn.
func (s *Server) streamResume(ctx context.Context, p protocol.StreamResumeParams) error {
	return s.later(inTurn(ctx, s.registry.Turn(p.Session, ""), false, func(ctx context.Context) (none rpc.Begun[protocol.None], err error) {
		c, err := s.persister.Conversation(ctx, p.Session)
		var past []*conversation.Record
		if err == nil && c != nil {
			if err := s.reopen(p); err != nil {
				return none, err
			}
			past, err = s.persister.Past(ctx, c)
		}
		s.registry.Enter()
		defer s.registry.Leave()
		if err != nil {
			s.registry.Refuse(p.Session, p.StreamID, err)
			return none, err
		}
		return none, s.registry.Resume(p.Session, p.StreamID, past)
	}))
}

func (s *Server) reopen(p protocol.StreamResumeParams) error {
	s.registry.Enter()
	defer s.registry.Leave()
	s.restartStream(p.StreamID)
	return s.registry.Reopen(p.Session, p.StreamID)
}

// cutStreams drops the streams that a disconnected client was sending.
func (h *Host) cutStreams(s *Server) {
	h.registry.Enter()
	defer h.registry.Leave()
	for id := range s.streams {
		delete(h.streams, id)
		if s.guest == nil && !h.closing {
			h.registry.Cut(id)
		}
	}
}

// continueStream is takeStream for callers outside a section.
func (s *Server) continueStream(streamID string) {
	s.registry.Enter()
	defer s.registry.Leave()
	s.takeStream(streamID)
}

// takeStream records that a client sends a stream. If another client was sending it, the stream starts again. It is called in a section.
func (s *Server) takeStream(streamID string) {
	before := s.Host.streams[streamID]
	if before == s {
		return
	}
	if before != nil {
		delete(before.streams, streamID)
		s.registry.Cut(streamID)
	}
	s.Host.streams[streamID], s.streams[streamID] = s, true
}

// restartStream is takeStream for a stream that starts again, unless this client sends it already. It is called in a section.
func (s *Server) restartStream(streamID string) {
	if s.Host.streams[streamID] == nil {
		s.registry.Cut(streamID)
	}
	s.takeStream(streamID)
}

// endStream records the end of a stream. It is called in a section.
func (s *Server) endStream(streamID string) {
	if s.Host.streams[streamID] == s {
		delete(s.Host.streams, streamID)
		delete(s.streams, streamID)
	}
}

// passText sends text outside calls to the client that sends the stream, joined while the line is busy.
func (h *Host) passText(st *conversation.Stream) {
	if s := h.streams[st.ID]; s != nil {
		rpc.NotifyLater(s.conn, protocol.StreamDidPassText, st.ID, func() (protocol.StreamDidPassTextParams, bool) {
			offset, text := h.registry.TakeText(st)
			return protocol.StreamDidPassTextParams{Session: st.Conversation.ID, StreamID: st.ID, Offset: offset, Text: text}, text != ""
		})
	}
}
