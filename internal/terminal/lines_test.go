package terminal

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// A terminal that disconnects sends nothing: neither an unfinished answer of several lines nor an incomplete line.
func TestIncompleteLines(t *testing.T) {
	for name, typed := range map[string]string{"several": "/more\nThe first half\n", "one": "drop the ta"} {
		item := followup("1", 1, "Which?", "a")
		lines := NewLines(Options{In: strings.NewReader(typed), Out: io.Discard, Locale: locale.English}, nil)
		if err := lines.Ask(t.Context(), &item); !errors.Is(err, errUnanswered) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Quotes from the editor are sent with an answer given by lines.
func TestLinesSendQuotes(t *testing.T) {
	for name, test := range map[string]struct{ typed, call string }{
		"a number": {"1\n", `{"question":"Which?","follow_up":[{"text":"a"}]}`},
		"words":    {"mine\n", `{"question":"Which?"}`},
	} {
		t.Run(name, func(t *testing.T) {
			e := rpctest.Connect(t, nil)
			id, _ := e.Ask(e.Session("s"), test.call)
			item := e.UntilState(id, protocol.ItemPending)
			item.Draft = &protocol.Draft{Quotes: []protocol.Quote{{Label: "src/main.go:3", Text: "x := 1"}}}
			var out strings.Builder
			lines := NewLines(Options{In: strings.NewReader(test.typed), Out: &out, Locale: locale.English}, e.Conn)
			if err := lines.Ask(t.Context(), &item); err != nil {
				t.Fatal(err)
			}
			closed := e.UntilState(id, protocol.ItemClosed)
			if diff := cmp.Diff([]string{"src/main.go:3"}, closed.Outcome.Quotes); diff != "" || !strings.Contains(out.String(), "Added from the editor: src/main.go:3") {
				t.Errorf("%s%s", out.String(), diff)
			}
		})
	}
}

// Lines answer by words, numbers and commands.
func TestLinesAnswer(t *testing.T) {
	one := `{"question":"Which?","follow_up":[{"text":"left"},{"text":"right"}]}`
	several := `{"questions":[
		{"question":"Which store?","header":"Store","options":[{"label":"A","description":"a"},{"label":"B","description":"b"}]},
		{"question":"Which checks?","header":"Checks","multiSelect":true,"options":[{"label":"C","description":"c"},{"label":"D","description":"d"}]}]}`
	for name, test := range map[string]struct {
		tool, call, typed string
		outcome           protocol.Outcome
		want, shows       string
	}{
		"a number":               {"", one, "2\n", protocol.OutcomeAnswered, "right", "Sent."},
		"a number as words":      {"", one, "=2\n", protocol.OutcomeAnswered, "2", ""},
		"too large a number":     {"", one, "3\n1\n", protocol.OutcomeAnswered, "left", "Type a number from 1 to 2."},
		"two numbers":            {"", one, "1,2\nleft\n", protocol.OutcomeAnswered, "left", "Type a number from 1 to 2."},
		"only a number":          {"", `{"question":"Which port?"}`, "8080\n", protocol.OutcomeAnswered, "8080", "Your answer, or ?: "},
		"nothing":                {"", one, "\nx\n", protocol.OutcomeAnswered, "x", "The answer is empty."},
		"several lines":          {"", one, "/more\na\n\nb\n.\n", protocol.OutcomeAnswered, "a\n\nb", ""},
		"an earlier draft":       {"", one, "/begun\n", protocol.OutcomeAnswered, "begun", "Your draft from another inbox:\n  begun"},
		"help":                   {"", one, "?\n1\n", protocol.OutcomeAnswered, "left", "/more: several lines"},
		"dismissed":              {"", one, "/dismiss\n", protocol.OutcomeDismissed, "", "Dismissed."},
		"a questionnaire":        {"AskUserQuestion", several, "2\n2,1\ny\n", protocol.OutcomeAnswered, "", "Store: Which store? — B\nChecks: Which checks? — C, D\nSubmit? y/n: "},
		"own words, and nothing": {"AskUserQuestion", several, "mine\n\ny\n", protocol.OutcomeAnswered, "", "Store: Which store? — mine\nChecks: Which checks? — skipped\n"},
		"answered again":         {"AskUserQuestion", several, "1\n1\nn\n2\n2\ny\n", protocol.OutcomeAnswered, "", "Store: Which store? — B\nChecks: Which checks? — D\n"},
		"a reply":                {"AskUserQuestion", several, "1\n/reply why so?\n", protocol.OutcomeReplied, "why so?", "Question 2 of 2"},
		"one choice of several":  {"AskUserQuestion", several, "1,2\n1\n1\ny\n", protocol.OutcomeAnswered, "", "Type a number from 1 to 2."},
	} {
		t.Run(name, func(t *testing.T) {
			e := rpctest.Connect(t, nil)
			id := rpctest.NewID()
			tool := test.tool
			if tool == "" {
				tool = "ask_followup_question"
			}
			e.AskWith(protocol.AskParams{Session: e.Session("s"), QuestionID: id, Tool: tool, Input: []byte(test.call)})
			item := e.UntilState(id, protocol.ItemPending)
			item.Draft = &protocol.Draft{Text: "begun"}
			var out strings.Builder
			err := NewLines(Options{In: strings.NewReader(test.typed), Out: &out, Locale: locale.English}, e.Conn).Ask(t.Context(), &item)
			if err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			closed := e.UntilState(id, protocol.ItemClosed)
			if o := closed.Outcome; o.Outcome != test.outcome || o.Text != test.want || !strings.Contains(out.String(), test.shows) {
				t.Errorf("%+v\n%s", o, out.String())
			}
		})
	}
}

// A line that was typed before its question was shown does not answer the question.
func TestLinesTypedTooEarly(t *testing.T) {
	lines := NewLines(Options{In: strings.NewReader(""), Out: io.Discard, Locale: locale.English}, nil)
	lines.reading = true
	lines.prompts.Add(1)
	lines.typed <- line{text: "1"}
	go func() { lines.typed <- line{text: "2", prompts: 1} }()
	if got, err := lines.wait(t.Context(), func() bool { lines.reading = true; return false }); err != nil || got != "2" {
		t.Errorf("%q, %v", got, err)
	}
}

// output collects what is printed, and can be read meanwhile.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) until(t *testing.T, part string) {
	t.Helper()
	waits.Until(t, "it prints "+part, func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return strings.Contains(o.text.String(), part)
	})
}

