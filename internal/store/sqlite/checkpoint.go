package sqlite

import (
	"context"
	"os"
	"path/filepath"
)

// emptyLarge is emptyLog for a log over its limit.
func (s *Store) emptyLarge(ctx context.Context) error {
	log, err := os.Stat(filepath.Join(s.dir, fileName+"-wal"))
	if err != nil || log.Size() <= s.logLimit {
		return err
	}
	return s.emptyLog(ctx)
}

// emptyLog moves the write-ahead log into the file, and begins the log anew if nobody reads the old one. Nobody is held up.
func (s *Store) emptyLog(ctx context.Context) error {
	if err := s.cleanPages(ctx); err != nil {
		return err
	}
	whole := false
	err := s.read(ctx, func(q querier) (err error) {
		whole, err = q.checkpoint("PASSIVE")
		return err
	})
	if err != nil || !whole {
		return err
	}
	return s.cleanPages(ctx)
}

// truncate moves the write-ahead log into the file and leaves nothing in it, and tells whether it could: not while another
// process reads or writes. It does not wait for that, since writers would wait with it.
func (s *Store) truncate(ctx context.Context) (whole bool, err error) {
	err = s.inTurn(ctx, func(ctx context.Context) error {
		if err := s.there(); err != nil {
			return err
		}
		whole, err = querier{ctx, &s.writes}.checkpoint("TRUNCATE")
		return err
	})
	if isBusy(err) {
		return false, nil
	}
	return whole, s.note(classify(err))
}

// checkpoint tells whether the whole log was moved. https://sqlite.org/pragma.html#pragma_wal_checkpoint
func (q querier) checkpoint(mode string) (bool, error) {
	var busy bool
	var frames, moved int
	err := q.one("PRAGMA wal_checkpoint("+mode+")", nil, []any{&busy, &frames, &moved})
	return !busy && frames == moved, err
}
