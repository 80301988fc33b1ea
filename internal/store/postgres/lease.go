package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"followup/internal/store/engine"
)

// Kinds of leases.
const (
	livesLease  = "lives"  // the owner's process runs
	showsLease  = "shows"  // the owner shows an inbox
	awaitsLease = "awaits" // somebody waits at the owner for the question of that id
	tellsLease  = "tells"  // the owner tells the user of the question of that id
)

// Adopt makes this process the owner of those of the questions that have no owner whose lease runs, and tells which these are.
func (s *Store) Adopt(ctx context.Context, ids ...string) (adopted []string, err error) {
	err = s.write(ctx, func(t *tx) error {
		adopted = nil
		if err := t.lock(nil, ids); err != nil {
			return err
		}
		for _, id := range ids {
			var ord int64
			err := t.one(`UPDATE questions q SET owner = $1 WHERE id = $2 AND outcome = 0
				AND NOT EXISTS (SELECT FROM leases w WHERE w.kind = $3 AND w.id = '' AND w.owner = q.owner AND until > $4) RETURNING ord`,
				[]any{s.owner, id, livesLease, t.now}, []any{&ord})
			if errors.Is(err, pgx.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			t.noteQuestion(ord, engine.WroteQuestion)
			adopted = append(adopted, id)
		}
		if len(adopted) == 0 {
			return engine.ErrNothing
		}
		return t.extendLease(false)
	})
	if errors.Is(err, engine.ErrNothing) {
		err = nil
	}
	return adopted, err
}

// Renew extends this process's lease on its open questions and what it has claimed, and that of the inbox that it shows. It writes
// nothing while there are none.
func (s *Store) Renew(ctx context.Context) error {
	var owns, claims bool
	err := s.read(ctx, func(q querier) error {
		return q.one("SELECT EXISTS (SELECT FROM questions WHERE outcome = 0 AND owner = $1), EXISTS (SELECT FROM leases WHERE owner = $1 AND kind = $2)",
			[]any{s.owner, tellsLease}, []any{&owns, &claims})
	})
	if err != nil || !owns && !claims && !s.isShown() {
		return err
	}
	s.showing.Lock() // or what Show takes away meanwhile is put back
	defer s.showing.Unlock()
	return s.write(ctx, func(t *tx) error {
		if s.isShown() {
			if err := t.putLease(showsLease, ""); err != nil {
				return err
			}
		}
		if claims {
			until := t.now + s.lease.Milliseconds()
			if _, err := t.exec("UPDATE leases SET until = $1 WHERE owner = $2 AND kind = $3", until, s.owner, tellsLease); err != nil {
				return err
			}
		}
		if !owns {
			return nil
		}
		return t.extendLease(true)
	})
}

// Claim gives this process alone the right to tell the user of a question, unless another process has it, and reports whether it has it
// then. Where it is refused, nothing is locked for it.
func (s *Store) Claim(ctx context.Context, id string) (ours bool, err error) {
	if claimed, err := s.Claimed(ctx, id); err != nil || claimed {
		return false, err
	}
	err = s.write(ctx, func(t *tx) error {
		if err := t.lock(nil, []string{id}); err != nil { // or two see that nobody has it
			return err
		}
		err := t.one("SELECT NOT EXISTS (SELECT FROM leases WHERE kind = $1 AND id = $2 AND owner <> $3 AND until > $4)",
			[]any{tellsLease, id, s.owner, t.now}, []any{&ours})
		if err != nil || !ours {
			return err
		}
		return t.putLease(tellsLease, id)
	})
	return ours && err == nil, err
}

// Claimed tells whether another process has the right to tell the user of a question.
func (s *Store) Claimed(ctx context.Context, id string) (bool, error) {
	return s.runs(ctx, tellsLease, id, s.owner)
}

// Unclaim gives up what this process has claimed.
func (s *Store) Unclaim(ctx context.Context, ids ...string) error {
	return s.write(ctx, func(t *tx) error {
		for _, id := range ids {
			if _, err := t.exec("DELETE FROM leases WHERE kind = $1 AND id = $2 AND owner = $3", tellsLease, id, s.owner); err != nil {
				return err
			}
		}
		return nil
	})
}

// extendLease makes this process's lease run from now on, if it was told to or half of it is over.
func (t *tx) extendLease(always bool) error {
	lease := t.store.lease.Milliseconds()
	t.store.mu.Lock()
	leased := max(t.store.leased, t.leased)
	t.store.mu.Unlock()
	if !always && leased > t.now+lease/2 {
		return nil
	}
	t.leased = t.now + lease
	return t.putLease(livesLease, "")
}

func (t *tx) putLease(kind, id string) error {
	_, err := t.exec("INSERT INTO leases (kind, id, owner, until) VALUES ($1, $2, $3, $4) ON CONFLICT (kind, id, owner) DO UPDATE SET until = excluded.until",
		kind, id, t.store.owner, t.now+t.store.lease.Milliseconds())
	return err
}

// Owners tells of each process that has a lease whether it runs.
func (s *Store) Owners(ctx context.Context) (alive map[string]bool, err error) {
	err = s.read(ctx, func(q querier) error {
		alive = map[string]bool{}
		return q.each("SELECT owner, until > "+theClock+" FROM leases WHERE kind = $2", []any{s.clock(), livesLease}, func(scan func(...any) error) error {
			var owner string
			var runs bool
			err := scan(&owner, &runs)
			alive[owner] = runs
			return err
		})
	})
	return alive, err
}

// Await tells the others for which of their questions somebody waits here.
func (s *Store) Await(ctx context.Context, ids ...string) error {
	return s.write(ctx, func(t *tx) error {
		if _, err := t.exec("DELETE FROM leases WHERE kind = $1 AND owner = $2", awaitsLease, s.owner); err != nil {
			return err
		}
		for _, id := range ids {
			if err := t.putLease(awaitsLease, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Awaited tells whether somebody waits for a question in another process.
func (s *Store) Awaited(ctx context.Context, id string) (bool, error) {
	return s.runs(ctx, awaitsLease, id, s.owner)
}

// Show tells the others whether this process shows an inbox, as long as it renews its lease.
func (s *Store) Show(ctx context.Context, shows bool) error {
	s.showing.Lock()
	defer s.showing.Unlock()
	err := s.write(ctx, func(t *tx) error {
		if shows {
			return t.putLease(showsLease, "")
		}
		_, err := t.exec("DELETE FROM leases WHERE kind = $1 AND id = '' AND owner = $2", showsLease, s.owner)
		return err
	})
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.shows = shows
	}
	return err
}

func (s *Store) isShown() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shows
}

// Shown tells whether any process shows an inbox.
func (s *Store) Shown(ctx context.Context) (bool, error) { return s.runs(ctx, showsLease, "", "") }

// runs tells whether anybody but one has a lease that runs.
func (s *Store) runs(ctx context.Context, kind, id, but string) (runs bool, err error) {
	err = s.read(ctx, func(q querier) error {
		return q.one("SELECT EXISTS (SELECT FROM leases WHERE kind = $2 AND id = $3 AND owner <> $4 AND until > "+theClock+")",
			[]any{s.clock(), kind, id, but}, []any{&runs})
	})
	return runs, err
}

// forgottenAfter is when a process is forgotten that ended without a word.
const forgottenAfter = 24 * time.Hour

// leave gives up all leases of this process, and forgets processes that ended without doing so.
func (t *tx) leave() error {
	ended, err := t.exec("DELETE FROM leases WHERE owner = $1 OR until < $2", t.store.owner, t.now-forgottenAfter.Milliseconds())
	if err != nil {
		return err
	}
	if ended == 0 {
		return engine.ErrNothing
	}
	t.noteQuestion(0, 0) // the others look at the owners of theirs again
	return nil
}
