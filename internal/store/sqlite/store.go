// Package sqlite is the store in a folder: two SQLite files, inbox.db and history.db; see package sqlstore.
package sqlite

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

// folder is a folder with an open store.
type folder struct {
	dir            string
	log            *zap.Logger
	inbox, history *file
	exclusive      *os.File // locked by the process with the exclusive store; nil in others
}

var _ sqlstore.Backend = (*folder)(nil)

// Open opens the store in a folder, creating it if need be: the folder with mode 0700, files with 0600. A file that is damaged, or that
// another program has made, is set aside. Errors: store.ErrNewer, store.HeldError, store.ErrDamaged (while another process has the damaged
// file open), store.ErrUnavailable.
func Open(ctx context.Context, dir string, o store.Options) (store.Store, store.Report, error) {
	s, report, err := open(ctx, dir, o)
	if err != nil { // a nil *sqlstore.Store is no nil store.Store
		return nil, report, classify(err)
	}
	return s, report, nil
}

func open(ctx context.Context, dir string, o store.Options) (*sqlstore.Store, store.Report, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	opening := opener{dir: dir, options: o}
	f, err := opening.open(ctx)
	if err != nil {
		return nil, opening.report, err
	}
	return sqlstore.New(f, f.inbox, f.history, o.Log), opening.report, nil
}

// Index adds an entry to the search.
func (f *folder) Index(q sqlstore.Queries, key store.Key, tokens []string) error {
	_, err := q.Exec("INSERT INTO search (rowid, tokens) VALUES (?, ?)", int64(key), strings.Join(tokens, " "))
	return err
}

// Unindex removes entries from the search.
func (f *folder) Unindex(q sqlstore.Queries, keys []store.Key) error {
	for _, key := range keys {
		if _, err := q.Exec("DELETE FROM search WHERE rowid = ?", int64(key)); err != nil {
			return err
		}
	}
	return nil
}

// Plan reads the search, which finds rows in the order of their keys, or else the entries.
func (f *folder) Plan(_ sqlstore.Queries, s sqlstore.Search, first, end store.Key) ([]sqlstore.Part, error) {
	part := sqlstore.Part{From: "entries q", Key: "q.key", First: first, End: end}
	if len(s.All) > 0 {
		part.From, part.Key = "search s CROSS JOIN entries q ON q.key = s.rowid", "s.rowid"
		part.Where, part.WhereArgs = "search MATCH ?", []any{match(s)}
	}
	return []sqlstore.Part{part}, nil
}

// match is a search in the language of FTS5. Each token stands in quotation marks, and none contains one, so nothing that a user types is
// an operator. https://sqlite.org/fts5.html#full_text_query_syntax
func match(s sqlstore.Search) string {
	all := make([]string, len(s.All))
	for i, some := range s.All {
		any := make([]string, len(some))
		for n, token := range some {
			if any[n] = `"` + token.Text + `"`; token.Prefix {
				any[n] += "*"
			}
		}
		all[i] = "(" + strings.Join(any, " OR ") + ")"
	}
	return strings.Join(all, " AND ")
}

// LockAccounts does nothing: a transaction has the file to itself.
func (f *folder) LockAccounts(sqlstore.Queries) error { return nil }

// Ping returns nil if both files can be read.
func (f *folder) Ping(ctx context.Context) error {
	return errors.Join(f.inbox.ping(ctx), f.history.ping(ctx))
}

// Close closes the files. A second Close does nothing.
func (f *folder) Close() error {
	err := errors.Join(f.inbox.close(), f.history.close())
	if f.exclusive != nil {
		err = errors.Join(err, f.exclusive.Close())
		f.exclusive = nil
	}
	return classify(err)
}
