package server

import (
	"context"
	"time"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

func (s *Server) historyDelete(ctx context.Context, p protocol.HistoryDeleteParams) (protocol.HistoryDeleteResult, error) {
	in, err := s.kept()
	if err != nil {
		return protocol.HistoryDeleteResult{}, err
	}
	what := store.Selection{IDs: p.QuestionIDs}
	switch {
	case p.All:
		what = store.Selection{Filter: archive.NewFilter(p.Filter, p.Text)}
	case len(p.QuestionIDs) == 0:
		return protocol.HistoryDeleteResult{}, s.refused(locale.HistoryNothingNamed)
	}
	done, err := in.Delete(ctx, what)
	result := protocol.HistoryDeleteResult{Count: done.Count}
	if done.Count > 0 { // also when it failed, or was cancelled, half way
		result.Undo, result.UndoUntil = s.undoable(in, done), done.Until.UnixMilli()
	}
	if err != nil {
		return result, s.unreadable(ctx, err)
	}
	return result, nil
}

// undo is a deletion that can still be taken back.
type undo struct {
	deletion int64
	lapse    *time.Timer
}

// undoable keeps a deletion for as long as it can be taken back, and has it removed for good then.
func (s *Server) undoable(in store.Store, done store.Deletion) (token string) {
	token = s.options.NewID()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.undos[token] = &undo{done.ID, time.AfterFunc(store.Undo+purgeAfter, func() { s.purge(in, token) })}
	return token
}

// purgeAfter is how long after the undo time has lapsed a deletion is removed for good; by the store's clock it must have lapsed.
const purgeAfter = 100 * time.Millisecond

// purge removes for good what can no longer be brought back. Where the store was closed meanwhile, whoever opens it next does.
func (s *Server) purge(in store.Store, token string) {
	s.mu.Lock()
	delete(s.undos, token)
	gone := s.store != in
	s.mu.Unlock()
	if gone {
		return
	}
	removed, err := in.Purge(context.Background())
	if err != nil {
		s.log.Warn("could not remove for good what was deleted; it is tried again later", zap.Error(err))
		return
	}
	s.log.Info("removed for good", zap.Int("questions", removed))
}
