package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"sync"

	"followup/internal/store/engine"
)

// SQLite's secure_delete overwrites what is deleted where it stands. But when rows move within or between pages, their old
// places can become unused space of a page as they are, and stay when the row is deleted later. So every page that was written
// has its unused space overwritten before the write-ahead log, which tells which pages these are, is moved into the file.
// Formats: https://sqlite.org/fileformat.html, sections 1.6 (b-tree pages) and 4 (the write-ahead log).

// scanned is how far a write-ahead log was read.
type scanned struct {
	salt   [8]byte // changes whenever the log begins anew
	offset int64
}

const (
	walHeader   = 32
	frameHeader = 24
	pageHeader1 = 100 // the first page begins with the file's header
	leafTable   = 13
	leafIndex   = 10
	innerTable  = 5
	innerIndex  = 2
	// maxPages bounds the numbers of pages so that their first byte, with which a page begins that is none of a b-tree, is less
	// than any type of a b-tree page.
	maxPages = innerIndex << 24
)

// pageUnits is what it costs to clean a page, or to write one of the index.
const pageUnits = 12

// cleanPages overwrites the unused space of all pages written since the last time.
func (s *Store) cleanPages(ctx context.Context) error {
	return s.steps(ctx, func(t *tx, m *meter) (bool, error) { return t.cleanPages(m.left / pageUnits) })
}

// cleanPages cleans some pages, and tells whether there may be more. It writes in any case, so that the log that begins anew after
// a checkpoint has its beginning, which takes a second flush, before an answer comes.
func (t *tx) cleanPages(most int) (more bool, err error) {
	if _, err := t.exec("UPDATE meta SET value = value + 1 WHERE name = 'touched'"); err != nil {
		return false, err
	}
	var pageCount int64
	if err := t.one("PRAGMA page_count", nil, []any{&pageCount}); err != nil || pageCount >= maxPages {
		return false, err
	}
	// No other process writes during a transaction, and its own pages are not in the log yet.
	next := t.store.scanned
	pages, err := next.pages(filepath.Join(t.store.dir, fileName+"-wal"), most)
	if err != nil {
		return false, err
	}
	moved, more := t.store.unclean.some(most-len(pages), pageCount)
	for _, page := range moved {
		pages[page] = true
	}
	for page := range pages {
		if err := t.cleanPage(page); err != nil {
			return false, err
		}
	}
	t.scanned = &next
	t.then(func() { t.store.unclean.drop(moved) })
	return more || len(pages) >= most, nil
}

// cleanAll is the last write of a process. The last process to close the file moves the log into it.
func (t *tx) cleanAll() error {
	if t.store.wrote.Load() == 0 {
		return engine.ErrNothing
	}
	_, err := t.cleanPages(math.MaxInt)
	return err
}

// unclean are pages that are in the file, and whose unused space was not overwritten.
type unclean struct {
	mu    sync.Mutex
	pages map[uint32]bool
	all   bool
}

func (u *unclean) note(pages map[uint32]bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.pages == nil {
		u.pages = map[uint32]bool{}
	}
	maps.Copy(u.pages, pages)
}

// noteAll notes that it may be any page.
func (u *unclean) noteAll() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all = true
}

// some gives at most so many of them, and tells whether there are more.
func (u *unclean) some(most int, pageCount int64) (pages []uint32, more bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all {
		u.all, u.pages = false, make(map[uint32]bool, pageCount)
		for page := range uint32(pageCount) { //nolint:gosec // less than maxPages
			u.pages[page+1] = true
		}
	}
	for page := range u.pages {
		switch {
		case int64(page) > pageCount:
			delete(u.pages, page) // the file has become smaller
		case len(pages) >= most:
			return pages, true
		default:
			pages = append(pages, page)
		}
	}
	return pages, false
}

func (u *unclean) drop(pages []uint32) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, page := range pages {
		delete(u.pages, page)
	}
}

func (t *tx) cleanPage(page uint32) error {
	var data []byte
	if err := t.one("SELECT data FROM sqlite_dbpage WHERE pgno = ?", []any{page}, []any{&data}); err != nil {
		return err
	}
	if !clearUnused(data, page) {
		return nil
	}
	_, err := t.exec("UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", data, page)
	return err
}

// noText is less than any two bytes of UTF-8 that begin with a letter, a digit or a sign.
const noText = ' ' << 8

// clearUnused overwrites what lies between the pointers to a b-tree page's cells and the cells, and tells whether anything was
// there that may be text. Pointers of cells that are no more, with which it begins, are none: a page with nothing else, as most
// have of which a row was removed, need not be written again for them.
func clearUnused(data []byte, page uint32) (changed bool) {
	at := 0
	if page == 1 {
		at = pageHeader1
	}
	pointers := at + 8
	switch data[at] {
	case leafTable, leafIndex:
	case innerTable, innerIndex:
		pointers += 4
	default:
		return false
	}
	from := pointers + 2*int(binary.BigEndian.Uint16(data[at+3:]))
	to := int(binary.BigEndian.Uint16(data[at+5:]))
	if to > len(data) || from > to {
		return false
	}
	unused := data[from:to]
	for len(unused) >= 2 && int(binary.BigEndian.Uint16(unused)) < min(len(data), noText) {
		unused = unused[2:]
	}
	for i := range unused {
		changed = changed || unused[i] != 0
	}
	if changed {
		clear(data[from:to])
	}
	return changed
}

// pages reads the numbers of some pages in a write-ahead log behind what was read before.
func (s *scanned) pages(wal string, most int) (map[uint32]bool, error) {
	pages := map[uint32]bool{}
	f, err := os.Open(wal)
	if errors.Is(err, fs.ErrNotExist) {
		return pages, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	header := make([]byte, walHeader)
	if _, err := io.ReadFull(f, header); err != nil {
		return pages, ignoreEnd(err) // empty
	}
	pageSize := int64(binary.BigEndian.Uint32(header[8:]))
	if salt := [8]byte(header[16:24]); s.salt != salt {
		*s = scanned{salt, walHeader}
	}
	for frame := header[:frameHeader]; len(pages) < most; s.offset += frameHeader + pageSize {
		if _, err := f.ReadAt(frame, s.offset); err != nil {
			return pages, ignoreEnd(err)
		}
		if [8]byte(frame[8:16]) != s.salt {
			return pages, nil // of the log before
		}
		pages[binary.BigEndian.Uint32(frame)] = true
	}
	return pages, nil
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}
