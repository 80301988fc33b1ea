package sqlite

import (
	"cmp"
	"context"
	_ "embed" // the schemas
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"go.uber.org/zap"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

// Names in the store's folder.
const (
	inboxName     = "inbox.db"
	historyName   = "history.db"
	ownerName     = "store.lock" // locked by the process with the exclusive store, with its address
	salvageEnding = ".salvage"   // of a file with the name of the damaged file whose rows were not read yet
)

func asidePrefix(name string) string { return strings.TrimSuffix(name, ".db") + "-damaged-" }

// applicationID is the application id in the files' headers: "Flw1".
const applicationID = 0x466c7731

const schemaVersion = 1

//go:embed inbox.sql
var inboxSchema string

//go:embed history.sql
var historySchema string

// open opens both files. Damaged ones are set aside, and reported.
func (f *folder) open(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	if err := f.settle(); err != nil {
		return err
	}
	if f.options.Exclusive {
		if err := f.takeExclusive(ctx); err != nil {
			return err
		}
	}
	if f.inbox, err = f.openFile(ctx, inbox); err != nil {
		return err
	}
	if f.options.KeepDamaged {
		// a later opening restores the rows
	} else if err := f.salvage(ctx, f.inbox); err != nil {
		f.options.Log.Error("cannot read the damaged inbox", zap.Error(err))
	}
	if f.history, err = f.openFile(ctx, history); err != nil {
		return err
	}
	return f.continueOrder(ctx)
}

// settle creates the folder, which others then cannot enter. It never changes the mode of a folder that exists: it may be another program's,
// or the system's.
func (f *folder) settle() error {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(f.dir)
	switch {
	case err != nil:
		return err
	case runtime.GOOS == "windows":
	case info.Mode()&os.ModeSticky != 0:
		return fmt.Errorf("%w: all users share the folder %s; use one of your own", store.ErrUnavailable, f.dir)
	case info.Mode()&0o002 != 0:
		return fmt.Errorf("%w: all users can replace files in the folder %s; run: chmod o-w %[2]s", store.ErrUnavailable, f.dir)
	case info.Mode()&0o020 != 0:
		f.options.Log.Warn("the folder's group can replace the store's files; to prevent that, run: chmod g-w", zap.String("folder", f.dir))
	}
	return nil
}

// continueOrder makes the questions of a new inbox follow those of the history.
func (f *folder) continueOrder(ctx context.Context) error {
	used := false
	err := f.inbox.Read(ctx, func(q *sqlstore.Queries) { used = q.One("SELECT 1 FROM sqlite_sequence", nil, new(int)) })
	if err != nil || used {
		return err
	}
	var last int64
	err = f.history.Read(ctx, func(q *sqlstore.Queries) { q.One("SELECT coalesce(max(ord), 0) FROM entries", nil, &last) })
	if err != nil {
		return err
	}
	return f.inbox.Write(ctx, func(q *sqlstore.Queries, _ int64) {
		q.Exec("INSERT INTO sqlite_sequence (name, seq) VALUES ('questions', ?)", last)
	})
}

// ownerPatience is how long opening waits for another process to end.
const ownerPatience = 2 * time.Second

func (f *folder) takeExclusive(ctx context.Context) (err error) {
	path := filepath.Join(f.dir, ownerName)
	f.exclusive, err = lock(ctx, path)
	if errors.Is(err, errHeld) {
		address, _ := os.ReadFile(path) // without it, the other process's address is unknown
		return errors.Join(&store.HeldError{Address: string(address)}, err)
	}
	if err == nil {
		_ = os.WriteFile(path, []byte(f.options.Address), 0o600) // Windows refuses it for a locked file
	}
	return err
}

// lock waits a limited time until this process has locked a file.
func lock(ctx context.Context, path string) (*flock.Flock, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, ownerPatience, errHeld)
	defer cancel()
	f := flock.New(path)
	locked, err := f.TryLockContext(ctx, 5*time.Millisecond)
	if locked {
		return f, nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return nil, fmt.Errorf("%w: %s: %w", store.ErrUnavailable, path, err)
}

// regular makes sure that a path, if it exists, is a regular file: opening anything else may block forever, or have side effects.
func regular(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is not a file", store.ErrUnavailable, path)
	}
	return nil
}

// openFile opens a file, and sets a damaged one aside.
func (f *folder) openFile(ctx context.Context, h half) (*file, error) {
	opened, err := f.openSound(ctx, h)
	if !isDamage(err) || f.options.KeepDamaged {
		return opened, err
	}
	if err := f.setAside(ctx, h.name, err); err != nil {
		return nil, err
	}
	return f.openSound(ctx, h)
}

// openSound opens a file, creates it if it does not exist, and checks that it is a sound store.
func (f *folder) openSound(ctx context.Context, h half) (*file, error) {
	opened := &file{half: h, path: filepath.Join(f.dir, h.name), now: f.options.Now, turn: make(chan struct{}, 1)}
	for _, ending := range append(besides, salvageEnding) {
		if err := regular(opened.path + ending); err != nil {
			return nil, err
		}
	}
	err := f.create(opened.path)
	if err == nil {
		err = opened.check(ctx, f.options.Check)
	}
	if err != nil {
		return nil, errors.Join(err, opened.close())
	}
	return opened, nil
}

const headerSize = 100

