package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/question"
)

func TestRestore(t *testing.T) {
	tests := []struct {
		name    string
		kept    Kept
		to      string
		effects []Effect
	}{
		{"nothing", Kept{}, "0", nil},
		{"unchanged", Kept{Mistakes: 2, Open: []Open{{ID: "a", Phase: Pending}, {ID: "b", Phase: Queued}, {ID: "c", Phase: Streaming}}}, "2 a:pending b:queued c:streaming", nil},
		{"a stalled queue", Kept{Open: []Open{{ID: "a", Phase: Streaming}, {ID: "b", Phase: Queued}, {ID: "c", Phase: Queued}}}, "0 a:streaming b:pending c:queued", []Effect{Moved{"b", Pending}}},
		{"two pending questions", Kept{Open: []Open{{ID: "a", Phase: Pending, Left: true}, {ID: "b", Phase: Pending}}}, "0 a:left pending b:pending", nil},
		{"all were left", Kept{Open: []Open{{ID: "a", Phase: Pending, Left: true}, {ID: "b", Phase: Queued, Left: true}}}, "0 a:left pending b:left queued", nil},
		{"guidance", Kept{Mistakes: 3, Guidance: []string{"g"}, Held: []string{"x"}}, "3 g:guidance for x", []Effect{Held{"x", "g"}}},
		{"the guidance has ended", Kept{Held: []string{"x", "y"}}, "0", []Effect{Ended{"x", question.Invalid}, Ended{"y", question.Invalid}}},
		{"two requests for guidance", Kept{Guidance: []string{"g", "h"}, Held: []string{"x"}}, "0 g:guidance for x", []Effect{Ended{"h", question.Withdrawn}, Held{"x", "g"}}},
		{"a running clock", Kept{Open: []Open{{ID: "a", Phase: Pending}}, Clock: Clock{"a", 100}}, "0 a:pending clock a 100", []Effect{Clocked{"a", 100}}},
		{"a stopped clock", Kept{Open: []Open{{ID: "a", Phase: Pending}}, Clock: Clock{ID: "a"}}, "0 a:pending clock a 0", []Effect{Clocked{"a", 0}}},
		{"the clock of a closed question", Kept{Open: []Open{{ID: "b", Phase: Queued}}, Clock: Clock{"a", 100}}, "0 b:pending", []Effect{Moved{"b", Pending}}},
		{"an invalid count", Kept{Mistakes: -1}, "0", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			state, effects := Restore(test.kept)
			if got := describe(state); got != test.to {
				t.Errorf("got %s, want %s", got, test.to)
			}
			if diff := cmp.Diff(test.effects, effects); diff != "" {
				t.Errorf("effects (-want +got):\n%s", diff)
			}
		})
	}
}