// Lines report other questions, before a question and while it waits for its answer. Words on a question that is closed elsewhere are
// printed, those of earlier steps too.
func TestLinesOfSeveralQuestions(t *testing.T) {
	in, typed := io.Pipe()
	var out output
	l := NewLines(Options{In: in, Out: &out, Locale: locale.English}, nil)
	first, second, third := questionnaire("1", 1), followup("2", 2, "Second?", "b"), followup("3", 3, "Third?", "c")
	l.change(protocol.InboxChange{Items: []protocol.InboxItem{first, second}})
	ended := make(chan error, 1)
	go func() { ended <- l.ask(t.Context(), l.Items["1"]) }()
	asked := time.UnixMilli(first.AskedAt).Format("15:04") // in the user's time zone
	out.until(t, "1 other question is open. /next shows another one.\nClaude · "+asked+"\nQuestion 1 of 2")
	if _, err := io.WriteString(typed, "mine\n"); err != nil {
		t.Fatal(err)
	}
	out.until(t, "Enter alone skips it: ")
	l.Changes <- protocol.InboxChange{Items: []protocol.InboxItem{third}}
	out.until(t, "\n2 other questions are open. /next shows another one.\nNumbers separated by commas, own words, or ?; Enter alone skips it: ")
	first.State, first.Outcome = protocol.ItemClosed, &protocol.ItemOutcome{Outcome: protocol.OutcomeDismissed}
	l.Changes <- protocol.InboxChange{Items: []protocol.InboxItem{first}}
	out.until(t, "This question is closed: Dismissed\nPress Enter to continue.")
	if _, err := io.WriteString(typed, "and more\n"); err != nil {
		t.Fatal(err)
	}
	out.until(t, "Your words, which were not sent:\n  mine\n  \n  and more\n")
	if err := waits.For(t, ended); err != nil {
		t.Error(err)
	}
	go func() { ended <- l.ask(t.Context(), l.next()) }()
	out.until(t, "Second?")
	if _, err := io.WriteString(typed, "/next\n"); err != nil {
		t.Fatal(err)
	}
	if err := waits.For(t, ended); err != nil || l.next().QuestionID != "3" {
		t.Errorf("%v, the next is %+v", err, l.next())
	}
}
