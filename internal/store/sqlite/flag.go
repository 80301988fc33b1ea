package sqlite

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"followup/internal/store"
)

// flag is something that any of the processes that share a store can say: whoever says it holds a shared lock on a file, which ends
// with the process.
type flag struct {
	mu      sync.Mutex
	raised  bool
	holding *os.File // has the lock
	looking *os.File // looks whether anybody has it
}

func openFlag(path string) (*flag, error) {
	holding, err := openLock(path)
	if err != nil {
		return nil, err
	}
	looking, err := openLock(path)
	if err != nil {
		return nil, errors.Join(err, holding.Close())
	}
	return &flag{holding: holding, looking: looking}, nil
}

// raise says it, and tells whether it could: not while somebody is just looking.
func (f *flag) raise() (raised bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.raised {
		f.raised, err = tryLock(f.holding, false)
	}
	return f.raised, err
}

// lower says it no more.
func (f *flag) lower() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.raised {
		return nil
	}
	f.raised = false
	return unlock(f.holding)
}

// isRaised tells whether any process says it.
func (f *flag) isRaised() (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.raised {
		return true, nil
	}
	alone, err := tryLock(f.looking, true)
	if err != nil || !alone {
		return err == nil, err
	}
	return false, unlock(f.looking)
}

// looks is how often a flag is looked at that seems to be raised.
const looks = 5

// staysRaised is isRaised for whoever must not take another one that looks at the same moment for one that says it: it pauses, and looks
// again.
func (f *flag) staysRaised(pause func()) (raised bool, err error) {
	for range looks {
		if raised, err = f.isRaised(); !raised || err != nil || f.isRaisedHere() {
			return raised, err
		}
		pause()
	}
	return f.isRaised()
}

func (f *flag) isRaisedHere() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.raised
}

func (f *flag) close() error { return errors.Join(f.holding.Close(), f.looking.Close()) }

// Show tells the others whether this process shows an inbox; see store.Store.
func (s *Store) Show(ctx context.Context, shows bool) error {
	if err := s.open(); err != nil {
		return err
	}
	if !shows {
		return classify(s.shown.lower())
	}
	for {
		raised, err := s.shown.raise()
		if raised || err != nil {
			return classify(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

// Shown tells whether any process shows an inbox; see store.Store.
func (s *Store) Shown(ctx context.Context) (bool, error) {
	if err := s.open(); err != nil {
		return false, err
	}
	shown, err := s.shown.staysRaised(func() {
		select {
		case <-ctx.Done():
		case <-time.After(rand.N(2 * time.Millisecond)): // each at other moments
		}
	})
	return shown, classify(err)
}

// open tells why the store cannot be used, if it is closed or gone.
func (s *Store) open() error {
	if s.closed.Load() {
		return store.ErrClosed
	}
	return s.there()
}
