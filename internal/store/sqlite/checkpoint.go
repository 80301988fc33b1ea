package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sort"
)

// emptyLarge is emptyLog for a log over its limit.
func (s *Store) emptyLarge(ctx context.Context) error {
	used, err := logUsed(filepath.Join(s.dir, fileName+"-wal"))
	if err != nil || used <= s.logLimit {
		return err
	}
	return s.emptyLog(ctx)
}

// logUsed is how many bytes of a write-ahead log's file are in use: behind them stands what is left of the log before.
func logUsed(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // only read
	header, frame := make([]byte, walHeader), make([]byte, frameHeader)
	if _, err := io.ReadFull(f, header); err != nil {
		return 0, ignoreEnd(err) // empty
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size := int64(binary.BigEndian.Uint32(header[8:])) + frameHeader
	frames := sort.Search(int((info.Size()-walHeader)/size), func(i int) bool {
		_, reading := f.ReadAt(frame, walHeader+int64(i)*size)
		err = errors.Join(err, ignoreEnd(reading))
		return reading != nil || [8]byte(frame[8:]) != [8]byte(header[16:24])
	})
	return walHeader + int64(frames)*size, err
}

// emptyTries is how often emptyLog tries to have the log begin anew where others always write.
const emptyTries = 8

// emptyLog moves the write-ahead log into the file, which holds nobody up, and has it begin anew if nobody reads the old one.
func (s *Store) emptyLog(ctx context.Context) error {
	if err := s.cleanPages(ctx); err != nil {
		return err
	}
	whole := false
	for tries := 0; !whole; tries++ {
		err := s.read(ctx, s.moveMost)
		if err == nil {
			whole, err = s.moveAll(ctx, "RESTART")
		}
		if err == nil && !whole {
			if tries == emptyTries {
				return nil
			}
			err = s.giveWay(ctx)
		}
		if err != nil {
			return err
		}
	}
	return s.cleanPages(ctx)
}

// moveAll moves the rest of the write-ahead log into the file so that the log begins anew, and tells whether it could: not while
// another process reads or writes. It does not wait for that, since writers would wait with it.
func (s *Store) moveAll(ctx context.Context, mode string) (whole bool, err error) {
	err = s.inTurn(ctx, func(ctx context.Context) error {
		if err := s.there(); err != nil {
			return err
		}
		whole, _, err = querier{ctx, &s.writes}.checkpoint(mode)
		return err
	})
	if isBusy(err) {
		return false, nil
	}
	return whole, s.note(classify(err))
}

// movesAtOnce is how often moveMost moves what has come meanwhile.
const movesAtOnce = 6

// moveMost moves what is in the log into the file, and what has come while it did, until nothing comes: each time it takes less. A
// writer who waits for the rest would wait for a flush of the file.
func (s *Store) moveMost(q querier) error {
	var before extent
	for range movesAtOnce {
		var now extent
		err := s.withLog(now.readSalt)
		if err == nil {
			_, now.frames, err = q.checkpoint("PASSIVE")
		}
		if err != nil || now == before {
			return err
		}
		before = now
	}
	return nil
}

// extent is how far a log goes, which may have begun anew.
type extent struct {
	salt   [8]byte // see scanned
	frames int
}

func (e *extent) readSalt(log *os.File) error {
	_, err := log.ReadAt(e.salt[:], 16)
	return ignoreEnd(err) // empty
}

// checkpoint tells whether the whole log was moved, and how many frames it has, without those that have come meanwhile.
// https://sqlite.org/pragma.html#pragma_wal_checkpoint
func (q querier) checkpoint(mode string) (whole bool, frames int, err error) {
	var busy bool
	var moved int
	err = q.one("PRAGMA wal_checkpoint("+mode+")", nil, []any{&busy, &frames, &moved})
	return !busy && frames == moved, frames, err
}
