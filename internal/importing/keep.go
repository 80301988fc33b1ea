package importing

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"go.uber.org/zap"

	"followup/internal/agentfolder"
	"followup/internal/locale"
	"followup/internal/store"
)

// Keeper imports new exchanges from other tools' logs.
type Keeper struct {
	// Places returns the places of the logs.
	Places func() []agentfolder.Place
	// Store returns the store, or nil before it is open.
	Store func() store.Store
	// Locale returns the user's language.
	Locale func() locale.Tag
	// Folder is the storage folder. The time of the last look is kept there, for all windows.
	Folder string
	// Added is called when questions have been added.
	Added func()
	Log   *zap.Logger
	// Interval is the time between two looks. Zero means DefaultInterval. A look that takes long makes it longer.
	Interval time.Duration
}

const (
	// DefaultInterval is the time between two looks.
	DefaultInterval = 30 * time.Second
	// restFactor is the shortest pause after a look, in durations of that look.
	restFactor = 20
	// slack is how much the times of files may differ from the clock.
	slack = 2 * time.Second
	// keptName is the file whose modification time is the time of the last look of any window.
	keptName = "followup.imported"
)

// Run looks until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	interval := cmp.Or(k.Interval, DefaultInterval)
	for {
		began := time.Now()
		if err := k.look(ctx, began, interval); err != nil && ctx.Err() == nil {
			k.Log.Warn("could not import what other tools have written; trying again", zap.Error(err))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(interval, restFactor*time.Since(began))):
		}
	}
}

// look imports from files that were written since the last look of any window.
func (k *Keeper) look(ctx context.Context, now time.Time, interval time.Duration) error {
	into := k.Store()
	if into == nil {
		return nil
	}
	noted := filepath.Join(k.Folder, keptName)
	var since time.Time // the first time, everything
	if info, err := os.Stat(noted); err == nil {
		if since = info.ModTime(); now.Sub(since) < interval/2 && !since.After(now) {
			return nil // another window has just looked
		}
		since = since.Add(-slack)
	}
	var paths []string
	for _, place := range k.Places() {
		paths = append(paths, place.Paths...)
	}
	r := &run{into: into.Import, locale: k.Locale(), result: None(), since: since}
	err := r.all(ctx, paths, nil)
	if r.result.Added > 0 {
		k.Log.Info("imported what other tools have written", zap.Int("added", r.result.Added))
		k.Added()
	}
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(noted, nil, 0o600), os.Chtimes(noted, now, now))
}
