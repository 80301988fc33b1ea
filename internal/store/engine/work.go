package engine

import (
	"context"
	"fmt"
	"math"
	"time"

	"followup/internal/store"
)

// Delete marks a selection as deleted, so many questions in one transaction. Mark does one: 0 begins a deletion. Of what is marked already
// nothing is counted, and where that is all of it, no deletion is begun.
func Delete(ctx context.Context, in Source, what store.Selection, most int,
	mark func(deletion int64, everything bool, keys []store.Key) (id int64, count int, at int64, err error),
) (done store.Deletion, err error) {
	everything := what.IDs == nil && isEverything(what.Filter)
	err = Selected(ctx, in, what, most, func(keys []store.Key) error {
		id, count, at, err := mark(done.ID, everything, keys)
		if err != nil || count == 0 {
			return err
		}
		done.ID, done.Count, done.Until = id, done.Count+count, time.UnixMilli(at).Add(store.Undo)
		return nil
	})
	return done, err
}

// isEverything tells whether a filter lets all of the history through that it shows.
func isEverything(f store.Filter) bool {
	return len(f.Agents)+len(f.Workspaces)+len(f.Outcomes)+len(f.Text) == 0 && f.From.IsZero() && f.To.IsZero()
}

// Restore takes a deletion back, so many questions in one transaction; part does one.
func Restore(most int64, part func(first bool) (int64, error)) (restored int, err error) {
	for some := most; some == most; {
		if some, err = part(restored == 0); err != nil {
			return restored, err
		}
		restored += int(some)
	}
	return restored, nil
}

// CanRestore tells whether a deletion can be taken back, some of which may have been.
func CanRestore(deletedAt, now int64, first bool) bool {
	return !first || deletedAt > now-store.Undo.Milliseconds()
}

// Deletion is one that has lapsed.
type Deletion struct {
	ID         int64
	Everything bool // with sessions that nothing is asked in any more
}

// Remover removes for good.
type Remover interface {
	Lapsed(ctx context.Context) ([]Deletion, error)
	// RemoveDeleted removes the questions of a deletion, and EndDeletion then the deletion.
	RemoveDeleted(ctx context.Context, id int64) (removed int, err error)
	EndDeletion(ctx context.Context, id int64) error
	// RemoveKept removes what is not kept; see Kept.
	RemoveKept(ctx context.Context, first, collected store.Key) (removed int, err error)
	// ForgetSessions removes sessions that have no questions and are closed, or were not used since a time in milliseconds.
	ForgetSessions(ctx context.Context, since int64) error
	// Forget drops what only removed texts were found by, and all other traces.
	Forget(ctx context.Context) error
}

// Purge removes what was deleted and can no longer be restored.
func Purge(ctx context.Context, r Remover) (removed int, err error) {
	lapsed, err := r.Lapsed(ctx)
	if err != nil || len(lapsed) == 0 {
		return 0, err
	}
	for _, d := range lapsed {
		some, err := r.RemoveDeleted(ctx, d.ID)
		removed += some
		if err == nil && d.Everything {
			err = r.ForgetSessions(ctx, math.MaxInt64)
		}
		if err == nil {
			err = r.EndDeletion(ctx, d.ID)
		}
		if err != nil {
			return removed, err
		}
	}
	return removed, r.Forget(ctx)
}

// Retain removes what a retention does not keep now. Of what is older, or all of it, nothing goes that its agent has not got yet, unless that was
// withdrawn or is older still.
func Retain(ctx context.Context, r Remover, keep store.Retention, now int64) (removed int, err error) {
	first := store.Key(0) // from which on closed questions are kept
	switch {
	case keep.Nothing:
		first = math.MaxInt64
	case keep.Age > 0:
		first = FirstKey(now - keep.Age.Milliseconds())
	}
	if removed, err = r.RemoveKept(ctx, first, FirstKey(now-store.UncollectedKept.Milliseconds())); err != nil {
		return removed, err
	}
	if err := r.ForgetSessions(ctx, now-SessionKept.Milliseconds()); err != nil {
		return removed, err
	}
	return removed, r.Forget(ctx)
}

// Import adds exchanges; step adds some of the first in one transaction, and tells how many of those that it has looked at were new.
func Import(exchanges []store.Imported, step func(left []store.Imported) (isNew, done int, err error)) (added, known int, err error) {
	for _, x := range exchanges {
		if x.Source == "" || x.Key == "" || x.Outcome.Outcome == "" {
			return 0, 0, fmt.Errorf("store: an exchange to import needs a source, a key and an outcome; got %q, %q, %q", x.Source, x.Key, x.Outcome.Outcome)
		}
	}
	for left := exchanges; len(left) > 0; {
		isNew, done, err := step(left)
		if err != nil {
			return added, known, err
		}
		added, known, left = added+isNew, known+done-isNew, left[done:]
	}
	return added, known, nil
}

// Amended returns the outcome that an exchange gives a question which has the outcome o, and false where that stands.
func Amended(x store.Imported, o store.Outcome) (store.Outcome, bool) {
	if x.Amend == nil || o.Outcome == "" { // it is open, or deleted
		return o, false
	}
	return x.Amend(o)
}

// Exchange is what is written of an exchange: a question that is closed, its outcome, and when that was, in milliseconds.
func Exchange(x store.Imported) (q store.Question, o store.Outcome, at int64) {
	q = x.Question
	q.ID, q.Session, q.State, q.Source = x.ID(), "", store.Closed, x.Source
	return q, x.Outcome, ClosedAt(x.Outcome, Millis(q.AskedAt)) // without any time: before all others
}

// Size is how many bytes of texts an exchange brings.
func Size(x store.Imported) int {
	return len(x.Question.Call) + len(x.Question.Text) + len(x.Outcome.Answer) + len(x.Outcome.Text)
}
