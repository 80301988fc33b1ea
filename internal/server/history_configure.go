package server

import (
	"context"
	"time"

	"followup/internal/importing"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
)

func (s *Server) historyConfigure(_ context.Context, p protocol.HistoryConfigureParams) (protocol.None, error) {
	if p.RetentionDays < 0 {
		return protocol.None{}, locale.Refuse("The number of days must not be negative.")
	}
	s.persister.Retain(store.Retention{Nothing: !p.Keep, Age: time.Duration(p.RetentionDays) * 24 * time.Hour})
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

// stopImporting stops it. The caller holds the lock.
func (s *Server) stopImporting() {
	if s.importing != nil {
		s.importing()
		s.importing = nil
	}
}
