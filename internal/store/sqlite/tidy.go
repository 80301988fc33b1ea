package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"followup/internal/store/sqlstore"
)

// alwaysRewritten is the maximum size of files that are rewritten after every change, within milliseconds, so that nothing remains
// of changed drafts.
const alwaysRewritten = 4 << 20

// rewrittenInMemory is the maximum size of files whose new copy is made in memory. Larger ones use a nameless temporary file.
const rewrittenInMemory = 64 << 20

// Tidy moves the logs into the files.
func (f *folder) Tidy(ctx context.Context) error {
	info, err := os.Stat(f.inbox.path)
	if err == nil && info.Size() <= alwaysRewritten && logSize(f.inbox.path) > 0 {
		err = f.inbox.rewrite(ctx)
	}
	return errors.Join(err, f.inbox.truncateLog(ctx), f.history.truncateLog(ctx))
}

// Erase removes all traces of removed rows: in the search, unused pages, logs, and damaged files that were set aside.
func (f *folder) Erase(ctx context.Context) error {
	entries, err := os.ReadDir(f.dir)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), asidePrefix(inboxName)) || strings.HasPrefix(entry.Name(), asidePrefix(historyName)) {
			err = errors.Join(err, os.Remove(filepath.Join(f.dir, entry.Name())))
		}
	}
	if err != nil {
		return err
	}
	if err := f.mergeSearch(ctx); err != nil {
		return err
	}
	return errors.Join(f.history.rewrite(ctx), f.inbox.rewrite(ctx), f.history.truncateLog(ctx), f.inbox.truncateLog(ctx))
}

// mergedAtOnce is how many pages of the search one transaction merges.
const mergedAtOnce = 500

// mergeSearch merges the whole search index, which drops the tokens of removed entries, in steps between which others can write.
// https://sqlite.org/fts5.html#the_merge_command
func (f *folder) mergeSearch(ctx context.Context) error {
	pages := -mergedAtOnce // negative: all segments, whatever their number
	for {
		var before, after int64
		err := f.history.Write(ctx, func(q *sqlstore.Queries, _ int64) {
			q.One("SELECT total_changes()", nil, &before)
			q.Exec("INSERT INTO search (search, rank) VALUES ('merge', ?)", pages)
			q.One("SELECT total_changes()", nil, &after)
		})
		if err != nil || after-before < 2 {
			return err
		}
		pages = mergedAtOnce
	}
}

// logSize returns the size of a file's log; 0 if there is none.
func logSize(path string) int64 {
	info, err := os.Stat(path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}

// rewrite rewrites a file without its unused space.
func (f *file) rewrite(ctx context.Context) error {
	script := "VACUUM"
	if info, err := os.Stat(f.path); err == nil && info.Size() > rewrittenInMemory {
		script = "PRAGMA temp_store = file; VACUUM"
	}
	return f.run(ctx, script)
}

// truncateLog moves the log into the file and empties it, unless another connection is reading it: then the next call does.
func (f *file) truncateLog(ctx context.Context) error {
	if logSize(f.path) == 0 {
		return f.usable()
	}
	return f.run(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
}

// run runs statements outside of a transaction.
func (f *file) run(ctx context.Context, script string) error {
	return f.alone(ctx, func(q *sqlstore.Queries) { q.Exec(script) })
}
