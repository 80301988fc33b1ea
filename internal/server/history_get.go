package server

import (
	"context"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
)

func (s *Server) historyGet(ctx context.Context, p protocol.QuestionParams) (protocol.HistoryEntry, error) {
	from, err := s.kept()
	if err != nil {
		return protocol.HistoryEntry{}, err
	}
	q, err := from.Question(ctx, p.QuestionID)
	if err != nil {
		return protocol.HistoryEntry{}, s.unreadable(ctx, err)
	}
	if q.Outcome == nil {
		return protocol.HistoryEntry{}, s.refused(locale.HistoryUnknownEntry)
	}
	entry, err := archive.Entry(q)
	if err != nil {
		return protocol.HistoryEntry{}, err
	}
	entry.Rendered = rendered(entry.Payload)
	return entry, nil
}
