package dialect

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The questions have the forms that agents' hooks and logs contain.
func TestReadAsked(t *testing.T) {
	yes := []AskedOption{{Label: "Yes"}, {Label: "No"}}
	for name, test := range map[string]struct {
		input string
		want  []Asked
	}{
		"Claude Code":         {`{"questions":[{"question":"Q?","header":"H","options":[{"label":"A","description":"a","preview":"p"}],"multiSelect":true}]}`, []Asked{{Question: "Q?", Header: "H", Multi: true, Options: []AskedOption{{Label: "A", Description: "a", Preview: "p"}}}}},
		"Codex":               {`{"questions":[{"id":"q","question":"Q?","options":null}]}`, []Asked{{ID: "q", Question: "Q?"}}},
		"Gemini CLI":          {`{"questions":[{"question":"Q?","type":"yesno","options":[{"label":"A"}]},{"question":"R?","type":"text","options":[{"label":"A"}]}]}`, []Asked{{Question: "Q?", Options: yes}, {Question: "R?"}}},
		"opencode":            {`{"id":"que_1","sessionID":"s","questions":[{"question":"Q?","multiple":true}]}`, []Asked{{Question: "Q?", Multi: true}}},
		"Copilot CLI":         {`{"question":"Q?","choices":["A","B"],"allow_freeform":true}`, []Asked{{Question: "Q?", Options: []AskedOption{{Label: "A"}, {Label: "B"}}}}},
		"Cline":               {`{"question":"Q?","options":["A"]}`, []Asked{{Question: "Q?", Options: []AskedOption{{Label: "A"}}}}},
		"a secret":            {`{"questions":[{"question":"Q?"},{"question":"Key?","isSecret":true}]}`, nil},
		"options of any type": {`{"questions":[{"question":"Q?","options":[5,{"label":7,"description":"d"},"A",null]}]}`, []Asked{{Question: "Q?", Options: []AskedOption{{}, {Description: "d"}, {Label: "A"}, {}}}}},
		"no questions":        {`{"questions":[]}`, nil},
		"another call":        {`{"command":"ls"}`, nil},
	} {
		got, err := ReadAsked([]byte(test.input))
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	for _, input := range []string{"", "[]", `{"questions":5}`, `{"questions":[{"question":7}]}`, `{"questions":[`} {
		if _, err := ReadAsked([]byte(input)); err == nil {
			t.Errorf("%q has no error", input)
		}
	}
}
