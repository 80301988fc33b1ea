package sqlite

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"followup/internal/store"
)

// Overwritten pages lose only their own rows. Open questions with their drafts and sessions, and the history, are restored
// from all other pages.
func TestSalvage(t *testing.T) {
	t.Parallel()
	const asked = 40
	dir, c := t.TempDir(), newClock()
	filling, _, err := openTest(t, dir, store.Options{Now: c.Now})
	ok(t, err)
	for i := range asked {
		session := fmt.Sprintf("s%d", i)
		q := store.Question{ID: fmt.Sprintf("q%d", i), Session: session, State: store.Pending, Text: strings.Repeat("long ", 150), Agent: "Roo"}
		image := store.Image{MimeType: "image/png", Data: bytes.Repeat([]byte{byte(i)}, 700)}
		apply(t, filling, store.Change{
			Sessions: []store.Session{{ID: session, Document: []byte(strings.Repeat("k", 150))}}, Questions: []store.Question{q},
			Drafts: []store.Draft{{QuestionID: q.ID, Document: []byte("half " + strings.Repeat("thought ", 40)), Images: []store.Image{image}}},
		})
		if i%2 == 0 {
			apply(t, filling, store.Change{Outcomes: []store.Outcome{answered(q.ID, fmt.Sprintf("said%d ", i)+strings.Repeat("and more ", 60))}})
		}
		if i == asked/2 {
			ok(t, filling.Idle(t.Context())) // the others stay in the inbox, including closed ones
		}
	}
	ok(t, filling.Close())
	leaves := func(file string) map[string][]int {
		pages := map[string][]int{}
		db := raw(t, dir, file)
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
		return pages
	}
	for _, test := range []struct {
		file, table string
		least       int // the minimum number of restored questions
	}{
		{inboxName, "questions", 30}, {inboxName, "outcomes", 37}, {inboxName, "sessions", asked}, {inboxName, "drafts", asked},
		{inboxName, "images", asked}, {inboxName, "trees", asked}, {inboxName, "sqlite_autoindex_questions_1", asked},
		{historyName, "entries", 37}, {historyName, "search_data", asked}, {historyName, "trees", asked}, {historyName, "facets", asked},
	} {
		t.Run(test.file+" "+test.table, func(t *testing.T) {
			hit := leaves(test.file)[test.table]
			if len(hit) == 0 {
				t.Fatalf("no page: %v", leaves(test.file))
			}
			dir := copied(t, dir)
			path := filepath.Join(dir, test.file)
			data := must(os.ReadFile(path))(t)
			for i, page := range hit {
				if i == len(hit)/3 || len(hit) > 8 && i == len(hit)*2/3 || test.table == "trees" {
					copy(data[(page-1)*4096:page*4096], bytes.Repeat([]byte{0xa5}, 4096))
				}
			}
			ok(t, os.WriteFile(path, data, 0o600))
			s, report, err := openTest(t, dir, store.Options{Now: newClock().Now, Check: true})
			ok(t, err)
			t.Cleanup(func() { ok(t, s.Close()) })
			if report.SetAside == "" {
				t.Fatal("it was not set aside")
			}
			open := len(must(s.OpenQuestions(t.Context(), 0, 99))(t))
			if open < test.least/2-3 {
				t.Errorf("%d are open immediately", open)
			}
			ask(t, s, "new", "") // new questions follow the restored ones
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
			if _, err := os.Stat(path + salvageEnding); err == nil {
				t.Error("the salvage has not ended")
			}
		})
	}
}

// An emptied file loses only what the write-ahead log does not have.
func TestSalvageOfTheLog(t *testing.T) {
	t.Parallel()
	from, _, err := openTest(t, t.TempDir(), store.Options{Now: newClock().Now})
	ok(t, err)
	ask(t, from, "q1", "")
	apply(t, from, store.Change{Outcomes: []store.Outcome{answered("q1", strings.Repeat("in the log ", 2000))}})
	ask(t, from, "q2", "")
	dir := copied(t, from.dir) // as a crash would leave it
	ok(t, from.Close())
	ok(t, os.Truncate(filepath.Join(dir, inboxName), 0))
	s, report, err := openTest(t, dir, store.Options{Now: newClock().Now})
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	if report.SetAside == "" {
		t.Error("it was not set aside")
	}
	same(t, "open", len(must(s.OpenQuestions(t.Context(), 0, 9))(t)), 1)
	entries := must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries
	if len(entries) != 1 || entries[0].Outcome.Text != strings.Repeat("in the log ", 2000) {
		t.Errorf("got %d entries", len(entries))
	}
}

