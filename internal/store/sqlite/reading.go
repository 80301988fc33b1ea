package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	modernc "modernc.org/sqlite"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// readingPatience is how long Reading waits for another program that keeps the file to itself.
const readingPatience = 2 * time.Second

// Reading is the history of a store that is only read. It changes nothing in the folder: it makes no file and no folder there, takes
// no lock and waits for none of the store's, sets nothing aside, and works where nothing can be written. It can be used while others
// have the store open, by one goroutine at a time.
type Reading struct {
	path  string
	sign  string // the ending of a file that appears when somebody opens the store, where nobody had it open; otherwise empty
	pool  *sql.DB
	reads *statements
}

var _ store.Reader = (*Reading)(nil)

// OpenReading opens the store in a folder for reading. Errors are those of Open, and fs.ErrNotExist where there is none.
func OpenReading(ctx context.Context, dir string) (*Reading, error) {
	r, err := openReading(ctx, filepath.Join(dir, fileName))
	return r, classify(err)
}

func openReading(ctx context.Context, path string) (*Reading, error) {
	for _, ending := range besides {
		if err := regular(path + ending); err != nil {
			return nil, err
		}
	}
	if err := readable(path); err != nil {
		return nil, err
	}
	switch log, shared := there(path+"-wal"), there(path+"-shm"); {
	case !log: // nobody has it open; SQLite would make both
		return startReading(ctx, path, "-wal", "mode=ro&immutable=1")
	case !shared: // SQLite would make it
		return readUnshared(ctx, path)
	}
	r, err := startReading(ctx, path, "", "mode=ro")
	if c, ok := code(err); ok && c != 0 && !isBusy(err) && !isDamage(err) {
		return readUnshared(ctx, path) // such as where nobody may map the log's index
	}
	return r, err
}

// readUnshared reads a file and its log with an index of the log in memory alone, in place of the one beside them that all processes
// share: https://sqlite.org/wal.html#use_of_wal_without_shared_memory. An exclusive lock, which SQLite wants for it, cannot be had on
// what is only read; the VFS without locks grants it.
func readUnshared(ctx context.Context, path string) (*Reading, error) {
	vfs := "unix-none"
	if runtime.GOOS == "windows" {
		vfs = "win32-none"
	}
	return startReading(ctx, path, "-shm", "mode=ro&vfs="+vfs, pragma{"locking_mode", "exclusive"})
}

func startReading(ctx context.Context, path, sign, how string, more ...pragma) (*Reading, error) {
	base, err := connectAs(how, path, append(more,
		pragma{"busy_timeout", fmt.Sprint(readingPatience.Milliseconds())}, pragma{"query_only", "1"},
		pragma{"cell_size_check", "1"}, pragma{"trusted_schema", "0"},
	))
	if err != nil {
		return nil, err
	}
	r := &Reading{path: path, sign: sign, pool: sql.OpenDB(readingConnector{base}), reads: &statements{}}
	r.pool.SetMaxOpenConns(1)
	r.reads.prepare = func(query string) (statement, error) {
		stmt, err := r.pool.PrepareContext(context.Background(), query)
		return pooled{stmt}, err
	}
	var one int
	if err := (querier{ctx, r.reads}).one("SELECT count(*) FROM meta", nil, []any{&one}); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// readingConnector opens connections that leave the log where it is.
type readingConnector struct{ *connector }

// Connect opens a connection to the file. A file in which nothing was written yet is fs.ErrNotExist.
func (c readingConnector) Connect(ctx context.Context) (_ driver.Conn, err error) {
	conn, err := c.connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, conn.Close())
		}
	}()
	if _, err = conn.(modernc.FileControl).FileControlPersistWAL("main", 1); err != nil { // the log is not ours to remove
		return nil, err
	}
	version, err := schemaOf(ctx, conn)
	if err == nil && version == 0 {
		err = fmt.Errorf("%w: nothing was written to it yet", fs.ErrNotExist)
	}
	return conn, err
}

// schemaOf returns the version of a file's schema, and an error if the file is foreign.
func schemaOf(ctx context.Context, conn driver.Conn) (version int, err error) {
	rows, err := conn.(driver.QueryerContext).QueryContext(ctx, "SELECT v.user_version, a.application_id FROM pragma_user_version v, pragma_application_id a", nil)
	if err != nil {
		return 0, err
	}
	got := make([]driver.Value, 2)
	if err := rows.Next(got); err != nil {
		return 0, errors.Join(err, rows.Close())
	}
	version = int(got[0].(int64))
	return version, errors.Join(checkVersion(version, int(got[1].(int64))), rows.Close())
}

