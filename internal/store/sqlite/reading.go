package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

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
	still bool // nobody had the file open
	pool  *sql.DB
	reads *statements
	copy  *Store // where the file cannot be read where it stands
	temp  string // the copy's folder
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
	version, err := readVersion(path)
	if err != nil {
		return nil, err
	}
	how := ""
	switch log, shared := there(path+"-wal"), there(path+"-shm"); {
	case version < schemaVersion, log && !shared:
		return readCopy(ctx, path) // SQLite would have to write: the schema, or the file that the log is read by
	case !log:
		how = "&immutable=1" // nobody has it open; SQLite would make both
	}
	base, err := connectAs("mode=ro"+how, path, []pragma{
		{"busy_timeout", fmt.Sprint(readingPatience.Milliseconds())}, {"query_only", "1"}, {"cell_size_check", "1"}, {"trusted_schema", "0"},
	})
	if err != nil {
		return nil, err
	}
	r := &Reading{path: path, still: how != "", pool: sql.OpenDB(base), reads: &statements{}}
	r.pool.SetMaxOpenConns(1)
	r.reads.prepare = func(query string) (statement, error) {
		stmt, err := r.pool.PrepareContext(context.Background(), query)
		return pooled{stmt}, err
	}
	var one int
	if err := (querier{ctx, r.reads}).one("SELECT count(*) FROM meta", nil, []any{&one}); err != nil {
		_ = r.Close()
		if c, ok := code(err); ok && c != 0 && !isBusy(err) && !isDamage(err) {
			return readCopy(ctx, path) // such as on a read-only mount, where the log's other file cannot be mapped
		}
		return nil, err
	}
	return r, nil
}

func there(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// readVersion gives the version of a file's schema, out of its header, and an error where it is none of ours.
func readVersion(path string) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	header := make([]byte, headerSize)
	if n, err := io.ReadFull(f, header); err != nil && (n > 0 || !errors.Is(err, io.EOF)) {
		return 0, fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	return versionIn(header)
}

// readCopy reads a copy of the store's files in a folder of its own.
func readCopy(ctx context.Context, path string) (_ *Reading, err error) {
	r := &Reading{path: path, reads: &statements{}}
	if r.temp, err = os.MkdirTemp("", "followup-reading-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	for _, ending := range []string{"", "-wal"} {
		if err := copyFile(ctx, path+ending, filepath.Join(r.temp, fileName+ending)); err != nil && (ending == "" || !errors.Is(err, fs.ErrNotExist)) {
			return nil, err
		}
	}
	var report store.Report
	if r.copy, report, err = Open(ctx, r.temp, store.Options{Owner: uuid.NewString()}); err != nil {
		return nil, err
	}
	if report.SetAside != "" {
		return nil, report.Damage
	}
	return r, nil
}

func copyFile(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	for err == nil {
		if _, err = io.CopyN(out, in, 1<<20); err == nil {
			err = ctx.Err()
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, out.Close())
}

// Close ends the reading.
func (r *Reading) Close() error {
	r.reads.close()
	var errs []error
	if r.pool != nil {
		errs = append(errs, r.pool.Close())
	}
	if r.copy != nil {
		errs = append(errs, r.copy.Close())
	}
	if r.temp != "" {
		errs = append(errs, os.RemoveAll(r.temp))
	}
	return errors.Join(errs...)
}

// History gives a page of the history; see store.Store.
func (r *Reading) History(ctx context.Context, f store.Filter, before store.Key, limit int) (page store.Page, err error) {
	if r.copy != nil {
		return r.copy.History(ctx, f, before, limit)
	}
	if page, err = r.page(ctx, f, before, limit); r.moved(err) {
		if err = r.again(ctx, err); err == nil {
			return r.History(ctx, f, before, limit)
		}
	}
	return page, classify(err)
}

// OpenQuestions gives the questions that have no outcome; see store.Store.
func (r *Reading) OpenQuestions(ctx context.Context, after int64, limit int) (found []store.Question, err error) {
	if r.copy != nil {
		return r.copy.OpenQuestions(ctx, after, limit)
	}
	found, err = querier{ctx, r.reads}.questions(time.Now().UnixMilli(), openQuestions, after, limit)
	if r.moved(err) {
		if err = r.again(ctx, err); err == nil {
			return r.OpenQuestions(ctx, after, limit)
		}
	}
	return found, classify(err)
}

// Session gives a session, or ErrNotFound; see store.Store.
func (r *Reading) Session(ctx context.Context, id string) (found store.Session, err error) {
	if r.copy != nil {
		return r.copy.Session(ctx, id)
	}
	if found, err = (querier{ctx, r.reads}).session(id); r.moved(err) {
		if err = r.again(ctx, err); err == nil {
			return r.Session(ctx, id)
		}
	}
	return found, classify(notFound(err))
}

// moved reports whether somebody has opened the store since, and moved pages that were being read.
func (r *Reading) moved(err error) bool { return isDamage(err) && r.still && there(r.path+"-wal") }

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
	now := time.Now().UnixMilli()
	if page, err = q.page(m, f, before, limit, now); err != nil || !searches(f) {
		return page, err
	}
	// What is new is not in the search's index yet, and nothing can be put there.
	fresh, err := q.notIndexed(f, before, now)
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
func (q querier) notIndexed(f store.Filter, before store.Key, now int64) (found []store.Question, err error) {
	plain := f
	plain.Agents, plain.Workspaces, plain.Outcomes, plain.Text = nil, nil, nil, ""
	from, where, args := pageQuery(engine.Search{}, plain, before)
	where = strings.Replace(where, "WHERE ", `WHERE o.key IN (SELECT outcome FROM log WHERE rev > (SELECT value FROM meta WHERE name = 'indexed') AND outcome <> 0) AND `, 1)
	if len(f.Outcomes) > 0 { // those that were no questions are shown when they are asked for
		where = strings.Replace(where, " AND o.outcome <> ?", "", 1)
		args = args[:len(args)-1]
	}
	err = q.each("SELECT "+questionColumns+from+questionJoins+where, append([]any{now}, args...), func(scan func(...any) error) error {
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
	if r.copy != nil {
		return r.copy.Export(ctx, what, emit)
	}
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