// If a process is killed after setting a damaged file aside, or while reading it, the next one restores its rows.
func TestSalvageIsRepeated(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	killed, _, err := openTest(t, dir, store.Options{Now: newClock().Now})
	ok(t, err)
	ask(t, killed, "open", "")
	converse(t, killed, newClock(), "closed", "", "")
	ok(t, killed.Idle(t.Context()))
	ok(t, killed.Close())
	for _, name := range []string{inboxName, historyName} {
		path, aside := filepath.Join(dir, name), asidePrefix(name)+"x.db"
		ok(t, os.Rename(path, filepath.Join(dir, aside)))
		ok(t, os.WriteFile(path+salvageEnding, []byte(aside), 0o600))
	}
	s, _, err := openTest(t, dir, store.Options{Now: newClock().Now})
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	same(t, "open", ids(must(s.OpenQuestions(t.Context(), 0, 9))(t)), []string{"open"})
	same(t, "closed", ids(must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries), []string{"closed"})
	if left := must(filepath.Glob(filepath.Join(dir, "*"+salvageEnding)))(t); len(left) > 0 {
		t.Errorf("not read yet: %v", left)
	}
}

// If a process is killed while setting a damaged file aside, the next one also moves its log.
func TestSettingAsideIsCompleted(t *testing.T) {
	t.Parallel()
	from, _, err := openTest(t, t.TempDir(), store.Options{Now: newClock().Now})
	ok(t, err)
	ask(t, from, "in the file", "")
	ok(t, from.Idle(t.Context())) // which moves the log into the file
	ask(t, from, "in the log", "")
	dir := copied(t, from.dir)
	ok(t, from.Close())
	path, aside := filepath.Join(dir, inboxName), asidePrefix(inboxName)+"x.db"
	ok(t, os.WriteFile(path+salvageEnding, []byte(aside), 0o600))
	ok(t, os.Rename(path, filepath.Join(dir, aside)))
	s, _, err := openTest(t, dir, store.Options{Now: newClock().Now})
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	same(t, "open", ids(must(s.OpenQuestions(t.Context(), 0, 9))(t)), []string{"in the file", "in the log"})
}

// While the rows of a damaged inbox cannot be read, nothing is purged, since that would remove the file. Later the rows are
// added to the new ones.
func TestLateSalvageOfTheInbox(t *testing.T) {
	t.Parallel()
	dir, c := t.TempDir(), newClock()
	damaged, _, err := openTest(t, dir, store.Options{Now: c.Now})
	ok(t, err)
	ask(t, damaged, "old", "")
	ok(t, damaged.Close())
	path, aside := filepath.Join(dir, inboxName), filepath.Join(dir, asidePrefix(inboxName)+"x.db")
	ok(t, os.WriteFile(path+salvageEnding, []byte(filepath.Base(aside)), 0o600))
	ok(t, os.Rename(path, aside))
	obstacle := filepath.Join(aside+"-copy", "x")
	ok(t, os.MkdirAll(obstacle, 0o700))
	s, _, err := openTest(t, dir, store.Options{Now: c.Now})
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	converse(t, s, c, "closed", "", "")
	ask(t, s, "new", "")
	remove(t, s, "closed")
	c.Forward(store.Undo)
	if err := s.Idle(t.Context()); err == nil {
		t.Error("it was purged")
	}
	ok(t, os.RemoveAll(filepath.Dir(obstacle)))
	ok(t, s.Idle(t.Context()))
	same(t, "open", slices.Sorted(slices.Values(ids(must(s.OpenQuestions(t.Context(), 0, 9))(t)))), []string{"new", "old"})
}
