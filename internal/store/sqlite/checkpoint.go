package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
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
	var cleaned scanned
	err := s.inTurn(ctx, func(context.Context) error {
		cleaned = s.scanned
		return nil
	})
	if err != nil {
		return err
	}
	whole := false
	for tries := 0; !whole; tries++ {
		err := s.read(ctx, func(q querier) error { return s.moveMost(q, cleaned) })
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
		if mode == truncate { // behind which the log can no longer be read
			behind := s.scanned
			pages, err := behind.pages(filepath.Join(s.dir, fileName+"-wal"), math.MaxInt)
			if err != nil {
				return err
			}
			s.unclean.note(pages)
		}
		whole, _, err = s.move(querier{ctx, &s.writes}, mode, s.scanned)
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
func (s *Store) moveMost(q querier, cleaned scanned) error {
	var before extent
	for range movesAtOnce {
		_, now, err := s.move(q, "PASSIVE", cleaned)
		if err != nil || now == before {
			return err
		}
		before = now
	}
	return nil
}

// truncate empties the log's file too.
const truncate = "TRUNCATE"

// move moves the log into the file, and notes which pages go there that cleanPages has not come to, since others have written them
// meanwhile: they may begin the log anew at any moment.
func (s *Store) move(q querier, mode string, cleaned scanned) (whole bool, log extent, err error) {
	if err := s.withLog(log.readSalt); err != nil {
		return false, extent{}, err
	}
	whole, log.frames, err = q.checkpoint(mode)
	if err != nil || log.frames <= 0 {
		return whole, log, err
	}
	return whole, log, s.withLog(func(f *os.File) error {
		pages, all, err := log.pages(f, cleaned)
		s.unclean.note(pages)
		if !all {
			s.unclean.noteAll()
		}
		return err
	})
}

// pages reads which pages are in a log behind those that were cleaned; false where others have begun the next one over it.
func (e extent) pages(f *os.File, cleaned scanned) (pages map[uint32]bool, all bool, err error) {
	frame := make([]byte, frameHeader)
	if _, err := f.ReadAt(frame, 0); err != nil {
		return nil, false, ignoreEnd(err)
	}
	size := int64(binary.BigEndian.Uint32(frame[8:])) + frameHeader
	at := int64(walHeader)
	if cleaned.salt == e.salt {
		at = cleaned.offset
	}
	pages = map[uint32]bool{}
	for ; at < walHeader+int64(e.frames)*size; at += size {
		if _, err := f.ReadAt(frame, at); err != nil {
			return pages, false, ignoreEnd(err)
		}
		if [8]byte(frame[8:16]) != e.salt {
			return pages, false, nil
		}
		pages[binary.BigEndian.Uint32(frame)] = true
	}
	return pages, true, nil
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
