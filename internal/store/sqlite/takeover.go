package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"followup/internal/store"
)

// An editor used to keep a store in a folder of its own. It is brought into the one that all processes of a person share while
// nobody else has it open, which a lock makes sure of: moved by one rename, so that it stands in one place or the other whatever
// happens; or, where there is a store already, merged, and removed when all of it is there. What cannot be done now, such as while a
// window with an older version has the former store open, is done when the next process opens the store.

// errInUse is that of a store which another process has open.
var errInUse = errors.New("another process has it open")

// takeOver brings the store of the folder options.Former here, if there is one. That it cannot be done is no reason to do without
// this one.
func (o *opener) takeOver(ctx context.Context) {
	from := o.options.Former
	log := o.log.With(zap.String("from", from), zap.String("to", o.dir))
	switch there, err := o.hasFormer(); {
	case err != nil:
		log.Warn("the editor's own store cannot be looked at", zap.Error(err))
		return
	case !there:
		return
	}
	moved, count, err := o.bring(ctx)
	switch {
	case errors.Is(err, errInUse):
		log.Info("the editor's own store is still in use; it is brought here when it no longer is")
	case err != nil && ctx.Err() == nil:
		log.Error("the editor's own store could not be brought here; it stays where it is", zap.Error(err))
	case err == nil && moved:
		log.Info("the editor's own store was moved here")
	case err == nil:
		log.Info("the editor's own store was merged into this one", zap.Int("questions", count))
	}
}

// hasFormer tells whether there is a store to be brought here.
func (o *opener) hasFormer() (bool, error) {
	if there, err := Exists(o.options.Former); err != nil || !there {
		return false, err
	}
	former, err := os.Stat(o.options.Former)
	if err != nil {
		return false, err
	}
	here, _ := os.Stat(o.dir)                             // it may not be there yet
	return here == nil || !os.SameFile(former, here), nil // a link may lead to the same folder
}

// bring moves or merges the former store.
func (o *opener) bring(ctx context.Context) (moved bool, count int, err error) {
	former, err := o.openFormer(ctx)
	if isDamage(err) { // it is set aside as any other
		err = o.mendFormer(ctx)
		if err == nil {
			former, err = o.openFormer(ctx)
		}
	}
	if err != nil {
		return false, 0, err
	}
	if err := o.move(ctx, former); err == nil {
		return true, 0, nil
	} else if !errors.Is(err, fs.ErrExist) {
		// Such as because it is on another disk. It is closed by now.
		o.log.Info("the editor's own store cannot be moved, and is merged", zap.Error(err))
	}
	if former.closed.Load() {
		if former, err = o.openFormer(ctx); err != nil {
			return false, 0, err
		}
	}
	here, report, err := Open(ctx, o.dir, o.passing())
	if err != nil {
		return false, 0, errors.Join(err, former.Close())
	}
	o.tell(report)
	count, err = store.Merge(ctx, former, here)
	if err := errors.Join(err, here.Close()); err != nil {
		return false, count, errors.Join(err, former.Close())
	}
	return false, count, former.closeWith(func() error {
		if err := former.isWhole(); err != nil {
			return err
		}
		return os.Remove(former.path())
	})
}

// passing are the options of a store that is closed again at once: its open questions are nobody's then.
func (o *opener) passing() store.Options {
	options := o.options
	options.Owner, options.Former = uuid.NewString(), ""
	return options
}

// mendFormer begins a new one in the place of a former store that is damaged.
func (o *opener) mendFormer(ctx context.Context) error {
	former, report, err := Open(ctx, o.options.Former, o.passing())
	if err != nil {
		return err
	}
	o.tell(report)
	return former.Close()
}

// tell takes over what a store that is closed again has reported of damage.
func (o *opener) tell(report store.Report) {
	if report.SetAside != "" {
		o.report.SetAside, o.report.Salvaged, o.report.Damage = report.SetAside, report.Salvaged, report.Damage
	}
}

// openFormer opens the former store, which no other process has open, and none can open until it is closed. What was to be read of a
// damaged file is read.
func (o *opener) openFormer(ctx context.Context) (*Store, error) {
	from := opener{dir: o.options.Former, options: o.passing(), log: o.log, sole: true}
	opening, err := openLock(from.path(openingName))
	if err != nil {
		return nil, err
	}
	defer func() { _ = opening.Close() }() // nothing was written to it
	if locked, err := tryLock(opening, true); err != nil || !locked {
		return nil, errors.Join(err, errInUse)
	}
	if from.lock, err = openLock(from.path(lockName)); err != nil {
		return nil, err
	}
	if alone, err := tryLock(from.lock, true); err != nil || !alone {
		return nil, errors.Join(err, errInUse, from.lock.Close())
	}
	s, err := from.openFile(ctx)
	if err != nil {
		return nil, errors.Join(err, from.lock.Close())
	}
	if _, err := s.alone(ctx, true, func() error { return s.salvage(ctx) }); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// move closes the former store and gives its file the place of this one's; fs.ErrExist where there is one here, or what is left of one,
// and the former one is still open then: SQLite would take another one's log for its own.
func (o *opener) move(ctx context.Context, former *Store) error {
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return errors.Join(err, former.Close())
	}
	opening, err := acquire(ctx, o.path(openingName), true)
	if err != nil {
		return errors.Join(err, former.Close())
	}
	defer func() { _ = opening.Close() }() // nothing was written to it
	for _, ending := range besides {
		switch _, err := os.Lstat(o.path(fileName + ending)); {
		case err == nil:
			return fs.ErrExist
		case !errors.Is(err, fs.ErrNotExist):
			return errors.Join(err, former.Close())
		}
	}
	return former.closeWith(func() error {
		if err := former.isWhole(); err != nil {
			return err
		}
		return os.Rename(former.path(), o.path(fileName))
	})
}

// isWhole makes sure that all of a store that is closed is in its file: what others have written meanwhile would be in its log.
func (s *Store) isWhole() error {
	if there(s.path() + "-wal") {
		return fmt.Errorf("%w: its log was not moved into it", store.ErrUnavailable)
	}
	return nil
}

// path is that of the store's file.
func (s *Store) path() string { return filepath.Join(s.dir, fileName) }
