package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"followup/internal/question"
	"followup/internal/store"
)

// find returns the ids of the entries that match a text, newest first.
func find(t testing.TB, s store.Store, text string) []string {
	t.Helper()
	return IDs(must(s.History(t.Context(), store.Filter{Text: text}, 0, 99))(t).Entries)
}

// The history is read page by page, newest first, whatever the order of writing; each entry is on one page.
func testPages(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	for i := range 7 {
		Converse(t, s, c, fmt.Sprint(i), "", "")
	}
	old := store.Imported{Source: "log", Key: "1", Question: store.Question{Tool: "old"}, Outcome: Answered("", "")}
	old.Outcome.ClosedAt = c.Now().Add(-2500 * time.Millisecond)
	imports(t, s, "old", 1, 0, old)
	Same(t, "pages", IDs(pages(t, s, store.Filter{}, 3)), []string{"6", "5", "4", old.ID(), "3", "2", "1", "0"})
	if _, err := s.History(t.Context(), store.Filter{}, 0, 0); err == nil {
		t.Error("a page without a limit")
	}
}

// IDs finds ids by a literal prefix, and omits deleted ones.
func testIDs(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	for _, id := range []string{"ab-2", "ab-1", "ab%", "aé", "a数", "B", "ab-3"} {
		Converse(t, s, c, id, "", "")
	}
	Remove(t, s, "ab-3")
	for prefix, want := range map[string][]string{
		"": {"B", "ab%"}, "ab-": {"ab-1", "ab-2"}, "ab-1": {"ab-1"}, "ab-3": nil, "a%": nil, "ab%": {"ab%"}, "b": nil, "a数": {"a数"}, "a_": nil, "ab-12": nil,
	} {
		Same(t, "ids that begin with "+prefix, must(s.IDs(t.Context(), prefix, 2))(t), want)
	}
}

// A search finds entries with all its words, in any case, in scripts without spaces, and as symbols.
func testSearch(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	Converse(t, s, c, "cafe", "Which Café, the one at the corner?", "yes 👍🏽 of course")
	Converse(t, s, c, "deploy", "部署到生产环境吗", "好 👍")
	Converse(t, s, c, "plain", "nothing of the kind -> at all", "a+b")
	for text, want := range map[string][]string{
		"CORNER caf": {"cafe"}, "which one the": {"cafe"}, "生产": {"deploy"}, "部署到": {"deploy"}, "corner kind": nil,
		"👍": {"deploy", "cafe"}, "👍🏽": {"cafe"}, "🚀": nil, "👍 corner": {"cafe"}, "->": {"plain"}, "a+b": {"plain"}, "=>": nil,
		"": {"plain", "deploy", "cafe"}, "  ": {"plain", "deploy", "cafe"}, "corner?": {"cafe"}, "corner!": {"cafe"},
	} {
		Same(t, "found by "+text, find(t, s, text), want)
		Same(t, "counted by "+text, must(s.Count(t.Context(), store.Selection{Filter: store.Filter{Text: text}}))(t), len(want))
	}
	Same(t, "of an agent", IDs(must(s.History(t.Context(), store.Filter{Agents: []string{"Roo"}, Text: "corner"}, 0, 9))(t).Entries), []string{"cafe"})
	Same(t, "of another agent", IDs(must(s.History(t.Context(), store.Filter{Agents: []string{"None"}}, 0, 9))(t).Entries), []string{})
	Same(t, "facets", must(s.Facets(t.Context(), nil))(t), store.Facets{Agents: []string{"Roo"}, Workspaces: []string{"file:///w"}})
}

