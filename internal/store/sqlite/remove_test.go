package sqlite

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/sqlstore"
	"followup/internal/store/storetest"
)

// traces returns which texts, in lower case and twelve bytes long, occur in any file of a folder.
func traces(t testing.TB, dir string, texts ...string) (found []string) {
	t.Helper()
	wanted := map[string]bool{}
	var begins [1 << 16]bool // by the first two bytes
	for _, text := range texts {
		if len(text) != 12 {
			t.Fatalf("%q does not have twelve bytes", text)
		}
		wanted[text] = true
		begins[int(text[0])<<8|int(text[1])] = true
	}
	for _, entry := range must(os.ReadDir(dir))(t) {
		data := bytes.ToLower(must(os.ReadFile(filepath.Join(dir, entry.Name())))(t))
		in := map[string]bool{}
		for i := range max(len(data)-11, 0) {
			if begins[int(data[i])<<8|int(data[i+1])] && wanted[string(data[i:i+12])] {
				in[string(data[i:i+12])] = true
			}
		}
		for text := range in {
			found = append(found, entry.Name()+": "+text)
		}
	}
	return found
}

// sentinel returns a unique word.
func sentinel(r *rand.Rand) string {
	word := make([]byte, 12)
	for i := range word {
		word[i] = byte('a' + r.Intn(26))
	}
	return string(word)
}

// Purged text is in no file, whether it was removed one by one or all at once, and whatever was written before and after.
func TestPurgedTextIsInNoFile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ kept, removed, together int }{{0, 1, 1}, {45, 6, 1}, {45, 20, 20}, {60, 40, 40}} {
		t.Run(fmt.Sprintf("%d of %d, %d together", test.removed, test.kept+test.removed, test.together), func(t *testing.T) {
			s, c := fresh(t)
			r := rand.New(rand.NewSource(1))
			var gone, kept, deleted []string
			for i := range test.kept + test.removed {
				asked, said, id, agent := sentinel(r), sentinel(r), sentinel(r), sentinel(r)
				gif := question.Image{MimeType: "image/gif", Data: []byte(strings.Repeat(sentinel(r), 500))}
				ask := store.Question{ID: id, State: store.Pending, Text: asked, Call: []byte(strings.Repeat(asked+" ", 500)), Agent: agent, Workspace: agent}
				apply(t, s, store.Change{Questions: []store.Question{ask}, Drafts: []store.Draft{{QuestionID: id, Document: []byte(said), Images: []store.Image{{MimeType: gif.MimeType, Data: gif.Data}}}}})
				c.Forward(time.Second)
				outcome := store.Outcome{QuestionID: id, Outcome: question.Answered, Text: said, Answer: []byte(said), Images: []question.Image{gif, png}}
				apply(t, s, store.Change{Outcomes: []store.Outcome{outcome}})
				words := []string{asked, said, agent, string(gif.Data[:12]), id}
				if i%(test.kept/test.removed+1) == 0 && len(deleted) < test.removed {
					gone = append(gone, words...)
					deleted = append(deleted, id)
				} else {
					kept = append(kept, words...)
				}
				if i%25 == 24 {
					ok(t, s.Idle(t.Context()))
				}
			}
			if len(traces(t, s.dir, gone...)) < len(gone) {
				t.Fatal("the words are not in the files before the purge")
			}
			for some := range slices.Chunk(deleted, test.together) {
				remove(t, s, some...)
				c.Forward(store.Undo)
				if n := must(s.Purge(t.Context()))(t); n != len(some) {
					t.Fatalf("purged %d of %d", n, len(some))
				}
			}
			if left := traces(t, s.dir, gone...); len(left) > 0 {
				t.Errorf("%d of %d left: %s …", len(left), len(gone), left)
			}
			for i := 0; i < len(kept); i += 5 * 37 {
				same(t, "kept", find(t, s, kept[i]), []string{kept[i+4]})
				same(t, "kept", find(t, s, kept[i+1][:7]), []string{kept[i+4]})
			}
			if got := len(must(s.Facets(t.Context(), nil))(t).Agents); got != test.kept {
				t.Errorf("%d agents, want %d", got, test.kept)
			}
			integrity(t, s)
		})
	}
}

