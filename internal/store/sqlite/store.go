// Package sqlite is the store in a folder: two SQLite files, inbox.db and history.db; see package sqlstore.
package sqlite

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"go.uber.org/zap"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

type folder struct {
	dir            string
	options        store.Options
	report         store.Report
	inbox, history *file
	exclusive      *flock.Flock // locked by the process with the exclusive store; nil in others
}

var _ sqlstore.Backend = (*folder)(nil)

// Open opens the store in a folder, and creates it if necessary: the folder with mode 0700, files with 0600. A file that is
// damaged, or that another program has made, is set aside. Errors: store.ErrNewer, store.HeldError, store.ErrDamaged (while another
// process has the damaged file open), store.ErrUnavailable.
func Open(ctx context.Context, dir string, o store.Options) (store.Store, store.Report, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Log = cmp.Or(o.Log, zap.NewNop())
	if o.Team != "" {
		dir = filepath.Join(dir, "teams", o.Team)
	}
	f := &folder{dir: dir, options: o}
	if err := f.open(ctx); err != nil {
		return nil, f.report, classify(err)
	}
	return sqlstore.New(f, f.inbox, f.history, o), f.report, nil
}

func (f *folder) Index(q *sqlstore.Queries, key store.Key, tokens []string) {
	q.Exec("INSERT INTO search (rowid, tokens) VALUES (?, ?)", int64(key), strings.Join(tokens, " "))
}

// Plan reads the search index, which has the rows in the order of their keys, or else the entries.
func (f *folder) Plan(_ *sqlstore.Queries, s sqlstore.Search, first, end store.Key) []sqlstore.Part {
	part := sqlstore.Part{From: "entries q", Key: "q.key", First: first, End: end}
	if len(s.All) > 0 {
		part.From, part.Key = "search s CROSS JOIN entries q ON q.key = s.rowid AND search MATCH ?", "s.rowid"
		part.Args = []any{s.Query(quote, " OR ", " AND ")}
	}
	return []sqlstore.Part{part}
}

// quote writes a term in the language of FTS5. A token contains no quotation mark, so nothing that a user types is an operator.
// https://sqlite.org/fts5.html#full_text_query_syntax
func quote(term sqlstore.Term) string {
	if term.Prefix {
		return `"` + term.Token + `"*`
	}
	return `"` + term.Token + `"`
}

// Beat does nothing: a folder belongs to one machine.
func (f *folder) Beat(context.Context, string, bool) (all []store.Member, now time.Time, err error) {
	return nil, time.Time{}, nil
}

// Exists reports whether a folder has a store. Open would create one. An empty file is a failed attempt to create one.
func Exists(dir string) (bool, error) {
	for _, ending := range []string{"", "-wal"} {
		info, err := os.Stat(filepath.Join(dir, inboxName+ending))
		if err == nil && info.Size() > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err == nil, err
		}
	}
	return false, nil
}

func (f *folder) Owns(path string) bool {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	a, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return false
	}
	b, err := os.Stat(f.dir)
	return err == nil && os.SameFile(a, b)
}

func (f *folder) Ping(ctx context.Context) error {
	return errors.Join(f.inbox.ping(ctx), f.history.ping(ctx))
}

func (f *folder) Close() (err error) {
	for _, one := range []*file{f.inbox, f.history} {
		if one != nil {
			err = errors.Join(err, one.close())
		}
	}
	if f.exclusive != nil {
		err = errors.Join(err, f.exclusive.Close())
		f.exclusive = nil
	}
	return classify(err)
}