// A person who may only read some people's questions gets only these, in full pages, and sees no other agents or folders.
func testFor(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	var want []string
	for i := range 40 {
		c.Forward(time.Second)
		id, to := fmt.Sprint("q", i), "others"
		if i%13 == 0 {
			to = []string{"", "Ann", "crew"}[i/13%3]
			want = append([]string{id}, want...)
		}
		q := store.Question{ID: id, State: store.Pending, Text: "common", To: to, Agent: "agent of " + to, Workspace: "folder of " + to}
		Apply(t, s, store.Change{Questions: []store.Question{q}, Outcomes: []store.Outcome{Answered(id, "yes")}, Collected: []string{id}})
		Same(t, "open or closed", must(s.Question(t.Context(), id))(t).To, to)
	}
	ann := []string{"", "Ann", "crew"}
	for _, text := range []string{"", "common"} {
		f := store.Filter{Text: text, For: ann}
		Same(t, "for Ann, by "+text, IDs(pages(t, s, f, 3)), want)
		Same(t, "counted", must(s.Count(t.Context(), store.Selection{Filter: f}))(t), len(want))
	}
	Same(t, "named", must(s.Count(t.Context(), store.Selection{IDs: []string{"q0", "q1", "q13"}, Filter: store.Filter{For: ann}}))(t), 2)
	Same(t, "for nobody", IDs(must(s.History(t.Context(), store.Filter{For: []string{"Bob"}}, 0, 9))(t).Entries), []string{})
	Same(t, "facets", must(s.Facets(t.Context(), ann))(t), store.Facets{
		Agents: []string{"agent of ", "agent of Ann", "agent of crew"}, Workspaces: []string{"folder of ", "folder of Ann", "folder of crew"},
	})
}

// An entry is found by its kind. Deleting by kind does not delete the whole history.
func testKinds(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	for id, q := range map[string]store.Question{
		"question": {Tool: question.ToolFollowup}, "approval": {Tool: question.ToolApproval},
		"plan": {Tool: question.ToolApproval, Call: json.RawMessage(`{"payload":{"subject":{"kind":"plan","text":"x"}}}`)}, "guidance": {Guidance: json.RawMessage(`{}`)},
	} {
		q.ID, q.State, q.Text = id, store.Pending, "common"
		Apply(t, s, store.Change{Questions: []store.Question{q}, Outcomes: []store.Outcome{Answered(id, "yes")}, Collected: []string{id}})
	}
	old := store.Imported{Source: "log", Key: "1", Question: store.Question{Tool: "of another agent"}, Outcome: Answered("", "")}
	imports(t, s, "old", 1, 0, old)
	count := func(text string, kinds ...question.Kind) int {
		t.Helper()
		return must(s.Count(t.Context(), store.Selection{Filter: store.Filter{Kinds: kinds, Text: text}}))(t)
	}
	for _, kind := range []question.Kind{question.KindApproval, question.KindPlan, question.KindGuidance} {
		page := must(s.History(t.Context(), store.Filter{Kinds: []question.Kind{kind}}, 0, 9))(t)
		Same(t, "of a kind", IDs(page.Entries), []string{string(kind)})
	}
	Same(t, "questions", count("", question.KindQuestion), 2)
	Same(t, "questions by a text", count("common", question.KindQuestion), 1)
	Same(t, "two kinds", count("", question.KindApproval, question.KindQuestion), 3)
	Same(t, "another kind", count("", "x"), 0)
	must(s.Delete(t.Context(), "1", store.Selection{Filter: store.Filter{Kinds: []question.Kind{question.KindApproval}}}))(t)
	Same(t, "left", count(""), 4)
}

