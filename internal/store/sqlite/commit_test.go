package sqlite

import (
	"testing"

	"followup/internal/store"
)

// Changes that are committed together are one transaction; what is refused is none.
func TestOneTransaction(t *testing.T) {
	s, _ := fresh(t)
	late := store.Change{Outcomes: []store.Outcome{answered("unknown", "late")}}
	wrote := s.wrote.Load()
	for _, test := range []struct {
		changes []store.Change
		want    int64
	}{
		{[]store.Change{{Sessions: []store.Session{{ID: "a"}}}, late, {Sessions: []store.Session{{ID: "b"}}}}, 1},
		{[]store.Change{late, late}, 0},
		{[]store.Change{late}, 0},
	} {
		must(s.Commit(t.Context(), test.changes))(t)
		if got := s.wrote.Load() - wrote; got != test.want {
			t.Errorf("%d transactions, want %d", got, test.want)
		}
		wrote = s.wrote.Load()
	}
}
