package sqlite

import (
	"context"
	"os"
	"path/filepath"
)

// What somebody waits for is flushed by its commit. A step is flushed behind it, when the file's one place for writers is free
// again: a flush takes as long as the step itself, and an answer that meets both would wait for both.

// flushCommits makes the writer's commits flush the write-ahead log, or not. It is not for within a transaction.
func (s *Store) flushCommits(ctx context.Context, on bool) error {
	if s.unflushed == !on {
		return nil
	}
	s.unflushed = true // also where the setting fails
	level := "1"
	if on {
		level = "2"
	}
	if _, err := s.writer.ExecContext(ctx, "PRAGMA synchronous = "+level); err != nil {
		return err
	}
	s.unflushed = !on
	return nil
}

// flushLog flushes the write-ahead log with all that was committed.
func (s *Store) flushLog() error {
	log, err := os.OpenFile(filepath.Join(s.dir, fileName+"-wal"), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = flush(log)
	if closing := log.Close(); err == nil {
		err = closing
	}
	return err
}
