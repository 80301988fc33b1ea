package session

import "testing"

func TestJoin(t *testing.T) {
	tests := []struct {
		name               string
		ours, theirs, want Clock
	}{
		{"both run", Clock{"a", 200}, Clock{"a", 100}, Clock{"a", 100}},
		{"ours was stopped", Clock{ID: "a"}, Clock{"a", 100}, Clock{ID: "a"}},
		{"theirs was stopped", Clock{"a", 100}, Clock{ID: "a"}, Clock{ID: "a"}},
		{"they are at the next question", Clock{"a", 100}, Clock{"b", 200}, Clock{"b", 200}},
		{"they have none", Clock{"a", 100}, Clock{}, Clock{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.ours.Join(test.theirs); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
