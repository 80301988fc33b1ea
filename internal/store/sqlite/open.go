package sqlite

import (
	"context"
	_ "embed" // the schemas
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.uber.org/zap"

	"followup/internal/filelock"
	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

// Names in the store's folder.
const (
	inboxName     = "inbox.db"
	historyName   = "history.db"
	ownerName     = "store.lock" // locked by the process with the exclusive store, whose address it contains
	suspectEnding = ".suspect"   // of a file beside one that turned out to be damaged while it was open
	salvageEnding = ".salvage"   // of a file with the name of the damaged file whose rows are still to be read
)

// asidePrefix begins the names of damaged files that were set aside.
func asidePrefix(name string) string { return strings.TrimSuffix(name, ".db") + "-damaged-" }

// applicationID is the application id in the files' headers: "Flw1".
const applicationID = 0x466c7731

// schemaVersion is the user version in the headers of files with the schema.
const schemaVersion = 1

//go:embed inbox.sql
var inboxSchema string

//go:embed history.sql
var historySchema string

// opener opens one store.
type opener struct {
	dir       string
	options   store.Options
	exclusive *os.File // the locked file; nil if the store is not exclusive
	report    store.Report
}

func (o *opener) open(ctx context.Context) (_ *folder, err error) {
	f := &folder{dir: o.dir, log: o.options.Log}
	defer func() {
		if err == nil {
			return
		}
		for _, opened := range []*file{f.inbox, f.history} {
			if opened != nil {
				err = errors.Join(err, opened.close())
			}
		}
		if o.exclusive != nil {
			err = errors.Join(err, o.exclusive.Close())
		}
	}()
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.Chmod(o.dir, 0o700); err != nil {
		return nil, err
	}
	if o.options.Exclusive {
		if err := o.takeExclusive(ctx); err != nil {
			return nil, err
		}
		f.exclusive = o.exclusive
	}
	var aside string
	if f.inbox, aside, err = o.openFile(ctx, inboxName, inboxSchema); err != nil {
		return nil, err
	}
	if aside != "" {
		o.report.Salvaged, err = f.salvageInbox(ctx, aside)
		if err != nil {
			o.options.Log.Error("nothing could be read of the damaged inbox", zap.Error(err))
		}
	}
	if f.history, aside, err = o.openFile(ctx, historyName, historySchema); err != nil {
		return nil, err
	}
	if aside != "" {
		if err := os.WriteFile(f.history.path+salvageEnding, []byte(filepath.Base(aside)), 0o600); err != nil {
			return nil, err
		}
	}
	return f, f.continueOrder(ctx)
}

// continueOrder has the questions of a new inbox come behind those of the history.
func (f *folder) continueOrder(ctx context.Context) error {
	used := 0
	err := f.inbox.Read(ctx, func(q sqlstore.Queries) error { return q.One("SELECT count(*) FROM sqlite_sequence", nil, &used) })
	if err != nil || used > 0 {
		return err
	}
	var last int64
	err = f.history.Read(ctx, func(q sqlstore.Queries) error { return q.One("SELECT coalesce(max(ord), 0) FROM entries", nil, &last) })
	if err != nil {
		return err
	}
	return f.inbox.Write(ctx, func(q sqlstore.Queries, _ int64) error {
		_, err := q.Exec("INSERT INTO sqlite_sequence (name, seq) VALUES ('questions', ?)", last)
		return err
	})
}

// ownerPatience is how long opening waits for the process with the exclusive store to end.
const ownerPatience = 2 * time.Second

// takeExclusive locks the owner's file and writes the address into it.
func (o *opener) takeExclusive(ctx context.Context) error {
	path := filepath.Join(o.dir, ownerName)
	f, err := lock(ctx, path, ownerPatience)
	if errors.Is(err, errHeld) {
		address, _ := os.ReadFile(path) // without it, nobody learns where the other one is
		return errors.Join(&store.HeldError{Address: string(address)}, err)
	}
	if err != nil {
		return err
	}
	if err = f.Truncate(0); err == nil {
		_, err = f.WriteAt([]byte(o.options.Address), 0)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	o.exclusive = f
	return nil
}

// lock opens a file and waits until this process has locked it.
func lock(ctx context.Context, path string, patience time.Duration) (*os.File, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for began := time.Now(); ; {
		locked, err := filelock.TryLock(f, true)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: %s: %w", store.ErrUnavailable, path, errors.Join(err, f.Close()))
		case locked:
			return f, nil
		case time.Since(began) > patience:
			return nil, errors.Join(fmt.Errorf("%w: %s: %w for %v", store.ErrUnavailable, path, errHeld, patience), f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// regular makes sure that what is at a path, if anything, is a file: opening another thing may last forever, or do something else.
func regular(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is no file", store.ErrUnavailable, path)
	}
	return nil
}

// openFile opens a file, and sets a damaged one aside.
func (o *opener) openFile(ctx context.Context, name, schema string) (f *file, aside string, err error) {
	f, err = o.openSound(ctx, name, schema)
	if !isDamage(err) {
		return f, "", err
	}
	if aside, err = o.setAside(ctx, name, err); err != nil {
		return nil, "", err
	}
	f, err = o.openSound(ctx, name, schema)
	return f, aside, err
}

// openSound opens a file, creates it if there is none, and checks that it is sound and a store's.
func (o *opener) openSound(ctx context.Context, name, schema string) (f *file, err error) {
	f = &file{path: filepath.Join(o.dir, name), now: o.options.Now, log: o.options.Log, turn: make(chan struct{}, 1)}
	for _, ending := range append(besides, suspectEnding, salvageEnding) {
		if err := regular(f.path + ending); err != nil {
			return nil, err
		}
	}
	made, err := create(f.path)
	if err != nil {
		return nil, err
	}
	if err = f.check(ctx, schema); err == nil {
		return f, nil
	}
	err = errors.Join(err, f.close())
	if made { // an empty file would pass for a store in which nothing was asked
		for _, ending := range besides {
			_ = os.Remove(f.path + ending) // it may not be there
		}
	}
	return nil, err
}

// headerSize is the length of the header of an SQLite file.
const headerSize = 100

// create creates a file if there is none: SQLite gives its other files the same mode.
func create(path string) (made bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, os.WriteFile(path, nil, 0o600)
	case err != nil:
		return false, err
	case info.Size() >= headerSize:
		return false, os.Chmod(path, 0o600)
	case info.Size() > 0: // SQLite would take it for a new one
		return false, fmt.Errorf("%w: it is no SQLite file", store.ErrDamaged)
	}
	// SQLite would remove the log that it finds beside a file that was emptied, and with it what was not moved into the file yet.
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return false, fmt.Errorf("%w: it is empty, and the log beside it is not", store.ErrDamaged)
	}
	return false, os.Chmod(path, 0o600)
}

// check opens the connections.
func (f *file) check(ctx context.Context, schema string) (err error) {
	if err := f.checkVersion(ctx); err != nil {
		return err
	}
	settings := []string{"journal_mode(wal)", "synchronous(full)", "secure_delete(1)", "foreign_keys(1)", "wal_autocheckpoint(4000)", "temp_store(2)"}
	if f.writer, err = connect(f.path, settings...); err != nil {
		return err
	}
	f.writer.SetMaxOpenConns(1)
	f.writes.db = f.writer
	if f.readers, err = connect(f.path, "query_only(1)", "temp_store(2)"); err != nil {
		return err
	}
	f.readers.SetMaxOpenConns(maxReaders)
	f.readers.SetMaxIdleConns(1)
	f.reads.db = f.readers
	if _, err := os.Stat(f.path + suspectEnding); err == nil {
		if err := f.quickCheck(ctx); err != nil {
			return err
		}
	}
	if err := f.createSchema(ctx, schema); err != nil {
		return err
	}
	if err := f.probe(ctx); err != nil {
		return err
	}
	if err := os.Remove(f.path + suspectEnding); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, ending := range besides { // SQLite has made them
		info, err := os.Stat(f.path + ending)
		if err != nil {
			return err
		}
		f.known = append(f.known, info)
	}
	return nil
}

// checkVersion looks at what a file says of itself, before anything is written to it.
func (f *file) checkVersion(ctx context.Context) error {
	db, err := connect(f.path)
	if err != nil {
		return err
	}
	version, application := 0, 0
	err = f.patiently(ctx, func() error {
		return sqlstore.Queries{Ctx: ctx, On: db}.One("SELECT v.user_version, a.application_id FROM pragma_user_version v, pragma_application_id a", nil, &version, &application)
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	switch {
	case version == 0 && application == 0:
	case application != applicationID:
		return fmt.Errorf("%w: it belongs to another program (application id %#x)", store.ErrDamaged, application)
	case version > schemaVersion:
		return fmt.Errorf("%w: schema %d, this one knows %d", store.ErrNewer, version, schemaVersion)
	}
	return nil
}

// createSchema creates the schema in a file that has none.
func (f *file) createSchema(ctx context.Context, schema string) error {
	return f.Write(ctx, func(q sqlstore.Queries, _ int64) error {
		version := 0
		if err := q.One("PRAGMA user_version", nil, &version); err != nil || version == schemaVersion {
			return err
		}
		_, err := q.Exec(schema + fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, schemaVersion))
		return err
	})
}

// quickCheck reads the whole file.
func (f *file) quickCheck(ctx context.Context) error {
	return f.Read(ctx, func(q sqlstore.Queries) error {
		var found string
		if err := q.One("PRAGMA quick_check(1)", nil, &found); err != nil {
			return err
		}
		if found != "ok" {
			return fmt.Errorf("%w: %s", store.ErrDamaged, found)
		}
		return nil
	})
}

// probe reads at both ends of each table, which costs little and finds a file that was cut off or overwritten.
func (f *file) probe(ctx context.Context) error {
	return f.Read(ctx, func(q sqlstore.Queries) error {
		type table struct{ name, key string }
		var tables []table
		err := q.Each(`SELECT t.name, coalesce((SELECT c.name FROM pragma_table_info(t.name) c WHERE c.pk = 1), 'rowid')
			FROM sqlite_schema t WHERE t.type = 'table' AND t.name <> 'search'`, nil, func(scan func(...any) error) error {
			var t table
			err := scan(&t.name, &t.key)
			tables = append(tables, t)
			return err
		})
		if err == nil && len(tables) < 5 {
			err = fmt.Errorf("%w: its schema is not whole", store.ErrDamaged)
		}
		for _, t := range tables {
			for _, end := range []string{" ASC", " DESC"} {
				if err == nil {
					err = q.Each("SELECT * FROM "+t.name+" ORDER BY "+t.key+end+" LIMIT 1", nil, func(func(...any) error) error { return nil })
				}
			}
		}
		return err
	})
}

// setAside renames a damaged file and those beside it, if no other process has the store exclusively, and reports it.
func (o *opener) setAside(ctx context.Context, name string, damage error) (aside string, err error) {
	if o.exclusive == nil {
		f, err := lock(ctx, filepath.Join(o.dir, ownerName), 0)
		if err != nil {
			return "", fmt.Errorf("%w, and another process has it open: %w", damage, err)
		}
		defer func() { _ = f.Close() }() // nothing was written to it
	}
	path := filepath.Join(o.dir, name)
	aside = filepath.Join(o.dir, asidePrefix(name)+o.options.Now().UTC().Format("20060102T150405.000Z")+".db")
	for _, ending := range besides {
		err := os.Rename(path+ending, aside+ending)
		if err != nil && (ending == "" || !errors.Is(err, fs.ErrNotExist)) {
			return "", err
		}
	}
	o.report.SetAside, o.report.Damage = aside, damage
	o.options.Log.Error("the store is damaged; the file was set aside and a new one begun", zap.String("aside", aside), zap.Error(damage))
	return aside, nil
}
