package server

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/importing"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) historyImport(ctx context.Context, p protocol.HistoryImportParams) (protocol.HistoryImportResult, error) {
	result, err := s.history.Import(ctx, p.Paths, s.importProgress(p.Token))
	var wrong *jsonrpc2.Error
	if result.Files+result.SkippedCount > 0 && err != nil && errors.As(s.localize(err), &wrong) {
		wrong.SetError(result)
		err = wrong
	}
	return result, err
}

func (s *Server) historyCountLogs(ctx context.Context, p protocol.HistoryImportParams) (protocol.HistoryImportResult, error) {
	return s.history.CountLogs(ctx, p.Paths, s.importProgress(p.Token))
}

func (s *Server) historyFindLogs(context.Context, protocol.None) (protocol.HistoryFindLogsResult, error) {
	return s.history.FindLogs(), nil
}

// places returns where other tools keep logs on this machine.
func (s *Server) places() []importing.Place {
	s.mu.Lock()
	beside, env := cmp.Or(s.editor, s.storage), s.options.Env
	if named := s.logVariables; named != nil {
		env = func(name string) string { return named[name] }
	}
	s.mu.Unlock()
	if env == nil {
		return nil
	}
	return importing.Places(env, beside)
}

// importProgress reports an import's progress whenever the line is free; nil if there is no token.
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