func testImportTwice(t *testing.T, open Place) {
	s := open(t)(NewClock().Now)
	x := store.Imported{Source: "log", Key: "1", Question: store.Question{Text: "asked"}, Outcome: Answered("", "said")}
	for i, want := range []int{1, 0} {
		Same(t, "known", must(s.Known(t.Context(), []store.Imported{x, {Source: "log", Key: "2"}}))(t), i)
		imports(t, s, "one", want, i, x)
	}
	// A shared key identifies one question in all tools' logs, and the one that was asked live.
	shared := x
	shared.Key, shared.Shared = "toolu_00000000000001", true
	imports(t, s, "shared", 1, 0, shared)
	shared.Source = "other"
	imports(t, s, "of another tool", 0, 1, shared)
	live := x
	live.Key, live.Shared = "toolu_00000000000002", true
	Ask(t, s, question.IDOfCall(live.Key), "")
	Same(t, "known live", must(s.Known(t.Context(), []store.Imported{shared, live}))(t), 2)
	imports(t, s, "asked live", 0, 1, live)
	if _, _, err := s.Import(t.Context(), []store.Imported{{Source: "log"}}); err == nil {
		t.Error("an exchange without a key")
	}
	Same(t, "found", len(find(t, s, "asked said")), 2)
}

// An import can amend the outcome of a question that was asked live: at its position in the history, found only by the new words.
// Open, deleted and other questions do not change.
func testImportAmends(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	exchange := func(n string) store.Imported {
		return store.Imported{
			Source: "log", Key: "toolu_0000000000000" + n, Shared: true, Outcome: Answered("", "said"),
			Amend: func(o store.Outcome) (store.Outcome, bool) {
				if o.Outcome != question.Withdrawn {
					return o, false
				}
				return store.Outcome{Outcome: question.Dismissed, Text: "logged", Answer: json.RawMessage(`{"was":` + string(o.Answer) + `}`)}, true
			},
		}
	}
	ids := map[string]string{}
	for _, n := range []string{"1", "2", "3", "4"} {
		ids[n] = question.IDOfCall(exchange(n).Key)
		c.Forward(time.Second)
		Ask(t, s, ids[n], "asked")
	}
	withdraw := func(n string) {
		Apply(t, s, store.Change{Outcomes: []store.Outcome{{QuestionID: ids[n], Outcome: question.Withdrawn, Text: "vanished", Answer: json.RawMessage(`1`)}}})
	}
	withdraw("1")
	Apply(t, s, store.Change{Outcomes: []store.Outcome{Answered(ids["2"], "mine")}})
	withdraw("4")
	Remove(t, s, ids["4"])
	all := []store.Imported{exchange("1"), exchange("2"), exchange("3"), exchange("4"), exchange("1")}
	Same(t, "known before", must(s.Known(t.Context(), all))(t), 3)
	imports(t, s, "amended", 1, 4, all...)
	withdraw("3") // it was open when its log was first read
	imports(t, s, "amended", 1, 4, all...)
	imports(t, s, "amended again", 0, 5, all...)
	page := must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries
	Same(t, "history", IDs(page), []string{ids["3"], ids["2"], ids["1"]})
	for _, q := range page {
		want := store.Outcome{Outcome: question.Dismissed, Text: "logged", Answer: json.RawMessage(`{"was":1}`)}
		if q.ID == ids["2"] {
			want = Answered("", "mine")
		}
		if o := q.Outcome; o.Outcome != want.Outcome || o.Text != want.Text || o.Provenance != want.Provenance || string(o.Answer) != string(want.Answer) {
			t.Errorf("%s ended as %+v", q.ID, o)
		}
	}
	Same(t, "found by the log's words", find(t, s, "logged"), []string{ids["3"], ids["1"]})
	Same(t, "found by the live words", find(t, s, "vanished"), []string{})
	Same(t, "found by the question", len(find(t, s, "asked")), 3)
}

