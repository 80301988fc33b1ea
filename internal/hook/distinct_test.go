package hook

import (
	"encoding/json"
	"testing"
)

func TestDistinct(t *testing.T) {
	for name, test := range map[string]struct{ input, want string }{
		"nothing twice": {`{"questions": [{"question":"A?","options":[{"label":"X"},{"label":"Y"}]}]}`, ""},
		"labels with descriptions": {
			`{"questions":[{"question":"A?","options":[{"label":"X","description":"one"},{"label":"Y"},{"label":"X","description":"two","preview":"p"}]}],"more":1}`,
			`{"more":1,"questions":[{"options":[{"description":"one","label":"X: one"},{"label":"Y"},{"description":"two","label":"X: two","preview":"p"}],"question":"A?"}]}`,
		},
		"equal options": {
			`{"questions":[{"question":"A?","options":[{"label":"X","description":"d"},{"label":"X","description":"d"},{"label":"X: d (2)"}]}]}`,
			`{"questions":[{"options":[{"description":"d","label":"X: d"},{"description":"d","label":"X: d (3)"},{"label":"X: d (2)"}],"question":"A?"}]}`,
		},
		"questions": {
			`{"questions":[{"question":"A?","options":[]},{"question":"A?","options":[]}]}`,
			`{"questions":[{"options":[],"question":"A?"},{"options":[],"question":"A? (2)"}]}`,
		},
		"other forms": {`{"questions":[{"question":7,"options":["X","X"]},{"question":7}]}`, ""},
		"no JSON":     {`{"questions":`, ""},
	} {
		want := test.want
		if want == "" {
			want = test.input
		}
		if got := string(distinct(json.RawMessage(test.input))); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
