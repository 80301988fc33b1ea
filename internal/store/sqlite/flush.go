package sqlite

import (
	"context"
	"os"
	"path/filepath"
)

// What somebody waits for is flushed by its commit. Steps are flushed together, behind the last of them: what the system loses of
// them before that is done again, and a flush of the disk takes as long as a step, in which the flush of an answer would wait for it.
// Behind each step the system only begins to write, so that an answer does not find much that has to go to the disk with it.

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
	s.flushed.Add(1)
	return s.withLog(flush)
}

func (s *Store) withLog(do func(*os.File) error) error {
	log, err := os.OpenFile(filepath.Join(s.dir, fileName+"-wal"), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = do(log)
	if closing := log.Close(); err == nil {
		err = closing
	}
	return err
}
