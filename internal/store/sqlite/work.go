package sqlite

import (
	"context"
	"errors"
	"time"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// Work that can wait (purging, retention, import, the index, the log) goes in steps. Each is one short transaction, in which all
// that is done is counted; before each, a writer that waits goes first.

const (
	// longStep is how long a step may take before the next ones do less, down to leastUnits.
	longStep   = 3 * time.Millisecond
	leastUnits = 150
	// bytesPerUnit is how many bytes of a text or an image cost as much.
	bytesPerUnit = 1 << 10
	// The pause before a step, in which a writer that has not waited yet may begin: a part of what the last step took.
	pausePart  = 4
	leastPause = time.Millisecond
	mostPause  = 50 * time.Millisecond
	// mostGiven is how long a step gives way: writers without end do not keep work from going on.
	mostGiven = time.Second
)

// thresholds are from what size on something is done in another way; tests set them so that they need less.
type thresholds struct {
	stepUnits     int   // the most that a step does: a unit is about one token that goes into the index or out of it, or one row
	deletedAtOnce int   // questions that are marked as deleted, or no longer so, in one step
	takenAtOnce   int   // rows that are taken out of the index together
	leavesPerRow  int   // pages of the index that must be there for each row that is taken out; of fewer, all are written anew
	rebuildFrom   int   // rows that must go at least for a new index to be begun
	logLimit      int64 // bytes that the write-ahead log may have; whoever opens the store after a crash reads all of it
}

var usual = thresholds{stepUnits: 600, deletedAtOnce: 128, takenAtOnce: 1024, leavesPerRow: 4, rebuildFrom: 2000, logLimit: 4 << 20}

// meter counts what a step does.
type meter struct{ left int }

// spend counts units, and tells whether the step may go on.
func (m *meter) spend(units int) bool {
	m.left -= units
	return m.left > 0
}

// unitsOf is what bytes cost.
func unitsOf(bytes int) int { return bytes / bytesPerUnit }

// steps runs steps until one of them says that nothing more is to be done, or gives engine.ErrNothing: then nothing is written. Together
// they are durable when it returns.
func (s *Store) steps(ctx context.Context, step func(*tx, *meter) (more bool, err error)) error {
	before := s.worked.Load()
	err := s.oneByOne(ctx, step)
	if s.worked.Load() == before {
		return err
	}
	return errors.Join(err, s.flushLog())
}

// oneByOne runs the steps.
func (s *Store) oneByOne(ctx context.Context, step func(*tx, *meter) (more bool, err error)) error {
	for more := true; more; {
		if err := s.giveWay(ctx); err != nil {
			return err
		}
		err := s.patiently(ctx, false, func() error {
			began := time.Now()
			defer func() { s.lastStep.Store(int64(time.Since(began))) }()
			if s.closed.Load() {
				return store.ErrClosed
			}
			return s.transactInTurn(ctx, false, func(t *tx) (err error) {
				ran := s.writes.ran
				more, err = step(t, &meter{s.units})
				s.largest = max(s.largest, s.writes.ran-ran)
				return err
			})
		})
		s.stepped.Add(1)
		if errors.Is(err, engine.ErrNothing) {
			return nil
		}
		if err == nil {
			s.worked.Add(1)
			s.writeBackLog()
			err = s.keepLogSmall(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keepLogSmall empties the log now and then, when it has become large, in between the steps of other work.
func (s *Store) keepLogSmall(ctx context.Context) error {
	if s.stepped.Load()%lookEvery != 0 || s.emptying.Swap(true) {
		return nil
	}
	defer s.emptying.Store(false)
	return s.emptyLarge(ctx)
}

// lookEvery is how many steps are taken between looks at the log.
const lookEvery = 16

// fit makes the next step smaller where one took long, on a machine that has much else to do, and larger again where it did not.
func (s *Store) fit(took time.Duration) {
	switch {
	case took > longStep:
		s.units = max(s.units/2, leastUnits)
	case took < longStep/2:
		s.units = min(s.units+s.units/4, s.stepUnits)
	}
}

// once runs one step.
func (s *Store) once(ctx context.Context, step func(*tx) error) error {
	return s.steps(ctx, func(t *tx, _ *meter) (bool, error) { return false, step(t) })
}

// giveWay pauses, and goes on pausing while a writer waits.
func (s *Store) giveWay(ctx context.Context) error {
	pause := min(max(time.Duration(s.lastStep.Load())/pausePart, leastPause), mostPause)
	for began := time.Now(); ; pause = leastPause {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		if time.Since(began) > mostGiven || s.waiting.Load() == 0 {
			return nil
		}
	}
}

// alone runs work that has to be alone.
func (s *Store) alone(ctx context.Context, work func() error) error {
	select {
	case s.maintaining <- struct{}{}:
		defer func() { <-s.maintaining }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return work()
}
