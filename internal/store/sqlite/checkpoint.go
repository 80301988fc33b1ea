package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"followup/internal/store"
)

// logLimit is how large the write-ahead log may become, in bytes, before it is moved into the file: whoever opens the store after
// a crash reads all of it. When the log begins anew, SQLite cuts its file to half of that.
const logLimit = 8 << 20

// settleLarge is settle for a log over its limit.
func (s *Store) settleLarge(ctx context.Context) error {
	log, err := os.Stat(filepath.Join(s.dir, fileName+"-wal"))
	if err != nil || log.Size() <= logLimit {
		return err
	}
	return s.settle(ctx)
}

// settle moves the write-ahead log into the file, and begins the log anew if nobody reads the old one. Nobody is held up.
func (s *Store) settle(ctx context.Context) error {
	if err := s.write(ctx, (*tx).cleanPages); err != nil {
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
	return s.write(ctx, (*tx).cleanPages)
}

// truncate moves the write-ahead log into the file and leaves nothing in it, and tells whether it could: not while another
// process reads. It does not wait for that, since writers would wait with it.
func (s *Store) truncate(ctx context.Context) (whole bool, err error) {
	return whole, s.patiently(ctx, func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.writer == nil {
			return store.ErrClosed
		}
		ctx := context.WithoutCancel(ctx)
		if err := s.setBusyTimeout(ctx, 0); err != nil {
			return err
		}
		whole, err = querier{ctx, &s.writes}.checkpoint("TRUNCATE")
		if isBusy(err) {
			whole, err = false, nil
		}
		return errors.Join(err, s.setBusyTimeout(ctx, busyTimeout))
	})
}

// checkpoint tells whether the whole log was moved. https://sqlite.org/pragma.html#pragma_wal_checkpoint
func (q querier) checkpoint(mode string) (bool, error) {
	var busy bool
	var frames, moved int
	err := q.one("PRAGMA wal_checkpoint("+mode+")", nil, []any{&busy, &frames, &moved})
	return !busy && frames == moved, err
}

// setBusyTimeout is run as it is: as a prepared statement, this pragma does something only when it is prepared.
func (s *Store) setBusyTimeout(ctx context.Context, d time.Duration) error {
	_, err := s.writer.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", d.Milliseconds()))
	return err
}
