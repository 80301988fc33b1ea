package sqlite

import (
	"context"
	"database/sql"
	_ "embed" // the schema
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
)

// Names in the store's folder.
const (
	fileName    = "followup.db"
	lockName    = "followup.lock"         // held shared by every process that has the file open
	openingName = "followup.opening.lock" // held by the one process that opens or closes it
	ownerName   = "followup.owner.lock"   // held by the one process with the exclusive store
	salvageName = "followup.salvage"      // names the damaged file whose history is still to be read
	asideName   = "followup-damaged-"     // begins the names of damaged files that were set aside
	suspectName = "followup.suspect"      // there when the file turned out to be damaged while it was open
)

// besides are the endings of the files that belong to a database.
var besides = []string{"", "-wal", "-shm"}

// applicationID is the header's application id: "Flw1".
const applicationID = 0x466c7731

// schemaVersion is the header's user version of a file with the schema.
const schemaVersion = 1

//go:embed schema.sql
var schema string

// opener opens one store.
type opener struct {
	dir     string
	options store.Options
	log     *zap.Logger
	lock    *os.File
	// exclusive is locked by the one process with the exclusive store; nil in others.
	exclusive *os.File
	report    store.Report
}

func (o *opener) path(name string) string { return filepath.Join(o.dir, name) }

// open makes the folder, takes the locks and opens the file; a damaged one is set aside once, and a new one begun.
func (o *opener) open(ctx context.Context) (*Store, error) {
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.Chmod(o.dir, 0o700); err != nil {
		return nil, err
	}
	if o.options.Exclusive {
		var err error
		if o.exclusive, err = o.takeExclusive(ctx); err != nil {
			return nil, err
		}
	}
	s, err := o.openShared(ctx)
	if err != nil && o.exclusive != nil {
		err = errors.Join(err, o.exclusive.Close())
	}
	return s, err
}

