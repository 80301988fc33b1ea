package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"followup/internal/store"
)

func testDeleteAndRestore(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	for _, id := range []string{"a", "b", "c"} {
		Converse(t, s, c, id, "common", "")
	}
	Ask(t, s, "open", "")
	deleted := Remove(t, s, "a", "open", "unknown", "a")
	later := Remove(t, s, "b", "a")
	Same(t, "deleted", deleted, store.Deletion{ID: deleted.ID, Count: 1, Until: c.Now().Add(store.Undo)}, cmpopts.EquateApproxTime(time.Millisecond))
	if later.Count != 1 || later.ID == deleted.ID {
		t.Errorf("deleted %+v, %+v", deleted, later)
	}
	left := func(when string, want ...string) {
		t.Helper()
		Same(t, when, IDs(must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries), want)
		Same(t, when, find(t, s, "common"), want)
	}
	left("deleted", "c")
	if _, err := s.Question(t.Context(), "a"); err == nil {
		t.Error("a deleted question is found")
	}
	Same(t, "purged while it can be undone", must(s.Purge(t.Context()))(t), 0)
	c.Forward(store.Undo - time.Millisecond)
	Same(t, "restored", must(s.Restore(t.Context(), deleted.ID))(t), 1)
	left("restored", "c", "a")
	c.Forward(time.Millisecond)
	Same(t, "restored too late", must(s.Restore(t.Context(), later.ID))(t), 0)
	Same(t, "purged", must(s.Purge(t.Context()))(t), 1)
	left("purged", "c", "a")
}

func testRetainLeavesDeletedToPurge(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	Converse(t, s, c, "q", "", "")
	deleted := Remove(t, s, "q")
	Same(t, "removed", must(s.Retain(t.Context(), store.Retention{Nothing: true}))(t), 0)
	Same(t, "restored", must(s.Restore(t.Context(), deleted.ID))(t), 1)
}

// A repeated deletion or restoration has the same result and changes nothing more, whatever has happened since.
func testRepeatedDeletion(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	Converse(t, s, c, "a", "", "")
	all := func(id string) store.Deletion { return must(s.Delete(t.Context(), id, store.Selection{}))(t) }
	count := func() int { return must(s.Count(t.Context(), store.Selection{}))(t) }
	Same(t, "of nothing", must(s.Delete(t.Context(), "nothing", store.Selection{IDs: []string{"unknown"}}))(t).Count, 0)
	first := all("one")
	Converse(t, s, c, "b", "", "")
	Same(t, "repeated", all("one"), first)
	Same(t, "repeated, of nothing", all("nothing").Count, 0)
	Same(t, "left", count(), 1)
	for range 2 {
		Same(t, "restored", must(s.Restore(t.Context(), "one"))(t), 1)
		Same(t, "left", count(), 2)
	}
	Same(t, "repeated after it was restored", all("one"), first)
	Same(t, "left", count(), 2)
	second := all("two")
	c.Forward(store.Undo)
	Same(t, "purged", must(s.Purge(t.Context()))(t), 2)
	Converse(t, s, c, "c", "", "")
	Same(t, "repeated after it was purged", all("two"), second)
	Same(t, "restored after it was purged", must(s.Restore(t.Context(), "two"))(t), 0)
	Same(t, "left", count(), 1)
}
