package server

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/agentfolder"
	"followup/internal/importing"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
)

func (s *Server) historyList(ctx context.Context, p protocol.HistoryListParams) (protocol.HistoryPage, error) {
	return s.history.Page(ctx, protocol.HistorySearchParams{HistoryListParams: p})
}

// maxDeletionID is the size of the longest id, in bytes.
const maxDeletionID = 64

func (s *Server) historyDelete(ctx context.Context, p protocol.HistoryDeleteParams) (protocol.HistoryDeleteResult, error) {
	if size := len(p.DeletionID); !p.CountOnly && (size == 0 || size > maxDeletionID) {
		return protocol.HistoryDeleteResult{}, rpc.Errorf(jsonrpc2.CodeInvalidParams,
			"deletionId has %d bytes; it must be an id of the caller, with at most %d", size, maxDeletionID)
	}
	return s.history.Delete(ctx, p)
}

func (s *Server) historyGet(ctx context.Context, p protocol.QuestionParams) (protocol.HistoryEntry, error) {
	entry, err := s.history.Get(ctx, p.QuestionID)
	var unknown *locale.Refusal
	if errors.As(err, &unknown) && unknown.Key == locale.HistoryUnknownEntry {
		// After a restart of the keeper, a relay requests the outcome of a hub's question.
		if link := s.hubSoon(ctx); link != nil {
			return rpc.Call(ctx, link.conn, protocol.HistoryGet, p)
		}
	}
	return entry, err
}

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

// places returns where other tools keep logs on this machine.
func (s *Server) places() []agentfolder.Place {
	s.mu.Lock()
	beside, env := cmp.Or(s.editor, s.storage), s.options.Env
	if named := s.logVariables; named != nil {
		env = func(name string) string { return named[name] }
	}
	s.mu.Unlock()
	if env == nil {
		return nil
	}
	return agentfolder.Places(env, beside)
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

func (s *Server) historyConfigure(_ context.Context, p protocol.HistoryConfigureParams) (protocol.None, error) {
	if p.RetentionDays < 0 {
		return protocol.None{}, locale.Refuse("The number of days must not be negative.")
	}
	s.persister.Retain(store.Retention{Nothing: !p.Keep, Age: protocol.RetentionAge(p.RetentionDays)})
	s.keepImporting(p.Keep && p.KeepImporting)
	return protocol.None{}, nil
}

// keepImporting starts or stops importing new logs of other tools.
func (s *Server) keepImporting(keep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !keep:
		s.stopImporting()
	case s.importing == nil && s.storage != "":
		ctx, stop := context.WithCancel(context.Background())
		s.importing = stop
		keeper := importing.Keeper{
			Places: s.places, Locale: s.locale, Folder: s.storage, Log: s.log,
			Store: func() store.Store {
				into, _ := s.persister.Store(ctx)
				return into
			},
			Added: func() {
				rpc.NotifyLater(s.conn, protocol.HistoryDidChange, "", func() (protocol.None, bool) { return protocol.None{}, true })
			},
		}
		s.background.Go("keep importing", func() { keeper.Run(ctx) })
	}
}

// stopImporting stops importing new logs. The caller holds the lock.
func (s *Server) stopImporting() {
	if s.importing != nil {
		s.importing()
		s.importing = nil
	}
}
