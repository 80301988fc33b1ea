package server

import (
	"context"

	"followup/internal/locale"
	"followup/internal/protocol"
)

func (s *Server) historyRestore(ctx context.Context, p protocol.HistoryRestoreParams) (protocol.HistoryDeleteResult, error) {
	var result protocol.HistoryDeleteResult
	in, err := s.kept()
	if err != nil {
		return result, err
	}
	s.mu.Lock()
	deletion := s.undos[p.Undo]
	delete(s.undos, p.Undo)
	s.mu.Unlock()
	if deletion == nil {
		return result, s.refused(locale.HistoryUndoLapsed)
	}
	deletion.lapse.Stop()
	if result.Count, err = in.Restore(ctx, deletion.deletion); err != nil {
		return result, s.unreadable(ctx, err)
	}
	if result.Count == 0 {
		return result, s.refused(locale.HistoryUndoLapsed)
	}
	return result, nil
}
