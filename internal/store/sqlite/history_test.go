package sqlite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/sqlstore"
	"followup/internal/waits"
)

// find returns the ids of the newest entries that match a text.
func find(t testing.TB, s testStore, text string) []string {
	t.Helper()
	return ids(must(s.History(t.Context(), store.Filter{Text: text}, 0, 100))(t).Entries)
}

func TestSearch(t *testing.T) {
	t.Parallel()
	texts := map[string][2]string{ // id: asked, said
		"port":    {"Which port should the server listen on?", "8080, please"},
		"deploy":  {"Deploy to production now?", "No, wait for the CAFÉ to open"},
		"chinese": {"要把服务部署到生产环境吗？", "先部署到测试环境"},
		"mixed":   {"用 Docker 部署 v2.1 吗?", "好"},
		"quoted":  {`He said "NOT now" AND (maybe) col:val*`, `it's -1 ^ {x} O'Brien`},
		"camel":   {"Rename getUserName to user_name?", "configuration configurable reconfigure"},
		"japan":   {"テーブル名を変更しますか", "はい、サーバーで"},
		"korean":  {"데이터베이스를 삭제할까요?", "아니요"},
		"wide":    {"Ｆｕｌｌ　ｗｉｄｔｈ ﬁle", "Ångström naïve Straße ΑΒΓ İstanbul"},
	}
	order := []string{"port", "deploy", "chinese", "mixed", "quoted", "camel", "japan", "korean", "wide"}
	s, c := fresh(t)
	for _, id := range order {
		converse(t, s, c, id, texts[id][0], texts[id][1])
	}
	tests := []struct {
		text string
		want string // newest first
	}{
		{"port", "port"},
		{"PORT server", "port"},
		{"server port", "port"},
		{"port production", ""},
		{"por", "port"},
		{"por ", ""},
		{"port ", "port"},
		{"p", "deploy port"},
		{"808", "port"},
		{"cafe", "deploy"},
		{"CAFÉ", "deploy"},
		{"cafe\u0301", "deploy"},
		{"configu", "camel"},
		{"configur", "camel"},
		{"configurations", ""},
		{"configuration", "camel"},
		{"figuration", ""},
		{"user_name", "camel"},
		{"getuser", "camel"},
		{"部署", "mixed chinese"},
		{"部", "mixed chinese"},
		{"署", "mixed chinese"},
		{"部署到", "chinese"},
		{"部署到生产", "chinese"},
		{"生产 测试", "chinese"},
		{"署部", ""},
		{"产测", ""},
		{"署到测", "chinese"},
		{"到生到测", ""}, // its pairs occur, but not the whole
		{"docker 部署", "mixed"},
		{"部署 v2.1", "mixed"},
		{"好", "mixed"},
		{"テーブル", "japan"},
		{"サーバー", "japan"},
		{"データ", ""},
		{"데이터", "korean"},
		{"삭제", "korean"},
		{"full width file", "wide"},
		{"angstrom NAIVE istanbul", "wide"},
		{"αβγ", "wide"},
		{`"NOT now"`, "quoted"},
		{`not`, "quoted"},
		{`NOT port`, ""},
		{`port OR deploy`, ""},
		{`port NEAR deploy`, ""},
		{`"`, "quoted"},
		{`*`, "quoted"},
		{`( - ^ : ' "" `, ""},
		{`col:val`, "quoted"},
		{`tokens:port`, ""},
		{`-port`, "port"},
		{`^port`, "port"},
		{`port*`, "port"},
		{`(port`, "port"},
		{`port"`, "port"},
		{`port\`, "port"},
		{"port\x00server", "port"},
		{"port\xff", "port"},
		{"o'brien", "quoted"},
		{strings.Repeat("port ", 1000), "port"},
		{strings.Repeat("x", 100_000), ""},
		{strings.Repeat("部署", 1000), ""},
	}
	for _, test := range tests {
		name := test.text
		if len(name) > 40 {
			name = name[:10] + "…"
		}
		t.Run(name, func(t *testing.T) {
			same(t, "found", find(t, s, test.text), strings.Fields(test.want))
		})
	}
}

// A prefix of very many long words is found.
func TestSearchManyWordsWithOnePrefix(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	for i := range 3 {
		var text strings.Builder
		for n := range 128 {
			fmt.Fprintf(&text, "question%d%04d ", i, n)
		}
		converse(t, s, c, fmt.Sprint(i), text.String(), "")
	}
	converse(t, s, c, "other", "questing", "")
	for text, want := range map[string]string{
		"question": "2 1 0", "questio": "2 1 0", "questi": "other 2 1 0", "question1": "1", "question10": "1", "question100": "1",
		"question10001": "1", "question3": "", "question2 question1": "",
	} {
		same(t, text, find(t, s, text), strings.Fields(want))
	}
}

func TestHistoryPages(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	var want []string
	for i := range 25 { // in pairs of the same millisecond
		id := fmt.Sprintf("q%02d", i)
		if i%2 == 0 {
			c.Forward(time.Second)
		}
		ask(t, s, id, "common")
		apply(t, s, store.Change{Outcomes: []store.Outcome{answered(id, "")}})
		want = append([]string{id}, want...)
	}
	ask(t, s, "open", "common")
	ask(t, s, "never", "common")
	apply(t, s, store.Change{Outcomes: []store.Outcome{{QuestionID: "never", Outcome: question.Invalid}}})
	for _, f := range []store.Filter{{}, {Text: "common"}, {Agents: []string{"Roo"}}} {
		for _, limit := range []int{1, 4, 5, 25, 26} {
			var got []string
			for before := store.Key(0); ; {
				page := must(s.History(t.Context(), f, before, limit))(t)
				if len(page.Entries) > limit {
					t.Fatalf("%d entries, limit %d", len(page.Entries), limit)
				}
				got = append(got, ids(page.Entries)...)
				if before = page.Next; before == 0 {
					break
				}
			}
			same(t, fmt.Sprintf("%+v, %d at a time", f, limit), got, want)
		}
	}
	if _, err := s.History(t.Context(), store.Filter{}, 0, 0); err == nil {
		t.Error("a page without a limit")
	}
}

// A search that needs the texts reads a limited number of entries per page, and continues on the next page: nothing is
// missing or repeated.
func TestLongSearchesArePaged(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	s.MostLookedAt = 10
	var want []string
	for i := range 45 {
		id, text := fmt.Sprintf("q%02d", i), "plain"
		if i%20 == 3 {
			text, want = "👍", append([]string{id}, want...)
		}
		converse(t, s, c, id, text, "")
	}
	var got []string
	pages := 0
	for before := store.Key(0); ; pages++ {
		page := must(s.History(t.Context(), store.Filter{Text: "👍"}, before, 5))(t)
		got = append(got, ids(page.Entries)...)
		if before = page.Next; before == 0 {
			break
		}
	}
	same(t, "found", got, want)
	if pages != 4 {
		t.Errorf("%d pages", pages)
	}
}

func TestHistoryFilters(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	start := c.Now()
	add := func(id, agent, workspace, text string, outcome question.Outcome) {
		c.Forward(time.Minute)
		apply(t, s, store.Change{
			Questions: []store.Question{{ID: id, State: store.Pending, Agent: agent, Workspace: workspace, Text: text}},
			Outcomes:  []store.Outcome{{QuestionID: id, Outcome: outcome}},
		})
	}
	add("1", "Roo", "/a", "alpha", question.Answered)
	add("2", "Kilo", "/a", "beta", question.Dismissed)
	add("3", "Roo", "/b", "alpha beta", question.Withdrawn)
	add("4", "Roo", "", "gamma", question.Invalid)
	add("5", `o"brien*`, "/a", "alpha", question.Answered)
	tests := []struct {
		name string
		f    store.Filter
		want string
	}{
		{"nothing", store.Filter{}, "5 3 2 1"},
		{"agent", store.Filter{Agents: []string{"Roo"}}, "3 1"},
		{"agents", store.Filter{Agents: []string{"Roo", "Kilo"}}, "3 2 1"},
		{"agent with operators in its name", store.Filter{Agents: []string{`o"brien*`}}, "5"},
		{"an agent's prefix", store.Filter{Agents: []string{"Ro"}}, ""},
		{"an agent's name is not searched", store.Filter{Text: "Roo"}, ""},
		{"workspace", store.Filter{Workspaces: []string{"/a"}}, "5 2 1"},
		{"outcome", store.Filter{Outcomes: []question.Outcome{question.Answered}}, "5 1"},
		{"invalid on request", store.Filter{Outcomes: []question.Outcome{question.Invalid, question.Dismissed}}, "4 2"},
		{"two kinds", store.Filter{Agents: []string{"Roo"}, Workspaces: []string{"/a"}}, "1"},
		{"with text", store.Filter{Agents: []string{"Roo"}, Text: "bet"}, "3"},
		{"from", store.Filter{From: start.Add(3 * time.Minute)}, "5 3"},
		{"to", store.Filter{To: start.Add(3 * time.Minute)}, "2 1"},
		{"from, to and text", store.Filter{From: start.Add(2 * time.Minute), To: start.Add(5 * time.Minute), Text: "beta"}, "3 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			same(t, "found", ids(must(s.History(t.Context(), test.f, 0, 9))(t).Entries), strings.Fields(test.want))
		})
	}
	same(t, "facets", must(s.Facets(t.Context(), nil))(t), store.Facets{Agents: []string{"Kilo", "Roo", `o"brien*`}, Workspaces: []string{"/a", "/b"}})
}

func TestExport(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	var want []string
	for i := range 131 { // more than an export reads at a time
		id := fmt.Sprintf("q%03d", i)
		converse(t, s, c, id, "asked", fmt.Sprintf("said %d", i))
		want = append([]string{id}, want...)
	}
	ask(t, s, "image", "")
	c.Forward(time.Second)
	apply(t, s, store.Change{Outcomes: []store.Outcome{{QuestionID: "image", Outcome: question.Answered, Images: []question.Image{png}}}})
	want = append([]string{"image"}, want...)
	waits.Until(t, "closed questions are moved", func() bool { // a read moves them for a second only
		_ = must(s.History(t.Context(), store.Filter{}, 0, 1))(t)
		return waiting(t, s) == 0
	})
	export := func(what store.Selection) (got []string, err error) {
		err = s.Export(t.Context(), what, func(q store.Question) error {
			got = append(got, q.ID)
			if q.ID == "image" && len(q.Outcome.Images) != 1 {
				t.Error("the image is missing")
			}
			_, err := s.Question(t.Context(), q.ID) // the store can be used meanwhile
			return err
		})
		return got, err
	}
	same(t, "all", must(export(store.Selection{}))(t), want)
	same(t, "filtered", must(export(store.Selection{Filter: store.Filter{Text: "12"}}))(t), []string{"q129", "q128", "q127", "q126", "q125", "q124", "q123", "q122", "q121", "q120", "q012"})
	same(t, "selected", must(export(store.Selection{IDs: []string{"q001", "unknown", "image", "q002", "q001"}}))(t), []string{"image", "q002", "q001"})
	same(t, "none selected", must(export(store.Selection{IDs: []string{}}))(t), []string(nil))
	stop := errors.New("stop")
	if err := s.Export(t.Context(), store.Selection{}, func(store.Question) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

func imported(t testing.TB, s testStore, exchanges ...store.Imported) {
	t.Helper()
	if added, _, err := s.Import(t.Context(), exchanges); err != nil || added != len(exchanges) {
		t.Fatal(added, err)
	}
}

func TestImport(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	converse(t, s, c, "own", "asked here", "said here")
	exchange := func(key, text string, at time.Time) store.Imported {
		return store.Imported{
			Source: "roo", Key: key, Question: store.Question{Agent: "Roo", Text: text, AskedAt: at, State: store.Pending, ID: "ignored", Session: "ignored"},
			Outcome: answered("ignored", "yes"),
		}
	}
	old := []store.Imported{
		exchange("1", "last year", c.Now().AddDate(-1, 0, 0)),
		exchange("2", "no time", time.Time{}),
		exchange("3", "no time either", time.Time{}),
		exchange("4", "before that", c.Now().AddDate(-2, 0, 0)),
		exchange("4", "twice in the log", c.Now()),
	}
	added, known, err := s.Import(t.Context(), old)
	if added != 4 || known != 1 || err != nil {
		t.Errorf("got %d, %d, %v", added, known, err)
	}
	added, known, err = s.Import(t.Context(), append(old[:2:2], exchange("5", "new", c.Now().AddDate(-3, 0, 0))))
	if added != 1 || known != 2 || err != nil {
		t.Errorf("got %d, %d, %v", added, known, err)
	}
	other := exchange("1", "another tool", c.Now().AddDate(-4, 0, 0))
	other.Source = "kilo"
	imported(t, s, other)
	page := must(s.History(t.Context(), store.Filter{}, 0, 99))(t)
	var got []string
	for _, q := range page.Entries {
		got = append(got, q.Text)
		if q.Source == "" != (q.ID == "own") || !q.Collected || q.State != store.Closed {
			t.Errorf("%+v", q)
		}
	}
	same(t, "history", got, []string{"asked here", "last year", "before that", "new", "another tool", "no time either", "no time"})
	if at := page.Entries[6].Outcome.ClosedAt; !at.IsZero() {
		t.Errorf("an invented time: %v", at)
	}
	same(t, "search", len(find(t, s, "no time")), 2)
	same(t, "open", must(s.OpenQuestions(t.Context(), 0, 999))(t), []store.Question(nil))

	for _, bad := range []store.Imported{{Key: "1", Outcome: answered("", "")}, {Source: "roo", Outcome: answered("", "")}, {Source: "roo", Key: "9"}} {
		if _, _, err := s.Import(t.Context(), []store.Imported{exchange("8", "", c.Now()), bad}); err == nil {
			t.Errorf("imported %+v", bad)
		}
	}
	if len(must(s.History(t.Context(), store.Filter{}, 0, 99))(t).Entries) != 7 {
		t.Error("a part of a refused import was written")
	}
}

// More outcomes of one millisecond than it has keys.
func TestCrowdedMillisecond(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	const n = sqlstore.KeysPerMilli + 10
	var exchanges []store.Imported
	for i := range n {
		exchanges = append(exchanges, store.Imported{Source: "x", Key: fmt.Sprint(i), Question: store.Question{Text: fmt.Sprint(i), AskedAt: c.Now()}, Outcome: answered("", "")})
	}
	imported(t, s, exchanges...)
	page := must(s.History(t.Context(), store.Filter{}, 0, n))(t)
	var got []string
	for _, q := range page.Entries {
		got = append(got, q.Text)
	}
	slices.Reverse(got)
	for i, text := range got {
		if text != fmt.Sprint(i) {
			t.Fatalf("%s is at %d", text, i)
		}
	}
	if len(got) != n {
		t.Errorf("%d of %d", len(got), n)
	}
}
