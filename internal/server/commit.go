package server

import (
	"context"
	"errors"
	"slices"

	"go.uber.org/zap"

	"followup/internal/store"
)

// unsaved is what has changed since the store was last written. What a failed write leaves in it goes with the next one.
type unsaved struct {
	sessions  map[*conversation]bool
	records   map[*record]bool
	collected []string // questions whose agents have got their answers; not worth a write of its own at once
}

// enter begins a section: what is done until leave is one event, which is on disk before anybody is told of it.
func (s *Server) enter() { s.mu.Lock() }

// leave ends a section.
func (s *Server) leave() {
	defer s.mu.Unlock()
	s.commit()
}

// commit makes what the section has done durable, and then wakes those who wait for it. A handler whose result depends on
// who was first calls it before its end.
func (s *Server) commit() {
	if len(s.unsaved.sessions)+len(s.unsaved.records) > 0 {
		s.save()
	}
	finished := s.finished
	s.finished = nil
	for _, r := range finished {
		close(r.done)
		s.forget(r)
	}
}

func (s *Server) touch(r *record)              { s.unsaved.records[r] = true }
func (s *Server) touchSession(c *conversation) { s.unsaved.sessions[c] = true }

func (s *Server) nothingUnsaved() {
	s.unsaved = unsaved{sessions: map[*conversation]bool{}, records: map[*record]bool{}}
}

// save writes what is unsaved, in one transaction. Where that fails it stays unsaved: everything goes on in memory, and the
// interface is told once.
func (s *Server) save() {
	if s.store == nil {
		if !s.storage.wanted {
			s.nothingUnsaved()
		}
		return
	}
	change := s.change()
	if empty(change) {
		s.nothingUnsaved()
		return
	}
	for {
		results, err := s.store.Commit(context.Background(), []store.Change{change})
		if err == nil {
			err = results[0].Err
		}
		if err != nil {
			s.storageProblem("could not save", err)
			return
		}
		if !results[0].Lost.Any() {
			s.saved(change, results[0])
			return
		}
		if !s.yield(&change, results[0].Lost) {
			s.log.DPanic("the store refuses what was not given to it")
			return
		}
	}
}

func empty(c store.Change) bool {
	return len(c.Sessions)+len(c.Questions)+len(c.Drafts)+len(c.Outcomes)+len(c.Collected) == 0
}

// yield takes over the outcomes that another process recorded first, and takes ours out of the change; sessions go out from
// what stands. It reports false if none of ours was among them.
func (s *Server) yield(change *store.Change, lost store.Lost) bool {
	before := len(change.Outcomes)
	newer := false
	for _, theirs := range lost.Sessions {
		for i := range change.Sessions {
			if ours := &change.Sessions[i]; ours.ID == theirs.ID {
				ours.Version, newer = theirs.Version, true
				if c := s.sessions[ours.ID]; c != nil {
					c.kept.Version = theirs.Version
				}
			}
		}
	}
	for _, theirs := range lost.Outcomes {
		r := s.records[theirs.QuestionID]
		kept := change.Outcomes[:0]
		for _, ours := range change.Outcomes {
			if ours.QuestionID != theirs.QuestionID {
				kept = append(kept, ours)
			}
		}
		change.Outcomes = kept
		if r == nil {
			continue
		}
		r.beaten = true
		if err := s.adopt(r, theirs); err != nil {
			s.log.Error("an outcome of another window cannot be read", zap.String("question", r.id), zap.Error(err))
		}
	}
	return newer || len(change.Outcomes) < before
}

// saved notes that everything is on disk.
func (s *Server) saved(change store.Change, applied store.Result) {
	for r := range s.unsaved.records {
		if !r.whole() {
			continue
		}
		if order, ok := applied.Orders[r.id]; ok {
			r.order = int(order)
			s.asked = max(s.asked, r.order)
		}
		if !r.inStore {
			r.inStore, r.owner = true, s.owner
		}
		r.draftChanged = false
		r.outcomeInStore = r.outcome != nil
	}
	for c := range s.unsaved.sessions {
		c.kept, c.inStore = c.row(), true
		if slices.ContainsFunc(change.Sessions, func(written store.Session) bool { return written.ID == c.id }) {
			c.kept.Version++
		}
	}
	for r := range s.unsaved.records {
		s.forget(r)
	}
	if len(s.unsaved.collected) > 0 && s.retention != nil && s.retention.Nothing {
		s.retainSoon()
	}
	s.nothingUnsaved()
	s.storageWorks()
}

// forget lets go of a closed question once it is in the store and nobody here waits for it any more.
func (s *Server) forget(r *record) {
	if !r.outcomeInStore || r.waiters > 0 || s.records[r.id] != r {
		return
	}
	select {
	case <-r.done:
	default:
		return // those who wait for it have not been told yet
	}
	delete(s.records, r.id)
	r.session.remove(r)
	if len(r.session.records) == 0 && !r.session.open {
		delete(s.sessions, r.session.id)
	}
}

// canRetry tells whether a failed write may work later.
func canRetry(err error) bool {
	return !errors.Is(err, store.ErrNewer) && !errors.Is(err, store.ErrClosed)
}
