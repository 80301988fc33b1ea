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
	"followup/internal/store/storetest"
	"followup/internal/waits"
)

// traces tells which of the texts, each in lower case and of twelve bytes, are in any file of a folder.
func traces(t testing.TB, dir string, texts ...string) (found []string) {
	t.Helper()
	wanted := map[string]bool{}
	var begins [1 << 16]bool // by the first two bytes
	for _, text := range texts {
		if len(text) != 12 {
			t.Fatalf("%q has not twelve bytes", text)
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

// sentinel is a word that occurs once.
func sentinel(r *rand.Rand) string {
	word := make([]byte, 12)
	for i := range word {
		word[i] = byte('a' + r.Intn(26))
	}
	return string(word)
}

// What was purged is in no file, whether it was taken out of the index one by one or all at once, and whatever was written
// before and after it.
func TestPurgedTextIsInNoFile(t *testing.T) {
	for _, test := range []struct{ kept, removed, together, leaves int }{{0, 1, 1, 0}, {45, 6, 1, 0}, {45, 20, 20, 0}, {60, 40, 40, 99}} {
		t.Run(fmt.Sprintf("%d of %d, %d together", test.removed, test.kept+test.removed, test.together), func(t *testing.T) {
			s, c := fresh(t)
			s.leavesPerRow = test.leaves
			r := rand.New(rand.NewSource(1))
			var gone, kept, deleted []string
			for i := range test.kept + test.removed {
				asked, said, id, agent := sentinel(r), sentinel(r), sentinel(r), sentinel(r)
				gif := question.Image{MimeType: "image/gif", Data: []byte(strings.Repeat(sentinel(r), 500))}
				ask := store.Question{ID: id, State: store.Pending, Text: asked, Call: []byte(strings.Repeat(asked+" ", 500)), Agent: agent, Workspace: agent}
				apply(t, s, store.Change{Questions: []store.Question{ask}, Drafts: []store.Draft{{QuestionID: id, Text: said, Images: []store.Image{{MimeType: gif.MimeType, Data: gif.Data}}}}})
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
				t.Fatal("the words to be looked for are not there to begin with")
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
			if got := len(must(s.Facets(t.Context()))(t).Agents); got != test.kept {
				t.Errorf("%d agents, want %d", got, test.kept)
			}
			integrity(t, s)
		})
	}
}

// integrity lets SQLite and FTS5 check the file.
func integrity(t testing.TB, s *Store) {
	t.Helper()
	ok(t, s.write(t.Context(), func(t *tx) error {
		var found string
		if err := t.one("PRAGMA integrity_check", nil, []any{&found}); err != nil || found != "ok" {
			return fmt.Errorf("%s, %w", found, err)
		}
		_, err := t.exec("INSERT INTO search (search) VALUES ('integrity-check')")
		return err
	}))
}

func TestRetain(t *testing.T) {
	day := 24 * time.Hour
	setup := func(t *testing.T) (*Store, *storetest.Clock) {
		s, c := fresh(t)
		apply(t, s, store.Change{Sessions: []store.Session{{ID: "s", Agent: "Roo", Key: "secretsecret"}, {ID: "over", Key: "overkeyovers", Closed: true}}})
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
		{"nothing comes before an age", store.Retention{Nothing: true, Age: 5 * day}, 0, "uncollected", 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, c := setup(t)
			c.Forward(test.later)
			if removed := must(s.Retain(t.Context(), test.r))(t); removed != test.removed {
				t.Errorf("removed %d", removed)
			}
			same(t, "kept", ids(must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries), strings.Fields(test.want))
			same(t, "open", ids(must(s.OpenQuestions(t.Context(), 0, 999))(t)), []string{"open"})
			if left := traces(t, s.dir, "overkeyovers", "secretsecret"); len(left) != 1 || !strings.Contains(left[0], "secretsecret") {
				t.Errorf("sessions: %v", left)
			}
			integrity(t, s)
		})
	}
}

// A purge while another process reads cannot clean the log; the next one does.
func TestPurgeWhileAnotherReads(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	a, b := open(t, dir, c), open(t, dir, c)
	ctx := t.Context()

	converse(t, a, c, "q", "xylophonists", "")
	remove(t, a, "q")
	c.Forward(store.Undo)
	reading := must(b.pools[0].BeginTx(ctx, nil))(t)
	var n int
	ok(t, reading.QueryRow("SELECT count(*) FROM questions").Scan(&n))
	if _, err := a.Purge(ctx); err != nil {
		t.Error(err)
	}
	if left := traces(t, dir, "xylophonists"); len(left) == 0 {
		t.Error("the log was cleaned while it was read")
	}
	ok(t, a.Idle(ctx))
	ok(t, reading.Rollback())
	ok(t, b.Idle(ctx))
	if left := traces(t, dir, "xylophonists"); len(left) > 0 {
		t.Error(left)
	}
}

// What the user has taken back of a draft is in no file when it is quiet: its text, its earlier texts, its images.
func TestClearedDraftIsInNoFile(t *testing.T) {
	s, _ := fresh(t)
	ask(t, s, "q", "")
	image := store.Image{MimeType: "image/gif", Data: []byte(strings.Repeat("photographed", 500))}
	for _, text := range []string{"firstthought", "secondthough"} {
		apply(t, s, store.Change{Drafts: []store.Draft{{QuestionID: "q", Text: text, Images: []store.Image{image}}}})
	}
	words := []string{"firstthought", "secondthough", "photographed"}
	if left := traces(t, s.dir, words...); len(left) < 3 {
		t.Fatalf("they are not there to begin with: %v", left)
	}
	apply(t, s, store.Change{Drafts: []store.Draft{{QuestionID: "q"}}})
	ok(t, s.Idle(t.Context()))
	if left := traces(t, s.dir, words...); len(left) > 0 {
		t.Error(left)
	}
}

// Who deletes everything leaves nothing of their conversations: no key of a chat, no folder. A conversation that goes on
// writes its session again.
func TestDeletingEverythingTakesSessions(t *testing.T) {
	s, c := fresh(t)
	session := store.Session{ID: "s", Key: "chatkeyofold", Folders: []byte(`["foldersecret"]`)}
	apply(t, s, store.Change{Sessions: []store.Session{session}, Questions: []store.Question{{ID: "q", State: store.Pending, Session: "s"}}})
	apply(t, s, store.Change{Outcomes: []store.Outcome{answered("q", "")}})
	busy := store.Session{ID: "busy", Key: "keyofanopenx"}
	apply(t, s, store.Change{Sessions: []store.Session{busy}, Questions: []store.Question{{ID: "open", State: store.Pending, Session: "busy"}}})
	must(s.Delete(t.Context(), store.Selection{Filter: store.Filter{}}))(t)
	c.Forward(store.Undo)
	must(s.Purge(t.Context()))(t)
	same(t, "left", traces(t, s.dir, "chatkeyofold", "foldersecret", "keyofanopenx"), []string{"followup.db: keyofanopenx"})
	next := store.Change{Questions: []store.Question{{ID: "q2", State: store.Pending, Session: "s"}}}
	if commit(t, s, next).Err == nil {
		t.Error("a question without its session")
	}
	next.Sessions = []store.Session{session}
	apply(t, s, next)
	same(t, "again", must(s.Session(t.Context(), "s"))(t), session)
}

// A row is taken out of the search with the tokens that it was put in with, whatever would be made of its text now.
func TestRemovedByItsTokens(t *testing.T) {
	s, c := fresh(t)
	converse(t, s, c, "other", "common", "")
	converse(t, s, c, "q", "common xylophonists", "")
	same(t, "found", find(t, s, "xylophonists"), []string{"q"}) // and so indexed
	ok(t, s.write(t.Context(), func(t *tx) error {
		_, err := t.exec("UPDATE questions SET text = 'as if other tokens were made of it' WHERE id = 'q'")
		return err
	}))
	remove(t, s, "q")
	c.Forward(store.Undo)
	must(s.Purge(t.Context()))(t)
	same(t, "what stays", find(t, s, "common"), []string{"other"})
	if left := traces(t, s.dir, "xylophonists"); len(left) > 0 {
		t.Error(left)
	}
	integrity(t, s)
}

// A new index is begun where much goes, and most of what there is, once.
func TestWhenANewIndexIsBegun(t *testing.T) {
	s, _ := fresh(t)
	imported(t, s, many(20)...)
	for _, test := range []struct {
		from, going int
		begun       bool
	}{{18, 17, false}, {10, 10, false}, {10, 15, false}, {17, 17, true}} {
		s.rebuildFrom = test.from
		ok(t, s.beginIndex(t.Context(), test.going))
		var begun bool
		ok(t, s.read(t.Context(), func(q querier) error {
			return q.one("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'search_old')", nil, []any{&begun})
		}))
		if begun != test.begun {
			t.Errorf("%d of 20 go, %d at least: begun: %v", test.going, test.from, begun)
		}
	}
	ok(t, s.beginIndex(t.Context(), 20)) // it goes on with the one that it has
}

// A removal ends while others go on answering: what is answered behind its beginning is left to the next one.
func TestRemovalEnds(t *testing.T) {
	s, _ := fresh(t)
	little(s)
	const n = readAtOnce + 50
	imported(t, s, many(n)...)
	s.stepped.Store(0)
	done := make(chan int)
	go func() {
		removed, err := s.Retain(t.Context(), store.Retention{Nothing: true})
		if err != nil {
			t.Error(err)
		}
		done <- removed
	}()
	for i := 0; ; i++ {
		before, over, removed := s.stepped.Load(), false, 0
		waits.Until(t, "the next step", func() bool {
			select {
			case removed = <-done:
				over = true
			default:
			}
			return over || s.stepped.Load() > before
		})
		if over {
			same(t, "removed", removed, n)
			same(t, "left", must(s.Count(t.Context(), store.Selection{}))(t), i)
			return
		}
		id := fmt.Sprint("q", i)
		apply(t, s, store.Change{
			Questions: []store.Question{{ID: id, State: store.Pending}}, Outcomes: []store.Outcome{answered(id, "")}, Collected: []string{id},
		})
	}
}

// Deleted text is in no damaged file that was set aside either. What could be read of it is in the store.
func TestRemovedFromDamagedFiles(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	before, _, err := Open(t.Context(), dir, store.Options{Now: c.Now})
	ok(t, err)
	converse(t, before, c, "gone", "xylophonists", "")
	converse(t, before, c, "kept", "philharmonic", "")
	ok(t, before.Close())
	data := must(os.ReadFile(filepath.Join(dir, fileName)))(t)
	copy(data, "this is no longer a database")
	ok(t, os.WriteFile(filepath.Join(dir, fileName), data, 0o600))

	s, report, err := Open(t.Context(), dir, store.Options{Now: c.Now})
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	if report.SetAside == "" {
		t.Fatal("it was not set aside")
	}
	ok(t, s.Idle(t.Context()))
	if left := traces(t, dir, "xylophonists"); len(left) < 2 {
		t.Fatalf("it is not in both files to begin with: %v", left)
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