// An export emits the whole selection, and stops at the error of emit.
func testExport(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	for _, id := range []string{"a", "b", "c"} {
		Converse(t, s, c, id, "asked", "")
	}
	Ask(t, s, "image", "")
	Apply(t, s, store.Change{Outcomes: []store.Outcome{{QuestionID: "image", Outcome: question.Answered, Images: []question.Image{PNG}}}})
	var got []store.Question
	take := func(q store.Question) error {
		got = append(got, q)
		return nil
	}
	ok(t, s.Export(t.Context(), store.Selection{}, take))
	Same(t, "all", IDs(got), []string{"image", "c", "b", "a"})
	Same(t, "images", got[0].Outcome.Images, []question.Image{PNG})
	got = nil
	ok(t, s.Export(t.Context(), store.Selection{IDs: []string{"a", "unknown", "c", "a"}}, take))
	Same(t, "some", IDs(got), []string{"c", "a"})
	enough := errors.New("enough")
	if err := s.Export(t.Context(), store.Selection{}, func(store.Question) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
}

// Everything that matches a filter is counted, deleted and restored together.
func testDeleteByFilter(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	for i := range 100 {
		Converse(t, s, c, fmt.Sprint(i), []string{"odd", "even"}[(i+1)%2], "")
	}
	ok(t, s.Idle(t.Context())) // reads do not wait for a slow mover
	even := store.Selection{Filter: store.Filter{Text: "even"}}
	Same(t, "counted", must(s.Count(t.Context(), even))(t), 50)
	done := must(s.Delete(t.Context(), "2", even))(t)
	Same(t, "deleted", done.Count, 50)
	Same(t, "left", must(s.Count(t.Context(), store.Selection{}))(t), 50)
	Same(t, "restored", must(s.Restore(t.Context(), done.ID))(t), 50)
	Same(t, "restored again", must(s.Restore(t.Context(), done.ID))(t), 50)
	Same(t, "all", must(s.Count(t.Context(), store.Selection{}))(t), 100)
	must(s.Delete(t.Context(), "3", store.Selection{}))(t)
	c.Forward(store.Undo)
	Same(t, "purged", must(s.Purge(t.Context()))(t), 100)
}

func testUseAfterClose(t *testing.T, open Place) {
	s := open(t)(NewClock().Now)
	ok(t, s.Close())
	ok(t, s.Close())
	if _, err := s.Commit(t.Context(), nil); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Commit: %v", err)
	}
	if _, err := s.OpenQuestions(t.Context(), 0, 1); !errors.Is(err, store.ErrClosed) {
		t.Errorf("OpenQuestions: %v", err)
	}
}

// The document of an outcome is amended before and after the move to the history. Open, deleted and unknown questions have none.
func testAmend(t *testing.T, open Place) {
	c := NewClock()
	s := open(t)(c.Now)
	for _, id := range []string{"inbox", "history", "open", "deleted"} {
		Ask(t, s, id, "asked")
	}
	ended := func(id string) store.Outcome {
		return store.Outcome{QuestionID: id, Outcome: question.Denied, Text: "said", Answer: json.RawMessage(`1`)}
	}
	Apply(t, s, store.Change{Outcomes: []store.Outcome{ended("history"), ended("deleted")}})
	Remove(t, s, "deleted")
	if err := s.Idle(t.Context()); err != nil {
		t.Fatal(err)
	}
	Apply(t, s, store.Change{Outcomes: []store.Outcome{ended("inbox")}})
	amend := func(answer json.RawMessage) (json.RawMessage, bool) {
		return json.RawMessage(`2`), string(answer) == "1"
	}
	for id, want := range map[string]error{"inbox": nil, "history": nil, "open": store.ErrNotFound, "deleted": store.ErrNotFound, "unknown": store.ErrNotFound} {
		for range 2 {
			if err := s.Amend(t.Context(), id, amend); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", id, err, want)
			}
		}
	}
	check := func() {
		t.Helper()
		for _, id := range []string{"inbox", "history"} {
			if o := must(s.Question(t.Context(), id))(t).Outcome; string(o.Answer) != "2" || o.Outcome != question.Denied {
				t.Errorf("%s ended as %+v", id, o)
			}
		}
	}
	check()
	if err := s.Idle(t.Context()); err != nil {
		t.Fatal(err)
	}
	check()
	Same(t, "found", find(t, s, "said"), []string{"inbox", "history"})
}