// takeExclusive locks the owner's file, in which the address of the process stands.
func (o *opener) takeExclusive(ctx context.Context) (*os.File, error) {
	f, err := acquire(ctx, o.path(ownerName), true)
	if errors.Is(err, errHeld) {
		address, _ := os.ReadFile(o.path(ownerName)) // without it, nobody is told where the other one is
		return nil, errors.Join(&store.HeldError{Address: string(address)}, err)
	}
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.WriteAt([]byte(o.options.Address), 0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// openShared opens the file, which other processes may have open.
func (o *opener) openShared(ctx context.Context) (*Store, error) {
	opening, err := acquire(ctx, o.path(openingName), true)
	if err != nil {
		return nil, err
	}
	// Taken behind the other one, so that whoever holds it without that has the file open.
	if o.lock, err = acquire(ctx, o.path(lockName), false); err != nil {
		return nil, errors.Join(err, opening.Close())
	}
	fresh := !there(o.path(fileName))
	s, err := o.openFile(ctx)
	if isDamage(err) {
		if aside := o.setAside(err); aside != nil {
			err = aside
		} else if s, err = o.openFile(ctx); err == nil {
			var salvaging error
			if o.report.Salvaged, salvaging = s.beginSalvage(ctx, o.report.SetAside); salvaging != nil {
				o.log.Error("nothing could be read of the damaged file", zap.Error(salvaging))
			}
		}
	}
	if err != nil {
		if fresh {
			err = errors.Join(err, o.unmake())
		}
		return nil, errors.Join(err, o.lock.Close(), opening.Close())
	}
	return s, opening.Close()
}

// unmake removes the files of a store that could not be begun: an empty one would pass for a store in which nothing was asked. It is
// called with the opening lock.
func (o *opener) unmake() error {
	alone, err := tryLock(o.lock, true)
	if err != nil || !alone {
		return err
	}
	for _, ending := range besides {
		if err := os.Remove(o.path(fileName + ending)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
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

// openLock opens a file that serves as a lock.
func openLock(path string) (*os.File, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}

// openingPatience is how long a process waits for another one that opens or closes the store, or holds the file then.
const openingPatience = 2 * time.Second

// acquire opens a lock file and waits until it has the lock.
func acquire(ctx context.Context, path string, exclusive bool) (*os.File, error) {
	f, err := openLock(path)
	if err != nil {
		return nil, err
	}
	for began := time.Now(); ; {
		locked, err := tryLock(f, exclusive)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", store.ErrUnavailable, path, errors.Join(err, f.Close()))
		}
		if locked {
			return f, nil
		}
		if time.Since(began) > openingPatience {
			return nil, errors.Join(fmt.Errorf("%w: %s: %w for %v", store.ErrUnavailable, path, errHeld, openingPatience), f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// openFile opens the file, checks that it is sound and ours, and creates the schema in a new one.
func (o *opener) openFile(ctx context.Context) (*Store, error) {
	header, err := o.checkHeader()
	if err != nil {
		return nil, err
	}
	s := &Store{
		header: header, dir: o.dir, now: o.options.Now, log: o.log, lock: o.lock, exclusive: o.exclusive,
		calm: time.NewTimer(defaultQuiet), busy: make(chan struct{}, 1), quiet: defaultQuiet,
		turn: make(chan struct{}, 1), maintaining: make(chan struct{}, 1), patience: openingPatience, thresholds: usual, units: usual.stepUnits,
	}
	for _, ending := range besides {
		s.paths = append(s.paths, o.path(fileName+ending))
	}
	if err := s.know(1); err != nil {
		return nil, errors.Join(err, s.disconnect())
	}
	if s.files[0].Size() > 0 {
		if err := o.checkBesides(); err != nil {
			return nil, errors.Join(err, s.disconnect())
		}
	}
	if err := s.connect(ctx, o.path(fileName)); err != nil {
		return nil, errors.Join(err, s.disconnect())
	}
	check := func() error {
		if _, err := os.Stat(o.path(suspectName)); err == nil {
			if err := s.quickCheck(ctx); err != nil {
				return err
			}
		}
		if err := s.createSchema(ctx); err != nil {
			return err
		}
		return s.probe(ctx)
	}
	if err := check(); err != nil {
		return nil, errors.Join(err, s.disconnect())
	}
	if err := s.know(len(besides)); err != nil { // SQLite has made them
		return nil, errors.Join(err, s.disconnect())
	}
	if err := os.Remove(o.path(suspectName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, s.disconnect())
	}
	s.patience = patience
	return s, nil
}

// checkHeader reads the file's first bytes, so that one of a newer version is not even opened, and makes a file with the
// right mode where there is none: SQLite gives its other files the same. The header's layout: https://sqlite.org/fileformat.html
func (o *opener) checkHeader() (*headerFile, error) {
	for _, ending := range besides {
		if err := regular(o.path(fileName + ending)); err != nil {
			return nil, err
		}
	}
	_, before := os.Stat(o.path(fileName))
	h, err := openHeader(o.path(fileName))
	if err != nil {
		return nil, err
	}
	check := func() error {
		if err := h.file.Chmod(0o600); err != nil {
			return err
		}
		header, err := h.read()
		switch {
		case errors.Is(before, fs.ErrNotExist):
			return nil
		case len(header) == 0 && errors.Is(err, io.EOF):
			return checkEmpty(o.path(fileName))
		case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
			return err
		}
		return checkHeaderOf(header)
	}
	if err := check(); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

// checkEmpty makes sure that a file without anything in it was not emptied. SQLite would remove the log that it finds beside it, and
// with it all that was not moved into the file yet. Beside a file that was removed, that is as it should be.
func checkEmpty(path string) error {
	log, err := os.Stat(path + "-wal")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case log.Size() > 0:
		return fmt.Errorf("%w: it is empty, and the log beside it is not", store.ErrDamaged)
	}
	return nil
}

// checkBesides makes sure that the files beside the file were not removed while another process has it open. Whoever opened it then
// would make new ones, and each would overwrite what the other writes. When the other has noticed, it moves its log into the file.
func (o *opener) checkBesides() error {
	for _, ending := range besides[1:] {
		_, err := os.Stat(o.path(fileName + ending))
		if err == nil {
			continue
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		alone, err := tryLock(o.lock, true)
		if err != nil {
			return err
		}
		if !alone {
			return errors.Join(fmt.Errorf("%w: %s was removed while another window has the store open", store.ErrUnavailable, fileName+ending), o.share())
		}
		return o.share()
	}
	return nil
}

// share goes back to the lock that every process has.
func (o *opener) share() error {
	_, err := tryLock(o.lock, false)
	return err
}

// headerSize is how long the header of an SQLite file is.
const headerSize = 100

// checkHeaderOf returns an error if a header says that the file is not a store, or one of a newer version.
func checkHeaderOf(header []byte) error {
	if len(header) < headerSize || string(header[:16]) != "SQLite format 3\x00" {
		return fmt.Errorf("%w: it is no SQLite file", store.ErrDamaged)
	}
	return checkVersion(int(binary.BigEndian.Uint32(header[60:])), int(binary.BigEndian.Uint32(header[68:])))
}

// checkVersion looks at what a file says of itself. A file in which nothing was written yet has version 0.
func checkVersion(version, application int) error {
	switch {
	case version == 0 && application == 0:
		return nil
	case application != applicationID:
		return fmt.Errorf("%w: it belongs to another program or an earlier build (application id %#x)", store.ErrDamaged, application)
	case version > schemaVersion:
		return fmt.Errorf("%w: schema %d, this one knows %d", store.ErrNewer, version, schemaVersion)
	default:
		return nil
	}
}

// createSchema creates the schema, in one transaction, in a file that has none.
func (s *Store) createSchema(ctx context.Context) error {
	return s.patiently(ctx, true, func() error {
		q := querier{ctx, &s.writes}
		var version, application int
		if err := q.one("PRAGMA user_version", nil, []any{&version}); err != nil {
			return err
		}
		if err := q.one("PRAGMA application_id", nil, []any{&application}); err != nil {
			return err
		}
		if err := checkVersion(version, application); err != nil || version == schemaVersion {
			return err
		}
		return s.transact(ctx, func(*tx) error {
			if _, err := s.writer.ExecContext(ctx, schema); err != nil {
				return err
			}
			_, err := s.writer.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, schemaVersion))
			return err
		})
	})
}

// quickCheck reads the whole file.
func (s *Store) quickCheck(ctx context.Context) error {
	var found string
	if err := (querier{ctx, &s.writes}).one("PRAGMA quick_check(1)", nil, []any{&found}); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s", store.ErrDamaged, found)
	}
	return nil
}

// probe reads at both ends of every table, which costs little and finds a file that was cut off or overwritten.
func (s *Store) probe(ctx context.Context) error {
	q := querier{ctx, &s.writes}
	for _, table := range []string{"sessions", "questions", "opened", "drafts", "outcomes", "images", "blobs", "deletions", "unindexed", "meta", "words", "facets", "tokens", "leaving", "accounts", "search_data"} {
		for _, end := range []string{"ASC", "DESC"} {
			var one int
			by := map[string]string{"sessions": "id", "meta": "name", "words": "word", "facets": "kind", "accounts": "name"}[table]
			if by == "" {
				by = "rowid"
			}
			err := q.one("SELECT 1 FROM "+table+" ORDER BY "+by+" "+end+" LIMIT 1", nil, []any{&one})
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
	}
	return nil
}

// setAside renames a damaged file and those beside it, if no other process has them open, and reports it.
func (o *opener) setAside(damage error) error {
	alone, err := tryLock(o.lock, true)
	if err != nil {
		return err
	}
	if !alone {
		return fmt.Errorf("%w, and open in another window: close the others, and it is set aside: %w", store.ErrDamaged, damage)
	}
	stamp := o.options.Now().UTC().Format("20060102T150405.000Z")
	to := o.path(asideName + stamp + ".db")
	for _, ending := range besides {
		err := os.Rename(o.path(fileName+ending), to+ending)
		if err != nil && (ending == "" || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	o.report.SetAside, o.report.Damage = to, damage
	o.log.Error("the store is damaged; it was set aside and a new one begun", zap.String("aside", to), zap.Error(damage))
	return o.share()
}

// suspect leaves word that the file has to be looked at as a whole when it is next opened.
func suspect(dir string, log *zap.Logger) {
	err := regular(filepath.Join(dir, suspectName))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, suspectName), nil, 0o600)
	}
	log.Error("the store is damaged", zap.NamedError("marking", err))
}