// create creates a file if it does not exist.
func (f *folder) create(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // the user may have removed it; SQLite removes a log that is left
		if err := f.moveAside(path); err != nil {
			return err
		}
		return os.WriteFile(path, nil, 0o600)
	case err != nil:
		return err
	case info.Size() >= headerSize:
	case info.Size() > 0: // SQLite would treat it as new
		return fmt.Errorf("%w: it is not an SQLite file", store.ErrDamaged)
	case logSize(path) > 0: // SQLite would remove the log, and with it what was not moved into the file yet
		return fmt.Errorf("%w: it is empty, but its log is not", store.ErrDamaged)
	}
	return nil
}

// restrict makes a file that is known to be a store's unreadable for others, with its log. SQLite gives those that it creates the same mode.
func restrict(path string) error {
	for _, ending := range besides {
		if err := os.Chmod(path+ending, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// check opens the connections, and checks that the file is sound, all of it if whole.
func (f *file) check(ctx context.Context, whole bool) (err error) {
	if f.reads.db, err = connect(f.path, "query_only(1)", "temp_store(2)"); err != nil {
		return err
	}
	f.reads.db.SetMaxOpenConns(maxReaders)
	f.reads.db.SetMaxIdleConns(1)
	if err := f.checkVersion(ctx); err != nil {
		return err
	}
	if err := restrict(f.path); err != nil {
		return err
	}
	settings := []string{"journal_mode(wal)", "synchronous(full)", "foreign_keys(1)", "wal_autocheckpoint(4000)", "temp_store(2)"}
	if f.writes.db, err = connect(f.path, append(settings, f.settings...)...); err != nil {
		return err
	}
	f.writes.db.SetMaxOpenConns(1)
	if err = f.createSchema(ctx); err == nil {
		err = f.probe(ctx, whole)
	}
	if runtime.GOOS == "windows" { // where an open file cannot be removed or replaced
		return err
	}
	for _, ending := range besides { // SQLite has made them
		info, missing := os.Stat(f.path + ending)
		f.known, err = append(f.known, info), cmp.Or(err, missing)
	}
	return err
}

// checkVersion checks a file's header before anything is written to it.
func (f *file) checkVersion(ctx context.Context) error {
	return f.Read(ctx, func(q *sqlstore.Queries) {
		version, application := 0, 0
		q.One("SELECT v.user_version, a.application_id FROM pragma_user_version v, pragma_application_id a", nil, &version, &application)
		switch {
		case version == 0 && application == 0:
		case application != applicationID:
			q.Fail(fmt.Errorf("%w: it belongs to another program (application id %#x)", store.ErrDamaged, application))
		case version > schemaVersion:
			q.Fail(fmt.Errorf("%w: it has schema %d, and this version supports %d", store.ErrNewer, version, schemaVersion))
		}
	})
}

func (f *file) createSchema(ctx context.Context) error {
	return f.Write(ctx, func(q *sqlstore.Queries, _ int64) {
		version := 0
		if q.One("PRAGMA user_version", nil, &version); version != schemaVersion {
			q.Exec(f.schema + fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, schemaVersion))
		}
	})
}

// probe reads both ends of each table, which is cheap and finds a file that was cut off or overwritten, or it reads the whole file.
func (f *file) probe(ctx context.Context, whole bool) error {
	return f.Read(ctx, func(q *sqlstore.Queries) {
		if found := ""; whole && q.One("PRAGMA quick_check(1)", nil, &found) && found != "ok" {
			q.Fail(fmt.Errorf("%w: %s", store.ErrDamaged, found))
		}
		ends := sqlstore.Column[string](q, `SELECT 'SELECT * FROM ' || t.name || ' ORDER BY '
			|| coalesce((SELECT c.name FROM pragma_table_info(t.name) c WHERE c.pk = 1), 'rowid') || e.column1 || ' LIMIT 1'
			FROM sqlite_schema t, (VALUES (' ASC'), (' DESC')) e WHERE t.type = 'table' AND t.name <> 'search'`)
		if len(ends) < 10 {
			q.Fail(fmt.Errorf("%w: its schema is incomplete", store.ErrDamaged))
		}
		for _, end := range ends {
			for range q.Each(end) {
			}
		}
	})
}

// setAside renames a damaged file with its log, unless another process has the store exclusively, and reports it. It records
// the name first, so that the rows are read even after an interruption.
func (f *folder) setAside(ctx context.Context, name string, damage error) error {
	if f.exclusive == nil {
		owner, err := lock(ctx, filepath.Join(f.dir, ownerName))
		if err != nil {
			return fmt.Errorf("%w, and another process has it open: %w", damage, err)
		}
		defer func() { _ = owner.Close() }() // nothing was written to it
	}
	path := filepath.Join(f.dir, name)
	aside := filepath.Join(f.dir, asidePrefix(name)+f.options.Now().UTC().Format("20060102T150405.000Z")+".db")
	if err := os.WriteFile(path+salvageEnding, []byte(filepath.Base(aside)), 0o600); err != nil {
		return err
	}
	if err := f.moveAside(path); err != nil {
		return err
	}
	f.report = store.Report{SetAside: aside, Damage: damage}
	f.options.Log.Error("the store is damaged; the file was set aside and a new one begun", zap.String("aside", aside), zap.Error(damage))
	return nil
}

// aside returns the damaged file whose rows were not read yet, or "" if all were read.
func (f *folder) aside(path string) (string, error) {
	name, err := os.ReadFile(path + salvageEnding)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return filepath.Join(f.dir, filepath.Base(string(name))), err
}

// moveAside renames a damaged file with its log. It does nothing without one, and completes an earlier call.
func (f *folder) moveAside(path string) error {
	aside, err := f.aside(path)
	if err != nil || aside == "" {
		return err
	}
	for _, ending := range besides {
		if err := os.Rename(path+ending, aside+ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
