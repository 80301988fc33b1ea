package server

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// storage is how it stands with the store.
type storage struct {
	wanted  bool   // there is a folder for it
	folder  string //
	failing bool   // the last write, or the opening, failed
	again   bool   // it has to be opened, or opened again, and that may work
	told    protocol.Storage
	changed bool   // the interface has not been told yet
	begin   func() // starts opening it, once
	opened  chan struct{}
	stop    context.CancelFunc // ends everything that works on the store
	ended   chan struct{}      // closed when that has ended
}

// openStorage has the store opened right after the handshake. Everything but the handshake waits for it.
func (s *Server) openStorage(folder string) {
	if folder == "" {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	s.owner = uuid.NewString()
	s.storage = storage{
		wanted: true, folder: folder, told: protocol.Storage{Saved: true},
		opened: make(chan struct{}), stop: stop, ended: make(chan struct{}),
	}
	s.storage.begin = sync.OnceFunc(func() {
		go func() {
			defer close(s.storage.ended)
			s.tryToOpen(ctx)
			close(s.storage.opened)
			debug.FreeOSMemory() // opening takes more than what follows
			s.work(ctx)
		}()
	})
	time.AfterFunc(openAfter, s.storage.begin)
}

// openAfter is when the store is opened if the editor says nothing after the handshake. The handshake's answer is out then; the
// two do not get in each other's way.
const openAfter = 20 * time.Millisecond

// tryToOpen opens the store and takes up what is in it. Where it cannot be opened, everything goes on in memory.
func (s *Server) tryToOpen(ctx context.Context) {
	opened, report, err := sqlite.Open(ctx, s.storage.folder, store.Options{Owner: s.owner, Log: s.log, Lease: s.options.lease()})
	s.enter()
	defer s.leave()
	if err == nil {
		s.store = opened
		if report.SetAside != "" { // what is in memory is all there is
			for _, r := range s.records {
				r.inStore, r.draftChanged = false, r.draft != nil
			}
			for _, c := range s.sessions {
				c.inStore = false
			}
		}
		if err = s.load(ctx); err != nil {
			s.store = nil
			err = errors.Join(err, opened.Close())
		}
	}
	if err != nil {
		s.storageProblem("the store could not be opened", err)
		return
	}
	s.log.Info("the store is open", zap.Int("migratedFrom", report.Migrated))
	for _, c := range s.sessions { // what was asked before it could be opened
		if c.open {
			s.touchSession(c)
		}
	}
	for _, r := range s.records {
		if !r.inStore {
			s.touchSession(r.session)
			s.touch(r)
		}
	}
	s.storage.again = false
	s.storageWorks()
	if report.SetAside != "" {
		s.tellStorage(protocol.Storage{Saved: true, Problem: s.locale.Text(locale.StorageSetAside, report.SetAside)})
	}
}

// storageProblem notes that something could not be written. The interface and the log are told once.
func (s *Server) storageProblem(what string, err error) {
	if s.storage.failing {
		s.log.Debug(what+", again", zap.Error(err))
	} else {
		s.log.Error(what, zap.Error(err))
	}
	s.storage.failing = true
	s.storage.again = canRetry(err) && (s.store == nil || errors.Is(err, store.ErrDamaged))
	words := s.locale.Text(locale.StorageUnavailable, err)
	switch {
	case errors.Is(err, store.ErrNewer):
		words = s.locale.Text(locale.StorageNewer)
	case errors.Is(err, store.ErrDamaged):
		words = s.locale.Text(locale.StorageDamaged)
	}
	s.tellStorage(protocol.Storage{Problem: words})
}

// storageWorks notes that everything could be written.
func (s *Server) storageWorks() {
	if s.storage.failing {
		s.storage.failing = false
		s.tellStorage(protocol.Storage{Saved: true})
	}
}

func (s *Server) tellStorage(now protocol.Storage) {
	if s.storage.told == now {
		return
	}
	s.storage.told = now
	if s.inbox.subscribed {
		s.storage.changed = true
		s.tellInbox()
	}
}

// closeStorage writes what could wait, and closes the store: its questions are nobody's then, and other windows take them.
func (s *Server) closeStorage() {
	if !s.storage.wanted {
		return
	}
	s.storage.stop()
	s.storage.begin()
	<-s.storage.ended
	s.enter()
	defer s.leave()
	for _, deletion := range s.undos {
		deletion.lapse.Stop()
	}
	if s.store == nil {
		return
	}
	s.save()
	if err := s.store.Close(); err != nil {
		s.log.Error("could not close the store", zap.Error(err))
	}
	s.store = nil
}

// kept gives the store, or why there is none, in the user's words.
func (s *Server) kept() (store.Store, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store == nil {
		return nil, rpc.Errorf(protocol.CodeRefused, "%s", s.whyNot())
	}
	return s.store, nil
}

// whyNot tells why nothing is kept.
func (s *Server) whyNot() string {
	if !s.storage.wanted {
		return s.locale.Text(locale.StorageAbsent)
	}
	return s.storage.told.Problem
}

// DefaultLease is how long a window that has died is taken to live.
const DefaultLease = 10 * time.Second

func (o *Options) lease() time.Duration {
	if o.Lease > 0 {
		return o.Lease
	}
	return DefaultLease
}
