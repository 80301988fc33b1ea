package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"

	"followup/internal/store/engine"
)

// Adopt makes this process the owner of those of the questions that have no owner whose lease runs, and tells which these are.
func (s *Store) Adopt(ctx context.Context, ids ...string) (adopted []string, err error) {
	err = s.write(ctx, func(t *tx) error {
		adopted = nil
		for _, id := range ids {
			var ord int64
			err := t.one(`UPDATE questions SET owner = ? WHERE id = ? AND outcome = 0
				AND NOT EXISTS (SELECT 1 FROM owners WHERE owners.owner = questions.owner AND until > ?) RETURNING ord`,
				[]any{s.owner, id, t.now}, []any{&ord})
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			if err := t.noteQuestion(ord, engine.WroteQuestion, 0); err != nil {
				return err
			}
			adopted = append(adopted, id)
		}
		if len(adopted) == 0 {
			return nil
		}
		return t.extendLease(false)
	})
	return adopted, err
}

// Renew extends this process's lease on its open questions and what it has claimed. Call it about three times per Options.Lease. It
// writes nothing while there is neither.
func (s *Store) Renew(ctx context.Context) error {
	var owns, claims bool
	err := s.read(ctx, func(q querier) error {
		return q.one("SELECT EXISTS (SELECT 1 FROM questions q WHERE "+isOpen+" AND owner = ?1), EXISTS (SELECT 1 FROM owners WHERE "+isClaimed+")",
			[]any{s.owner}, []any{&owns, &claims})
	})
	if err != nil || !owns && !claims {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		if claims {
			if _, err := t.exec("UPDATE owners SET until = ?2 WHERE "+isClaimed, s.owner, t.now+s.lease.Milliseconds()); err != nil {
				return err
			}
		}
		if !owns {
			return nil
		}
		return t.extendLease(true)
	})
}

// What a process has claimed is a lease of its own, named by claimed, the question and the process.
const (
	claimed   = "tells "
	isClaimed = "owner LIKE '" + claimed + "% ' || ?1"
)

// Claim gives this process alone the right to tell the user of a question, unless another process has it, and reports whether it has it
// then. Where it is refused, nothing is locked for it.
func (s *Store) Claim(ctx context.Context, id string) (ours bool, err error) {
	if claimed, err := s.Claimed(ctx, id); err != nil || claimed {
		return false, err
	}
	err = s.write(ctx, func(t *tx) error {
		others, err := t.othersLease(claimed+id, s.owner, t.now)
		if ours = !others; err != nil || !ours {
			return err
		}
		_, err = t.exec("INSERT OR REPLACE INTO owners (owner, until) VALUES (?, ?)", claimed+id+" "+s.owner, t.now+s.lease.Milliseconds())
		return err
	})
	return ours && err == nil, err
}

// Claimed tells whether another process has the right to tell the user of a question.
func (s *Store) Claimed(ctx context.Context, id string) (bool, error) {
	return s.othersLease(ctx, claimed+id)
}

// Unclaim gives up what this process has claimed.
func (s *Store) Unclaim(ctx context.Context, ids ...string) error {
	return s.write(ctx, func(t *tx) error {
		for _, id := range ids {
			if _, err := t.exec("DELETE FROM owners WHERE owner = ?", claimed+id+" "+s.owner); err != nil {
				return err
			}
		}
		return nil
	})
}

// extendLease makes this process's lease run from now on, if it was told to or half of it is over.
func (t *tx) extendLease(always bool) error {
	lease := t.store.lease.Milliseconds()
	if !always && max(t.store.leased, t.leased) > t.now+lease/2 {
		return nil
	}
	t.leased = t.now + lease
	_, err := t.exec("INSERT INTO owners (owner, until) VALUES (?, ?) ON CONFLICT (owner) DO UPDATE SET until = excluded.until", t.store.owner, t.leased)
	return err
}

// Owners tells of each process that has a lease whether it runs.
func (s *Store) Owners(ctx context.Context) (alive map[string]bool, err error) {
	err = s.read(ctx, func(q querier) error {
		alive = map[string]bool{}
		now := s.now().UnixMilli()
		return q.each("SELECT owner, until FROM owners WHERE instr(owner, ' ') = 0", nil, func(scan func(...any) error) error {
			var owner string
			var until int64
			err := scan(&owner, &until)
			alive[owner] = until > now
			return err
		})
	})
	return alive, err
}

