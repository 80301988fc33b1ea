package sqlite

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"followup/internal/store"
)

// manyRows is how many questions the history of TestManyRows has, unless FOLLOWUP_ROWS says otherwise.
const manyRows = 400

// A long history is whole: it is read page by page, newest first and each question once, searched, deleted from, restored,
// and purged; and the file is sound.
func TestManyRows(t *testing.T) {
	t.Parallel()
	total := manyRows
	if set := os.Getenv("FOLLOWUP_ROWS"); set != "" {
		total = must(strconv.Atoi(set))(t)
	}
	const batch, page, every = 150, 130, 80 // every 80th question has its own word
	s, c := fresh(t)
	began := c.Now().Add(-time.Duration(total) * time.Minute)
	for first := 0; first < total; first += batch {
		var exchanges []store.Imported
		for n := first; n < min(first+batch, total); n++ {
			text := fmt.Sprint("question ", n)
			if n%every == 0 {
				text += " marked"
			}
			q := store.Question{Agent: "Roo", Text: text, AskedAt: began.Add(time.Duration(n) * time.Minute)}
			exchanges = append(exchanges, store.Imported{Source: "roo", Key: fmt.Sprint(n), Question: q, Outcome: answered("", "yes")})
		}
		added, known, err := s.Import(t.Context(), exchanges)
		if added != len(exchanges) || known != 0 || err != nil {
			t.Fatalf("of %d, %d were added and %d known, %v", len(exchanges), added, known, err)
		}
	}
	ok(t, s.Idle(t.Context()))

	// walk reads the history to its end.
	walk := func(f store.Filter) (found int) {
		t.Helper()
		seen := map[string]bool{}
		for before, last := store.Key(0), store.Key(0); ; {
			p := must(s.History(t.Context(), f, before, page))(t)
			for _, q := range p.Entries {
				if last != 0 && q.Outcome.Key >= last {
					t.Fatalf("%q is at %d, after %d", q.Text, q.Outcome.Key, last)
				}
				if seen[q.Text] {
					t.Fatalf("%q is repeated", q.Text)
				}
				seen[q.Text], last = true, q.Outcome.Key
			}
			if before = p.Next; before == 0 {
				return len(seen)
			}
		}
	}
	everything, marked := store.Filter{}, store.Filter{Text: "marked"}
	ofMarked := (total + every - 1) / every
	same(t, "all", walk(everything), total)
	same(t, "marked", walk(marked), ofMarked)
	same(t, "count", must(s.Count(t.Context(), store.Selection{}))(t), total)

	done := must(s.Delete(t.Context(), "1", store.Selection{Filter: marked}))(t)
	same(t, "deleted", done.Count, ofMarked)
	same(t, "left", walk(everything), total-ofMarked)
	same(t, "restored", must(s.Restore(t.Context(), done.ID))(t), ofMarked)
	same(t, "marked, restored", walk(marked), ofMarked)
	must(s.Delete(t.Context(), "2", store.Selection{Filter: marked}))(t)
	c.Forward(store.Undo)
	same(t, "purged", must(s.Purge(t.Context()))(t), ofMarked)
	same(t, "left after the purge", walk(everything), total-ofMarked)
	same(t, "marked after the purge", walk(marked), 0)
	integrity(t, s)
}
