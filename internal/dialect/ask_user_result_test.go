package dialect

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"followup/internal/locale"
	"followup/internal/question"

	"github.com/google/go-cmp/cmp"
)

// viewerPattern is the pattern by which log viewers find questions and answers in a result.
var viewerPattern = regexp.MustCompile(`"([^"]+)"="([^"]*)"`)

type pair struct{ Question, Answer string }

func viewerPairs(text string) (pairs []pair) {
	for _, match := range viewerPattern.FindAllStringSubmatch(text, -1) {
		pairs = append(pairs, pair{match[1], match[2]})
	}
	return pairs
}

func dinner() *question.Questionnaire {
	return &question.Questionnaire{Questions: []question.Question{
		{Question: "Which store?", Options: []question.Option{{Label: "Redis (Recommended)", Preview: "+--+\n|  |\n+--+"}, {Label: "Disk"}}},
		{Question: "Which checks?", MultiSelect: true, Options: []question.Option{
			{Label: "Lint"}, {Label: "Unit, slow", Preview: `run "all"="now"`}, {Label: "Scan", Preview: "s"},
		}},
		{Question: "Say \"go\"\nor \"no\"?", Options: []question.Option{{Label: `"go"`}, {Label: "no"}}},
		{Question: "When?", Options: []question.Option{{Label: "now"}, {Label: "later"}}},
	}}
}

func TestAnsweredText(t *testing.T) {
	picks := []question.Pick{
		{Options: []int{0}, Notes: "only\nfor \"now\"=\"so\""},
		{Options: []int{0, 1}, Other: "all, of them"},
		{Options: []int{0}},
		{Notes: "no idea"},
	}
	want := map[locale.Tag]string{
		locale.English: `The user has answered:
"Which store?"="Redis (Recommended)"
  Preview of “Redis (Recommended)”:
    +--+
    |  |
    +--+
  The user's note: only
  for ”now”=”so”
"Which checks?"="Lint, 'Unit, slow', 'all, of them'"
  Preview of “Unit, slow”:
    run ”all”=”now”
"Say ”go”
or ”no”?"="”go”"
Left unanswered: “When?”
  The user's note: no idea`,
		locale.French: `L'utilisateur a répondu :
"Which store?"="Redis (Recommended)"
  Aperçu de « Redis (Recommended) » :
    +--+
    |  |
    +--+
  Remarque de l'utilisateur : only
  for ”now”=”so”
"Which checks?"="Lint, 'Unit, slow', 'all, of them'"
  Aperçu de « Unit, slow » :
    run ”all”=”now”
"Say ”go”
or ”no”?"="”go”"
Restée sans réponse : « When? »
  Remarque de l'utilisateur : no idea`,
	}
	for tag, text := range want {
		if diff := cmp.Diff(text, AnsweredText(tag, dinner(), picks, false)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tag, diff)
		}
	}
	pairs := []pair{
		{"Which store?", "Redis (Recommended)"},
		{"Which checks?", "Lint, 'Unit, slow', 'all, of them'"},
		{"Say ”go”\nor ”no”?", "”go”"},
	}
	for _, tag := range locale.Tags {
		if diff := cmp.Diff(pairs, viewerPairs(AnsweredText(tag, dinner(), picks, false))); diff != "" {
			t.Errorf("%s: pairs found by a viewer (-want +got):\n%s", tag, diff)
		}
	}
}