// Await tells the others for which of their questions somebody waits here: each is a lease of its own, named by the question and
// the process.
func (s *Store) Await(ctx context.Context, ids ...string) error {
	return s.write(ctx, func(t *tx) error {
		if _, err := t.exec("DELETE FROM owners WHERE owner LIKE '% ' || ?1 AND NOT "+isClaimed, s.owner); err != nil {
			return err
		}
		for _, id := range ids {
			_, err := t.exec("INSERT OR REPLACE INTO owners (owner, until) VALUES (?, ?)", id+" "+s.owner, t.now+s.lease.Milliseconds())
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Awaited tells whether somebody waits for a question in another process.
func (s *Store) Awaited(ctx context.Context, id string) (awaited bool, err error) {
	return s.othersLease(ctx, id)
}

func (s *Store) othersLease(ctx context.Context, name string) (runs bool, err error) {
	err = s.read(ctx, func(q querier) error {
		runs, err = q.othersLease(name, s.owner, s.now().UnixMilli())
		return err
	})
	return runs, err
}

// othersLease tells whether a lease of that name runs for anybody but the owner.
func (q querier) othersLease(name, owner string, now int64) (runs bool, err error) {
	err = q.one("SELECT EXISTS (SELECT 1 FROM owners WHERE owner > ?1 || ' ' AND owner < ?1 || '!' AND owner <> ?1 || ' ' || ?2 AND until > ?3)",
		[]any{name, owner, now}, []any{&runs})
	return runs, err
}

// leave is the last that a process writes. The last process of all to close the file moves the log into it.
func (t *tx) leave() error {
	if err := t.endLease(); err != nil || t.store.wrote.Load() == 0 {
		return err
	}
	_, err := t.cleanPages(math.MaxInt)
	return err
}

// endLease gives up all questions of this process, and forgets processes that ended without doing so.
func (t *tx) endLease() error {
	ended, err := t.exec("DELETE FROM owners WHERE owner = ?1 OR owner LIKE '% ' || ?1 OR until < ?2", t.store.owner, t.now-24*time.Hour.Milliseconds())
	if err != nil || ended == 0 {
		return err
	}
	return t.noteQuestion(0, 0, 0) // the others look at the owners of theirs again
}

// Watch calls changed, one call at a time: first at once, then whenever other processes have written. Where their bell is heard it looks
// for that at once, and otherwise, in case it was not rung, at the interval. What changed does may be as little as to note that Changed
// is worth asking. It returns when ctx ends, or with the error that keeps it from looking.
func (s *Store) Watch(ctx context.Context, interval time.Duration, changed func()) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	var rung <-chan struct{}
	lost := false // there was a bell, or is another
	hear := func() {
		rung = s.bell.hear(ctx)
		if lost = rung == nil && !s.bell.hangs(); rung != nil {
			ticker.Reset(interval * deafness)
		}
	}
	hear()
	for seen := int64(-1); ; {
		looked := time.Now()
		version, err := s.dataVersion(ctx)
		if err != nil {
			return err
		}
		if version != seen {
			seen = version
			changed()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			if lost && s.bell.rehang() {
				hear() // what was written before is looked for now
			}
		case _, hangs := <-rung:
			if !hangs {
				rung, lost = nil, true
				ticker.Reset(interval)
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Until(looked.Add(bellSpacing))):
			}
		}
	}
}

// dataVersion changes when another process has written. It is asked of the connection that writes, so that this process's
// own writes do not count. https://sqlite.org/pragma.html#pragma_data_version
func (s *Store) dataVersion(ctx context.Context) (version int64, err error) {
	err = s.patiently(ctx, false, func() error {
		if err := s.there(); err != nil {
			return err
		}
		return s.inTurn(ctx, func(ctx context.Context) error {
			return querier{ctx, &s.writes}.one("PRAGMA data_version", nil, []any{&version})
		})
	})
	return version, err
}