func TestRetain(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	setup := func(t *testing.T) (testStore, *storetest.Clock) {
		s, c := fresh(t)
		apply(t, s, store.Change{Sessions: []store.Session{{ID: "s", Document: []byte("secretsecret")}, {ID: "over", Document: []byte("overkeyovers"), Closed: true}}})
		converse(t, s, c, "old", "", "")
		apply(t, s, store.Change{Questions: []store.Question{{ID: "uncollected", State: store.Pending, Session: "s"}}, Outcomes: []store.Outcome{answered("uncollected", "")}})
		apply(t, s, store.Change{Questions: []store.Question{{ID: "open", State: store.Pending, Session: "s"}}})
		c.Forward(3 * day)
		converse(t, s, c, "middle", "", "")
		c.Forward(3 * day)
		converse(t, s, c, "new", "", "")
		return s, c
	}
	tests := []struct {
		name    string
		r       store.Retention
		later   time.Duration
		want    string
		removed int
	}{
		{"for good", store.Retention{}, 0, "new middle uncollected old", 0},
		{"five days", store.Retention{Age: 5 * day}, 0, "new middle uncollected", 1},
		{"two days", store.Retention{Age: 2 * day}, 0, "new uncollected", 2},
		{"nothing", store.Retention{Nothing: true}, 0, "uncollected", 3},
		{"nothing, after a while", store.Retention{Nothing: true}, store.UncollectedKept, "", 4},
		{"unsure of the time", store.Retention{Age: 2 * day}, 1000 * day, "new middle uncollected old", 0},
		{"nothing, unsure of the time", store.Retention{Nothing: true}, 1000 * day, "uncollected", 3},
		{"nothing overrides an age", store.Retention{Nothing: true, Age: 5 * day}, 0, "uncollected", 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, c := setup(t)
			c.Forward(test.later)
			if test.later < 1000*day {
				test.r.Now = c.Now()
			}
			if removed := must(s.Retain(t.Context(), test.r))(t); removed != test.removed {
				t.Errorf("removed %d", removed)
			}
			same(t, "kept", ids(must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries), strings.Fields(test.want))
			same(t, "open", ids(must(s.OpenQuestions(t.Context(), 0, 999))(t)), []string{"open"})
			ok(t, s.Idle(t.Context()))
			if left := traces(t, s.dir, "overkeyovers", "secretsecret"); len(left) != 1 || !strings.Contains(left[0], "secretsecret") {
				t.Errorf("sessions: %v", left)
			}
			integrity(t, s)
		})
	}
}

// A purge while another process reads cannot clean the log; the next one does.
func TestPurgeWhileAnotherReads(t *testing.T) {
	t.Parallel()
	dir, c := t.TempDir(), newClock()
	a, b := openIn(t, dir, c), openIn(t, dir, c)
	ctx := t.Context()

	converse(t, a, c, "q", "xylophonists", "")
	remove(t, a, "q")
	c.Forward(store.Undo)
	reading := must(b.files.history.reads.db.BeginTx(ctx, nil))(t)
	var n int
	ok(t, reading.QueryRow("SELECT count(*) FROM entries").Scan(&n))
	if _, err := a.Purge(ctx); err != nil {
		t.Error(err)
	}
	if left := traces(t, dir, "xylophonists"); len(left) == 0 {
		t.Error("the log was emptied while it was read")
	}
	_ = a.Idle(ctx) // may return that the log is in use
	ok(t, reading.Rollback())
	ok(t, b.Idle(ctx))
	if left := traces(t, dir, "xylophonists"); len(left) > 0 {
		t.Error(left)
	}
}

// If a purge cannot read what it must remove, it fails, and the next one removes it.
func TestPurgeFails(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	converse(t, s, c, "q", "xylophonists", "")
	remove(t, s, "q")
	c.Forward(store.Undo)
	rename := func(from, to string) {
		ok(t, s.files.history.Write(t.Context(), func(q *sqlstore.Queries, _ int64) {
			q.Exec("ALTER TABLE " + from + " RENAME TO " + to)
		}))
	}
	for _, table := range []string{"deleted", "deletions"} {
		rename(table, "missing")
		if _, err := s.Purge(t.Context()); err == nil {
			t.Errorf("it did not fail without %s", table)
		}
		rename("missing", table)
	}
	same(t, "removed", must(s.Purge(t.Context()))(t), 1)
	if left := traces(t, s.dir, "xylophonists"); len(left) > 0 {
		t.Error(left)
	}
}

// When the store is idle, no file has text or images that the user removed from a draft.
func TestClearedDraftIsInNoFile(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	ask(t, s, "q", "")
	image := store.Image{MimeType: "image/gif", Data: []byte(strings.Repeat("photographed", 500))}
	for _, text := range []string{"firstthought", "secondthough"} {
		apply(t, s, store.Change{Drafts: []store.Draft{{QuestionID: "q", Document: []byte(text), Images: []store.Image{image}}}})
	}
	words := []string{"firstthought", "secondthough", "photographed"}
	if left := traces(t, s.dir, words...); len(left) < 3 {
		t.Fatalf("they are not in the files before: %v", left)
	}
	apply(t, s, store.Change{Drafts: []store.Draft{{QuestionID: "q"}}})
	ok(t, s.Idle(t.Context()))
	if left := traces(t, s.dir, words...); len(left) > 0 {
		t.Error(left)
	}
}

