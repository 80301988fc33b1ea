package server

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"

	"go.uber.org/zap"

	"followup/internal/importing"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/transcript"
)

func (s *Server) historyImport(ctx context.Context, p protocol.HistoryImportParams) (protocol.HistoryImportResult, error) {
	none := protocol.HistoryImportResult{Damaged: []protocol.DamagedRecord{}}
	into, err := s.kept()
	if err != nil {
		return none, err
	}
	if len(p.Paths) == 0 {
		return none, s.refused(locale.ImportNoPaths)
	}
	for _, path := range p.Paths {
		if !filepath.IsAbs(path) {
			return none, s.refused(locale.HistoryPathNotAbsolute, path)
		}
	}
	result, err := importing.Import(ctx, into, p.Paths, s.locale, s.importProgress(p.Token))
	switch {
	case err == nil:
		s.log.Info("imported", zap.Int("added", result.Added), zap.Int("known", result.Known), zap.Int("damaged", result.DamagedCount))
		return result, nil
	case ctx.Err() != nil:
		return result, context.Cause(ctx)
	case errors.Is(err, transcript.ErrUnknownFormat):
		return result, s.refused(locale.ImportUnknownFormat)
	}
	return result, s.refused(locale.ImportFailed, err)
}

// importProgress tells how far an import has come, as often as the line is free; nil where nobody asked for it.
func (s *Server) importProgress(token string) importing.Progress {
	if token == "" {
		return nil
	}
	var latest atomic.Pointer[protocol.HistoryImportProgress]
	return func(read, total int64, found int) {
		latest.Store(&protocol.HistoryImportProgress{Token: token, Read: read, Total: total, Found: found})
		rpc.NotifyLater(s.conn, protocol.HistoryDidImport, token, func() (protocol.HistoryImportProgress, bool) {
			return *latest.Load(), true
		})
	}
}
