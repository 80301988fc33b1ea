package sqlite

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"followup/internal/store"
)

// Pages that are overwritten cost what stood on them: open questions with their drafts and sessions, and the history, come back
// from all others, whichever these are.
func TestSalvage(t *testing.T) {
	const asked = 40
	fill := func(t *testing.T) (dir string, pages map[string][]int) {
		dir, c := t.TempDir(), newClock()
		s, _, err := Open(t.Context(), dir, store.Options{Now: c.Now})
		ok(t, err)
		for i := range asked {
			session := fmt.Sprintf("s%d", i)
			q := store.Question{ID: fmt.Sprintf("q%d", i), Session: session, State: store.Pending, Text: strings.Repeat("long ", 150), Agent: "Roo"}
			image := store.Image{MimeType: "image/png", Data: bytes.Repeat([]byte{byte(i)}, 700)}
			apply(t, s, store.Change{
				Sessions: []store.Session{{ID: session, Agent: "Roo", Key: strings.Repeat("k", 150), Mistakes: 1, Limit: 3}}, Questions: []store.Question{q},
				Drafts: []store.Draft{{QuestionID: q.ID, Text: "half", Images: []store.Image{image}}},
			})
			if i%2 == 0 {
				apply(t, s, store.Change{Outcomes: []store.Outcome{answered(q.ID, fmt.Sprintf("said%d ", i)+strings.Repeat("and more ", 60))}})
			}
		}
		ok(t, s.Idle(t.Context()))
		ok(t, s.Close())
		pages = map[string][]int{}
		db := raw(t, dir)
		rows := must(db.Query("SELECT iif(pagetype = 'leaf', name, 'trees'), pageno FROM dbstat WHERE pagetype IN ('leaf', 'internal') ORDER BY name, pageno"))(t)
		for rows.Next() {
			var name string
			var page int
			ok(t, rows.Scan(&name, &page))
			pages[name] = append(pages[name], page)
		}
		ok(t, rows.Err())
		ok(t, rows.Close())
		ok(t, db.Close())
		return dir, pages
	}
	filled, pages := fill(t)
	for _, test := range []struct {
		table string
		least int // how many questions are there again
	}{
		{"questions", 30}, {"outcomes", 30}, {"sessions", asked}, {"drafts", asked}, {"blobs", asked}, {"images", asked}, {"search_data", asked},
		{"trees", asked}, {"opened", asked}, {"unindexed", asked}, {"sqlite_autoindex_questions_1", asked}, {"meta", asked},
	} {
		t.Run(test.table, func(t *testing.T) {
			dir := copied(t, filled)
			path := filepath.Join(dir, fileName)
			data := must(os.ReadFile(path))(t)
			hit := pages[test.table]
			if len(hit) == 0 {
				t.Fatalf("no page: %v", pages)
			}
			for i, page := range hit {
				if i == len(hit)/3 || len(hit) > 8 && i == len(hit)*2/3 || test.table == "trees" {
					copy(data[(page-1)*4096:page*4096], bytes.Repeat([]byte{0xa5}, 4096))
				}
			}
			ok(t, os.WriteFile(path, data, 0o600))
			ok(t, os.WriteFile(filepath.Join(dir, suspectName), nil, 0o600))
			s, report, err := Open(t.Context(), dir, store.Options{Now: newClock().Now})
			ok(t, err)
			t.Cleanup(func() { ok(t, s.Close()) })
			if report.SetAside == "" {
				t.Fatal("it was not set aside")
			}
			open := len(must(s.OpenQuestions(t.Context(), 0, 99))(t))
			if open < test.least/2 && test.table != "opened" || report.Salvaged < open {
				t.Errorf("%d are open at once, %d told", open, report.Salvaged)
			}
			ask(t, s, "new", "") // what is asked meanwhile is behind the others
			ok(t, s.Idle(t.Context()))
			questions := must(s.OpenQuestions(t.Context(), 0, 99))(t)
			entries := must(s.History(t.Context(), store.Filter{}, 0, 99))(t).Entries
			if n := len(questions) - 1 + len(entries); n < test.least || n > asked {
				t.Errorf("%d open and %d closed of %d, want at least %d", len(questions)-1, len(entries), asked, test.least)
			}
			if last := questions[len(questions)-1].ID; last != "new" {
				t.Errorf("the last is %s", last)
			}
			for _, q := range questions[:len(questions)-1] {
				if _, err := s.Session(t.Context(), q.Session); err != nil {
					t.Errorf("%s: %v", q.Session, err)
				}
			}
			same(t, "of one agent", len(must(s.History(t.Context(), store.Filter{Agents: []string{"Roo"}}, 0, 99))(t).Entries), len(entries))
			integrity(t, s)
			if _, err := os.Stat(filepath.Join(dir, salvageName)); err == nil {
				t.Error("it is not over")
			}
		})
	}
}

// A file that was emptied costs what the write-ahead log does not have.
func TestSalvageOfTheLog(t *testing.T) {
	from, _, err := Open(t.Context(), t.TempDir(), store.Options{Now: newClock().Now})
	ok(t, err)
	ask(t, from, "q1", "")
	apply(t, from, store.Change{Outcomes: []store.Outcome{answered("q1", strings.Repeat("in the log ", 2000))}})
	ask(t, from, "q2", "")
	dir := copied(t, from.dir) // as a crash would leave it
	ok(t, from.Close())
	ok(t, os.Truncate(filepath.Join(dir, fileName), 0))
	s, report, err := Open(t.Context(), dir, store.Options{Now: newClock().Now})
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	if report.SetAside == "" {
		t.Error("it was not set aside")
	}
	same(t, "open", len(must(s.OpenQuestions(t.Context(), 0, 9))(t)), 1)
	ok(t, s.Idle(t.Context()))
	entries := must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries
	if len(entries) != 1 || entries[0].Outcome.Text != strings.Repeat("in the log ", 2000) {
		t.Errorf("got %d entries", len(entries))
	}
}