func TestNothingAnswered(t *testing.T) {
	q := dinner()
	q.Questions = q.Questions[3:]
	want := "The user has answered none of the questions.\nLeft unanswered: “When?”\n  The user's note: n"
	if got := AnsweredText(locale.English, q, []question.Pick{{Notes: "n"}}, false); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want = "The user has answered none of the questions.\nLeft unanswered: “When?”"
	if got := AnsweredText(locale.English, q, nil, false); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRepliedText(t *testing.T) {
	words := "I \"mean\"=\"it\"\n</answer> "
	picks := []question.Pick{{}, {Options: []int{0}}, {}, {Notes: "soon"}}
	tests := []struct {
		name, tag, words, want string
		picks                  []question.Pick
	}{
		{"only words", "answer", words, "Instead of answering the questions, the user wrote back about them.\n<answer>\n" + words + "\n</answer>", nil},
		{"words and picks", "user_message", words, `Instead of answering all of the questions, the user wrote back about them. What was chosen until then:
"Which checks?"="Lint"
Left unanswered: “When?”
  The user's note: soon
<user_message>
` + words + "\n</user_message>", picks},
		{"only an image", "answer", " \n", "Instead of answering the questions, the user wrote back about them.", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := RepliedText(locale.English, test.tag, dinner(), test.picks, test.words)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestValues(t *testing.T) {
	q := dinner()
	q.Questions[1].Options[0].Preview = "first"
	answers, annotations := Values(q, []question.Pick{
		{Other: ` my "own" `}, {Options: []int{0, 1}, Other: "more", Notes: "n"}, {Options: []int{1}}, {Notes: "left"},
	})
	wantAnswers := map[string]any{
		"Which store?": ` my "own" `, "Which checks?": []string{"Lint", "Unit, slow", "more"}, "Say \"go\"\nor \"no\"?": "no",
	}
	wantAnnotations := map[string]question.Annotation{
		"Which checks?": {Notes: "n", Preview: "first\n\nrun \"all\"=\"now\""}, "When?": {Notes: "left", Skipped: true},
	}
	if diff := cmp.Diff(wantAnswers, answers); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantAnnotations, annotations); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
	answers, _ = Values(q, []question.Pick{{}, {Options: []int{2}}})
	if diff := cmp.Diff(map[string]any{"Which checks?": []string{"Scan"}}, answers); diff != "" {
		t.Errorf("one of several (-want +got):\n%s", diff)
	}
}

// FuzzInALog checks that a log viewer finds exactly the answered questions in a result, in order, before the user's
// reply.
func FuzzInALog(f *testing.F) {
	f.Add(`Is "a"="b"?`, `B"`, `"c", d`, "own\nwords", `note "x"="y"`, `pre"="view`, `reply "x"="y`, uint8(0b111111))
	f.Add("A, b?", "=", `="`, `"="`, `"`, `"a"="b"`, `"`, uint8(0b101101))
	f.Fuzz(func(t *testing.T, text, label, second, other, notes, preview, words string, chosen uint8) {
		bit := func(n int) bool { return chosen>>n&1 == 1 }
		options := []question.Option{{Label: label, Preview: preview}, {Label: second}}
		q := &question.Questionnaire{Questions: []question.Question{
			{Question: text, Options: options}, {Question: "And " + text, Options: options, MultiSelect: true},
		}}
		if text == "" || label == "" || second == "" {
			return
		}
		var picks [2]question.Pick
		if bit(0) {
			picks[0].Options = []int{0}
		} else if bit(1) {
			picks[0].Other = other
		}
		if bit(2) {
			picks[1].Options = append(picks[1].Options, 0)
		}
		if bit(3) {
			picks[1].Options = append(picks[1].Options, 1)
		}
		if bit(4) {
			picks[1].Other = other
		}
		if bit(5) {
			picks[0].Notes, picks[1].Notes = notes, notes
		}
		got, code := q.Resolve(picks[:], question.Attachments{})
		if code != "" {
			return
		}
		want := wantedPairs(q, got.Picks)
		for _, tag := range locale.Tags {
			if diff := cmp.Diff(want, viewerPairs(AnsweredText(tag, q, got.Picks, false))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tag, diff)
			}
			replied := RepliedText(tag, "answer", q, got.Picks, words)
			found := viewerPairs(replied)
			if len(found) < len(want) || !slices.Equal(found[:len(want)], want) {
				t.Errorf("%s: reply: got pairs %q, want first %q", tag, found, want)
			}
			if trim(words) != "" && !strings.HasSuffix(replied, Result("answer", words)) {
				t.Errorf("%s: %q does not end with the user's words", tag, replied)
			}
		}
		checkValues(t, q, got.Picks)
	})
}

func wantedPairs(q *question.Questionnaire, picks []question.Pick) (pairs []pair) {
	for i, pick := range picks {
		var items []string
		for _, option := range pick.Options {
			items = append(items, q.Questions[i].Options[option].Label)
		}
		if pick.Other != "" {
			items = append(items, pick.Other)
		}
		for j, item := range items {
			if q.Questions[i].MultiSelect && strings.Contains(item, ", ") {
				items[j] = "'" + item + "'"
			}
		}
		if items != nil {
			typographic := strings.NewReplacer(`"`, "”").Replace
			pairs = append(pairs, pair{typographic(q.Questions[i].Question), typographic(strings.Join(items, ", "))})
		}
	}
	return pairs
}

// checkValues checks that Values can be encoded as JSON, and that each question is either answered or skipped.
func checkValues(t *testing.T, q *question.Questionnaire, picks []question.Pick) {
	t.Helper()
	answers, annotations := Values(q, picks)
	for i, asked := range q.Questions {
		if _, answered := answers[asked.Question]; answered == annotations[asked.Question].Skipped || answered != picks[i].Answered() {
			t.Errorf("%q: answered %v, annotation %+v, pick %+v", asked.Question, answered, annotations[asked.Question], picks[i])
		}
	}
	b, err := json.Marshal(map[string]any{"answers": answers, "annotations": annotations})
	if err != nil || len(b) == 0 {
		t.Error(err)
	}
}
