package server

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
)

// watchInterval is how often it is looked whether another window has written.
const watchInterval = 100 * time.Millisecond

// work is what a server does beside answering: it keeps its lease, notices what other windows write, tries again what could
// not be saved, and removes what is too old. It ends with ctx.
func (s *Server) work(ctx context.Context) {
	var beside sync.WaitGroup
	defer beside.Wait()
	lease := time.NewTicker(s.options.lease() / 3)
	defer lease.Stop()
	var watched store.Store
	for {
		if now := s.currentStore(); now != nil && now != watched {
			watched = now
			beside.Go(func() {
				if err := now.Watch(ctx, watchInterval, func() { s.sync(ctx) }); err != nil && ctx.Err() == nil {
					s.log.Warn("other windows are only noticed when the lease is renewed", zap.Error(err))
				}
			})
			beside.Go(func() { now.Maintain(ctx) })
			beside.Go(func() { s.retain(ctx, now) })
		}
		select {
		case <-ctx.Done():
			return
		case <-lease.C:
			s.beat(ctx)
		}
	}
}

func (s *Server) currentStore() store.Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.store
}

// beat is what is done while a lease runs.
func (s *Server) beat(ctx context.Context) {
	if s.mustOpen() {
		s.tryToOpen(ctx)
	}
	now := s.currentStore()
	if now == nil {
		return
	}
	if err := now.Renew(ctx); err != nil && ctx.Err() == nil {
		s.log.Warn("could not renew the lease", zap.Error(err))
	}
	s.sync(ctx)
	s.enter()
	defer s.leave()
	s.lookAfterOwners(ctx)
	if len(s.unsaved.collected) > 0 || s.storage.failing {
		s.save()
	}
}

// mustOpen tells whether the store is to be opened, now that it may work. One that turned out to be damaged is closed first.
func (s *Server) mustOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.storage.again && s.store != nil {
		if err := s.store.Close(); err != nil {
			s.log.Warn("could not close the damaged store", zap.Error(err))
		}
		s.store = nil
	}
	return s.storage.again
}

// lookAfterOwners takes over the questions that somebody here waits for from windows that are gone, and marks those whose
// window is gone.
func (s *Server) lookAfterOwners(ctx context.Context) {
	var foreign bool
	for _, r := range s.records {
		if r.waiters > 0 {
			s.claim(r)
		}
		foreign = foreign || r.inStore && r.outcome == nil && r.owner != s.owner && r.alive
	}
	if !foreign {
		return
	}
	alive, err := s.store.Owners(ctx)
	if err != nil {
		s.log.Warn("could not look after the questions of other windows", zap.Error(err))
		return
	}
	for _, r := range s.records {
		if r.inStore && r.outcome == nil {
			s.ownedBy(r, r.owner, alive[r.owner])
		}
	}
}

// claim makes this window the owner of a question that somebody here waits for, if it has no owner that lives.
func (s *Server) claim(r *record) {
	if s.store == nil || !r.inStore || r.outcome != nil || r.owner == s.owner {
		return
	}
	claimed, err := s.store.Adopt(context.Background(), r.id)
	if err != nil {
		s.log.Warn("could not take over a question", zap.String("question", r.id), zap.Error(err))
		return
	}
	if len(claimed) > 0 {
		s.log.Info("took over a question", zap.String("question", r.id))
		s.ownedBy(r, s.owner, true)
	}
}

// ownedBy notes whose a question is.
func (s *Server) ownedBy(r *record, owner string, alive bool) {
	was := s.orphaned(r)
	r.owner, r.alive = owner, alive
	if s.orphaned(r) != was {
		s.inboxChanged(r)
	}
}

// orphaned tells whether no window answers the agent that has asked.
func (s *Server) orphaned(r *record) bool {
	return r.inStore && r.outcome == nil && r.owner != s.owner && !r.alive
}
