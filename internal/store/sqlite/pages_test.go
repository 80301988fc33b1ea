package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"followup/internal/store"
	"followup/internal/waits"
)

// What rows have left behind where they stood once is overwritten in every b-tree page that is written, and nowhere else.
func TestUnusedSpaceIsOverwritten(t *testing.T) {
	s, c := fresh(t)
	ask := store.Question{ID: "q", State: store.Pending, Text: "t", Call: bytes.Repeat([]byte("overflowpage"), 2000)}
	apply(t, s, store.Change{Questions: []store.Question{ask}, Outcomes: []store.Outcome{answered("q", "words of the user")}})
	converse(t, s, c, "other", "asked", "said")
	ok(t, s.Idle(t.Context()))
	plant(t, s)
	ok(t, s.emptyLog(t.Context()))
	ok(t, s.emptyLog(t.Context())) // the log has begun anew, so all is in the file
	if _, err := s.moveAll(t.Context(), truncate); err != nil {
		t.Error(err)
	}
	if left := traces(t, s.dir, "leftbehinded"); len(left) > 0 {
		t.Error(left)
	}
	same(t, "a text on pages of no b-tree", string(must(s.Question(t.Context(), "q"))(t).Call), string(ask.Call))
	integrity(t, s)
}

// What others write while the log is being moved is cleaned too, also where they have begun it anew before anybody has looked.
func TestPagesOfOthersAreCleaned(t *testing.T) {
	for name, anew := range map[string]bool{"moved with the rest": false, "begun anew meanwhile": true} {
		t.Run(name, func(t *testing.T) {
			dir, c := t.TempDir(), newClock()
			works, writes := open(t, dir, c), open(t, dir, c)
			converse(t, writes, c, "q", "asked", "said")
			ok(t, works.Idle(t.Context()))
			ok(t, works.cleanPages(t.Context()))
			cleaned := works.scanned
			plant(t, writes)
			if anew {
				ok(t, works.read(t.Context(), func(q querier) error { return works.moveMost(q, cleaned) }))
				ask(t, writes, "behind", "")
			}
			waits.Until(t, "all is moved", func() bool { return must(works.moveAll(t.Context(), "RESTART"))(t) })
			ask(t, writes, "anew", "")
			for range 2 {
				ok(t, works.emptyLog(t.Context()))
			}
			waits.Until(t, "all is moved", func() bool { return must(works.moveAll(t.Context(), truncate))(t) })
			if left := traces(t, dir, "leftbehinded"); len(left) > 0 {
				t.Error(left)
			}
			integrity(t, works)
		})
	}
}

// Where it is not known which pages were moved, it may be any.
func TestAnyPageMayBeUnclean(t *testing.T) {
	s, c := fresh(t)
	converse(t, s, c, "q", "asked", "said")
	ok(t, s.Idle(t.Context()))
	plant(t, s)
	s.unclean.noteAll()
	ok(t, s.inTurn(t.Context(), func(context.Context) error {
		_, err := s.scanned.pages(filepath.Join(s.dir, fileName+"-wal"), math.MaxInt) // nothing is known of them
		return err
	}))
	ok(t, s.emptyLog(t.Context()))
	ok(t, s.emptyLog(t.Context()))
	if _, err := s.moveAll(t.Context(), truncate); err != nil {
		t.Error(err)
	}
	if left := traces(t, s.dir, "leftbehinded"); len(left) > 0 {
		t.Error(left)
	}
	var unclean unclean
	unclean.note(map[uint32]bool{1: true, 9: true})
	unclean.noteAll()
	var all []uint32
	for more := true; more; {
		var some []uint32
		some, more = unclean.some(2, 5)
		unclean.drop(some)
		all = append(all, some...)
	}
	slices.Sort(all)
	same(t, "pages", all, []uint32{1, 2, 3, 4, 5})
}

// plant leaves text in the unused space of pages.
func plant(t testing.TB, s *Store) {
	t.Helper()
	planted := 0
	ok(t, s.write(t.Context(), func(tx *tx) error {
		var pages int
		if err := tx.one("PRAGMA page_count", nil, []any{&pages}); err != nil {
			return err
		}
		for page := 1; page <= pages; page++ {
			var data []byte
			if err := tx.one("SELECT data FROM sqlite_dbpage WHERE pgno = ?", []any{page}, []any{&data}); err != nil {
				return err
			}
			free := bytes.Index(data, make([]byte, 64))
			if clearUnused(bytes.Clone(data), uint32(page)) {
				t.Errorf("page %d was not clean", page)
			}
			if free < 0 || bytes.Contains(data, []byte("overflowpage")) || data[0] == 0 {
				continue
			}
			copy(data[free+40:], "leftbehinded")
			planted++
			if _, err := tx.exec("UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", data, page); err != nil {
				return err
			}
		}
		return nil
	}))
	if planted < 5 || len(traces(t, s.dir, "leftbehinded")) == 0 {
		t.Fatalf("planted %d", planted)
	}
}

func TestClearUnused(t *testing.T) {
	leaf := func(kind, cells, start byte) []byte {
		data := bytes.Repeat([]byte{7}, 64)
		copy(data, []byte{kind, 0, 0, 0, cells, 0, start, 0})
		return data
	}
	with := func(data []byte, at int, bytes ...byte) []byte {
		copy(data[at:], bytes)
		return data
	}
	pointers := bytes.Repeat([]byte{0, 50}, 10) // of cells that are no more
	tests := []struct {
		name     string
		data     []byte
		page     uint32
		from, to int // what becomes 0
	}{
		{"a leaf of a table", leaf(leafTable, 2, 40), 2, 12, 40},
		{"a leaf of an index", leaf(leafIndex, 0, 64), 2, 8, 64},
		{"an inner page", leaf(innerTable, 1, 30), 2, 14, 30},
		{"an inner page of an index", leaf(innerIndex, 1, 30), 2, 14, 30},
		{"a full one", leaf(leafTable, 4, 16), 2, 0, 0},
		{"an overflow page", leaf(0, 2, 40), 2, 0, 0},
		{"another kind", leaf(3, 2, 40), 2, 0, 0},
		{"cells before their pointers", leaf(leafTable, 20, 40), 2, 0, 0},
		{"cells behind the page", leaf(leafTable, 2, 200), 2, 0, 0},
		{"text behind pointers of cells that are no more", with(leaf(leafTable, 2, 40), 12, pointers...), 2, 12, 40},
		{"nothing but such pointers", with(leaf(leafTable, 2, 32), 12, pointers...), 2, 0, 0},
		{"an odd byte behind them", with(leaf(leafIndex, 2, 33), 12, append(pointers, 'x')...), 2, 12, 33},
		{"the first page", append(make([]byte, pageHeader1), leaf(leafTable, 1, 140)...), 1, 110, 140},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := bytes.Clone(test.data)
			clear(want[test.from:test.to])
			if changed := clearUnused(test.data, test.page); changed != (test.from < test.to) {
				t.Errorf("changed: %v", changed)
			}
			same(t, "page", fmt.Sprintf("%x", test.data), fmt.Sprintf("%x", want))
		})
	}
}