// Deleting everything leaves nothing of a conversation, such as its key or folder. An ongoing conversation writes its session again.
func TestDeletingEverythingRemovesSessions(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	session := store.Session{ID: "s", Document: []byte("chatkeyofold foldersecret")}
	apply(t, s, store.Change{Sessions: []store.Session{session}, Questions: []store.Question{{ID: "q", State: store.Pending, Session: "s"}}})
	apply(t, s, store.Change{Outcomes: []store.Outcome{answered("q", "")}})
	busy := store.Session{ID: "busy", Document: []byte("keyofanopenx")}
	apply(t, s, store.Change{Sessions: []store.Session{busy}, Questions: []store.Question{{ID: "open", State: store.Pending, Session: "busy"}}})
	must(s.Delete(t.Context(), "1", store.Selection{Filter: store.Filter{}}))(t)
	c.Forward(store.Undo)
	must(s.Purge(t.Context()))(t)
	same(t, "left", traces(t, s.dir, "chatkeyofold", "foldersecret", "keyofanopenx"), []string{"inbox.db: keyofanopenx"})
	next := store.Change{Questions: []store.Question{{ID: "q2", State: store.Pending, Session: "s"}}}
	if commit(t, s, next).Err == nil {
		t.Error("a question without its session")
	}
	next.Sessions = []store.Session{session}
	apply(t, s, next)
	same(t, "again", must(s.Session(t.Context(), "s"))(t), session)
}

// Damaged files that were set aside do not keep deleted text either. Their readable rows are in the store.
func TestRemovedFromDamagedFiles(t *testing.T) {
	t.Parallel()
	dir, c := t.TempDir(), newClock()
	before, _, err := openTest(t, dir, store.Options{Now: c.Now})
	ok(t, err)
	converse(t, before, c, "gone", "xylophonists", "")
	converse(t, before, c, "kept", "philharmonic", "")
	ok(t, before.Idle(t.Context()))
	ok(t, before.Close())
	data := must(os.ReadFile(filepath.Join(dir, historyName)))(t)
	copy(data, "this is no longer a database")
	ok(t, os.WriteFile(filepath.Join(dir, historyName), data, 0o600))

	s, report, err := openTest(t, dir, store.Options{Now: c.Now})
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	if report.SetAside == "" {
		t.Fatal("it was not set aside")
	}
	ok(t, s.Idle(t.Context()))
	if left := traces(t, dir, "xylophonists"); len(left) < 2 {
		t.Fatalf("it is not in both files before: %v", left)
	}
	remove(t, s, "gone")
	c.Forward(store.Undo)
	must(s.Purge(t.Context()))(t)
	ok(t, s.Idle(t.Context()))
	if left := traces(t, dir, "xylophonists"); len(left) > 0 {
		t.Error(left)
	}
	same(t, "kept", ids(must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries), []string{"kept"})
}

// A deletion can be undone for its whole time even if somebody sets the machine's clock meanwhile, or another process continues.
func TestUndoIgnoresTheTimeOfDay(t *testing.T) {
	t.Parallel()
	dir, day, c := t.TempDir(), newClock(), newClock()
	open := func() testStore {
		s, _, err := Open(t.Context(), dir, store.Options{Now: day.Now, Monotonic: c.Now})
		ok(t, err)
		whole := s.(*sqlstore.Store)
		return testStore{whole, dir, whole.Backend.(*folder)}
	}
	s := open()
	converse(t, s, day, "q", "", "")
	deleted := remove(t, s, "q")
	day.Forward(400 * 24 * time.Hour)
	same(t, "purged", must(s.Purge(t.Context()))(t), 0)
	ok(t, s.Close())
	s = open()
	t.Cleanup(func() { ok(t, s.Close()) })
	same(t, "purged by the next process", must(s.Purge(t.Context()))(t), 0)
	day.Forward(-800 * 24 * time.Hour)
	same(t, "restored", must(s.Restore(t.Context(), deleted.ID))(t), 1)
	remove(t, s, "q")
	c.Forward(store.Undo)
	same(t, "purged in time", must(s.Purge(t.Context()))(t), 1)
}