func there(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// readable returns an error if a file's header says that it is not a store, or one of a newer version.
func readable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	header := make([]byte, headerSize)
	switch n, err := io.ReadFull(f, header); {
	case n == 0 && errors.Is(err, io.EOF): // nothing was written yet, or it was emptied
		if err := checkEmpty(path); err != nil {
			return err
		}
		return fs.ErrNotExist
	case err != nil:
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	return checkHeaderOf(header)
}

// Close ends the reading.
func (r *Reading) Close() error {
	r.reads.close()
	return r.pool.Close()
}

// History gives a page of the history; see store.Store.
func (r *Reading) History(ctx context.Context, f store.Filter, before store.Key, limit int) (page store.Page, err error) {
	if page, err = r.page(ctx, f, before, limit); r.moved(err) {
		if err = r.again(ctx, err); err == nil {
			return r.History(ctx, f, before, limit)
		}
	}
	return page, classify(err)
}

// OpenQuestions gives the questions that have no outcome; see store.Store.
func (r *Reading) OpenQuestions(ctx context.Context, after int64, limit int) (found []store.Question, err error) {
	found, err = querier{ctx, r.reads}.questions(openQuestions, after, limit)
	if r.moved(err) {
		if err = r.again(ctx, err); err == nil {
			return r.OpenQuestions(ctx, after, limit)
		}
	}
	return found, classify(err)
}

// Question gives one question with everything that belongs to it, or ErrNotFound; see store.Store.
func (r *Reading) Question(ctx context.Context, id string) (found store.Question, err error) {
	if found, err = (querier{ctx, r.reads}).whole(id); r.moved(err) {
		if err = r.again(ctx, err); err == nil {
			return r.Question(ctx, id)
		}
	}
	return found, classify(err)
}

// IDs returns the ids that begin with prefix; see store.Store.
func (r *Reading) IDs(ctx context.Context, prefix string, limit int) (found []string, err error) {
	if found, err = (querier{ctx, r.reads}).ids(prefix, limit); r.moved(err) {
		if err = r.again(ctx, err); err == nil {
			return r.IDs(ctx, prefix, limit)
		}
	}
	return found, classify(err)
}

// Session gives a session, or ErrNotFound; see store.Store.
func (r *Reading) Session(ctx context.Context, id string) (found store.Session, err error) {
	if found, err = (querier{ctx, r.reads}).session(id); r.moved(err) {
		if err = r.again(ctx, err); err == nil {
			return r.Session(ctx, id)
		}
	}
	return found, classify(notFound(err))
}

// moved reports whether somebody has opened the store since, and moved pages that were being read.
func (r *Reading) moved(err error) bool { return isDamage(err) && r.sign != "" && there(r.path+r.sign) }

// again opens the store again where an error says that its pages have moved.
func (r *Reading) again(ctx context.Context, moved error) error {
	opened, err := openReading(ctx, r.path)
	if err != nil {
		return errors.Join(moved, err)
	}
	err = r.Close()
	*r = *opened
	return err
}

func (r *Reading) page(ctx context.Context, f store.Filter, before store.Key, limit int) (page store.Page, err error) {
	q := querier{ctx, r.reads}
	m, err := q.search(f)
	if err != nil {
		return store.Page{}, err
	}
	if page, err = q.page(m, f, before, limit); err != nil || !searches(f) {
		return page, err
	}
	// What is new is not in the search's index yet, and nothing can be put there.
	fresh, err := q.notIndexed(f, before)
	if err != nil || len(fresh) == 0 {
		return page, err
	}
	page.Entries = append(page.Entries, fresh...)
	slices.SortFunc(page.Entries, func(a, b store.Question) int { return cmp.Compare(b.Outcome.Key, a.Outcome.Key) })
	page.Entries = slices.CompactFunc(page.Entries, func(a, b store.Question) bool { return a.Outcome.Key == b.Outcome.Key })
	if len(page.Entries) > limit {
		page.Entries = page.Entries[:limit]
		page.Next = page.Entries[limit-1].Outcome.Key
	}
	return page, nil
}

// notIndexed gives the entries that a filter lets through out of those that are not in the search's index.
func (q querier) notIndexed(f store.Filter, before store.Key) (found []store.Question, err error) {
	plain := f
	plain.Agents, plain.Workspaces, plain.Outcomes, plain.Text = nil, nil, nil, ""
	from, where, args := pageQuery(engine.Search{}, plain, before)
	where = strings.Replace(where, "WHERE ", `WHERE o.key IN (SELECT key FROM unindexed) AND `, 1)
	if len(f.Outcomes) > 0 { // those that were no questions are shown when they are asked for
		where = strings.Replace(where, " AND o.outcome <> ?", "", 1)
		args = args[:len(args)-1]
	}
	err = q.each("SELECT "+engine.QuestionColumns+from+questionJoins+where, args, func(scan func(...any) error) error {
		entry, _, err := engine.ScanQuestion(scan)
		if err == nil && engine.LetsThrough(f, entry) {
			found = append(found, entry)
		}
		return err
	})
	return found, err
}

// Export hands over closed questions; see store.Store.
func (r *Reading) Export(ctx context.Context, what store.Selection, emit func(store.Question) error) error {
	if what.IDs != nil {
		return errors.New("store: an export by ids is not of a reading")
	}
	return engine.Export(ctx, pages{r}, what.Filter, emit)
}

// pages are what an export reads; see engine.Pages.
type pages struct{ *Reading }

// WithAnswerImages adds the images of answers.
func (r pages) WithAnswerImages(ctx context.Context, entries []store.Question) error {
	for i := range entries {
		if err := (querier{ctx, r.reads}).withAnswerImages(&entries[i]); err != nil {
			return classify(err)
		}
	}
	return nil
}
