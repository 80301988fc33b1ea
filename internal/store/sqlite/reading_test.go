package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"followup/internal/question"
	"followup/internal/store"
)

// footprint is what can be seen of a folder from outside.
func footprint(t *testing.T, dir string) (all []string) {
	t.Helper()
	for _, entry := range must(os.ReadDir(dir))(t) {
		info := must(entry.Info())(t)
		all = append(all, fmt.Sprint(entry.Name(), info.Mode(), info.Size(), info.ModTime()))
	}
	info := must(os.Stat(dir))(t)
	return append(all, fmt.Sprint(info.Mode(), info.ModTime()))
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o600)
}

func reading(t *testing.T, dir string) *Reading {
	t.Helper()
	r := must(OpenReading(t.Context(), dir))(t)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// A reading gives what the store gives, also of what is not indexed yet, and leaves no trace.
func TestReading(t *testing.T) {
	s, c := fresh(t)
	for i := range 7 {
		converse(t, s, c, fmt.Sprint("q", i), fmt.Sprint("Which corner café ", i), "said 数据库")
	}
	filters := []store.Filter{
		{}, {Text: "corner"}, {Text: "cafe 3"}, {Text: "据库"}, {Text: "corn"}, {Text: "nothing"}, {Agents: []string{"Nobody"}, Text: "corner"},
		{Outcomes: []question.Outcome{question.Answered}}, {Text: "Which said"},
	}
	compare := func(name string, r *Reading) {
		t.Helper()
		for _, f := range filters {
			want := must(s.History(t.Context(), f, 0, 99))(t)
			for _, limit := range []int{1, 3, 99} {
				var got []string
				for before := store.Key(0); ; {
					page := must(r.History(t.Context(), f, before, limit))(t)
					got = append(got, ids(page.Entries)...)
					if before = page.Next; before == 0 {
						break
					}
				}
				same(t, fmt.Sprint(name, f, limit), got, ids(want.Entries))
			}
		}
	}
	before := footprint(t, s.dir)
	for _, f := range filters[1:] { // before the store indexes what is new
		r := reading(t, s.dir)
		page := must(r.History(t.Context(), f, 0, 99))(t)
		if f.Text == "cafe 3" && len(page.Entries) != 1 || f.Text == "corner" && f.Agents == nil && len(page.Entries) != 7 {
			t.Errorf("%v of what is not indexed: %v", f, ids(page.Entries))
		}
	}
	same(t, "traces while it is open", footprint(t, s.dir), before)
	compare("open", reading(t, s.dir))
	converse(t, s, c, "new", "Which corner, and newer", "said")
	r := reading(t, s.dir)
	same(t, "half of it indexed", ids(must(r.History(t.Context(), store.Filter{Text: "corner"}, 0, 2))(t).Entries), []string{"new", "q6"})
	var exported []string
	if err := r.Export(t.Context(), store.Selection{Filter: store.Filter{Text: "corner"}}, func(q store.Question) error {
		exported = append(exported, q.ID)
		return nil
	}); err != nil || len(exported) != 8 {
		t.Errorf("exported %v, %v", exported, err)
	}
}

// A store that nobody has open is read without the files that SQLite would make beside it; one that was left open by a crash, or by an
// earlier version, too.
func TestReadingWhatIsClosed(t *testing.T) {
	s, c := fresh(t)
	converse(t, s, c, "one", "Which corner?", "said")
	crashed := t.TempDir()
	for _, ending := range []string{"", "-wal"} {
		if err := copyFile(filepath.Join(s.dir, fileName+ending), filepath.Join(crashed, fileName+ending)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	emptied := t.TempDir()
	ok(t, errors.Join(
		copyFile(filepath.Join(s.dir, fileName), filepath.Join(emptied, fileName)), os.WriteFile(filepath.Join(emptied, fileName+"-wal"), nil, 0o600)))
	for name, dir := range map[string]string{"closed": s.dir, "crashed": crashed, "with an empty log": emptied} {
		before := footprint(t, dir)
		r := must(OpenReading(t.Context(), dir))(t)
		same(t, name, ids(must(r.History(t.Context(), store.Filter{Text: "corner"}, 0, 9))(t).Entries), []string{"one"})
		same(t, "traces of "+name, footprint(t, dir), before)
		ok(t, r.Close())
		same(t, "traces of "+name+" when it is closed", footprint(t, dir), before)
	}
	if _, err := OpenReading(t.Context(), t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("where there is none: %v", err)
	}
	if _, err := OpenReading(t.Context(), filepath.Join(s.dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("where there is no folder: %v", err)
	}
}

// Neither a lock of the store's nor damage makes a reading do anything.
func TestReadingChangesNothing(t *testing.T) {
	s, c := fresh(t)
	converse(t, s, c, "one", "Which corner?", "said")
	lock := must(acquire(t.Context(), filepath.Join(s.dir, openingName), true))(t)
	same(t, "beside a lock", ids(must(reading(t, s.dir).History(t.Context(), store.Filter{}, 0, 9))(t).Entries), []string{"one"})
	if err := errors.Join(lock.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.dir, fileName)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	same(t, "with another mode", len(must(reading(t, s.dir).History(t.Context(), store.Filter{}, 0, 9))(t).Entries), 1)
	same(t, "its mode", must(os.Stat(path))(t).Mode().Perm(), fs.FileMode(0o644))
	if err := os.WriteFile(path, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := footprint(t, s.dir)
	if _, err := OpenReading(t.Context(), s.dir); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("damaged: %v", err)
	}
	same(t, "traces of damage", footprint(t, s.dir), before)
}
