package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// showing is a client that shows pages.
func showing(t *testing.T, folder string) starting {
	return starting{
		folder: folder,
		client: sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{
			Extensions: map[string]any{uiExtension: map[string]any{"mimeTypes": []any{appType}}},
		}},
		change: func(o *Options) {
			o.App = &App{
				Page:  func(key string) (string, error) { return key, nil },
				Texts: func(string) map[string]string { return nil },
				Connect: func(router *rpc.Router) (*rpc.Conn, func()) {
					in, out, leave := rpctest.Pipe(t, folder)
					conn := rpc.Dial(context.Background(), router, rpc.Options{In: in, Out: out, Log: o.Log})
					return conn, func() {
						conn.Close()
						leave()
					}
				},
			}
		},
	}
}

// viewer is the page in such a client.
type viewer struct {
	t    *testing.T
	a    *agent
	page string
	key  string
}

func (v viewer) call(method, params string) string {
	v.t.Helper()
	input := fmt.Sprintf(`{"key":%q,"page":%q,"method":%q,"params":%s}`, v.key, v.page, method, params)
	got := waits.For(v.t, v.a.call(v.t.Context(), pageTool, input))
	if got.err != nil {
		v.t.Fatal(got.err)
	}
	text, _ := got.result.Content[0].(*sdk.TextContent)
	return text.Text
}

func view(t *testing.T, a *agent, page string) viewer {
	t.Helper()
	read, err := a.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: appURI})
	if err != nil {
		t.Fatal(err)
	}
	return viewer{t, a, page, read.Contents[0].Text}
}

// The page gets changes, and a click on it answers the waiting call.
func TestPageAnswersItsCall(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	a := start(t, showing(t, folder))
	answered := a.call(t.Context(), "ask_followup_question", `{"question":"Which quay?","follow_up":[{"text":"North"}]}`)
	id := pending(e, "Which quay?").QuestionID
	v := view(t, a, "one")
	if got := v.call("app/open", `{}`); !strings.Contains(got, id) {
		t.Fatal(got)
	}
	v.call("inbox/subscribe", `{}`)
	if got := v.call("question/answer", `{"questionId":"`+id+`","provenance":"clicked","suggestion":0}`); !strings.Contains(got, `"accepted":true`) {
		t.Fatal(got)
	}
	if got := v.call("app/news", `{}`); !strings.Contains(got, `"state":"closed"`) {
		t.Fatal(got)
	}
	if got := waits.For(t, answered); got.err != nil || got.result.Meta[outcomeKey] != "answered" {
		t.Errorf("%v, %v", got.err, got.result)
	}
}

// A page sees only its own question, even if the agent has asked another one.
func TestPageSeesOnlyItsQuestion(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	a := start(t, showing(t, folder))
	a.call(t.Context(), "ask_followup_question", `{"question":"First?"}`)
	first := pending(e, "First?").QuestionID
	one, other := view(t, a, "one"), view(t, a, "other")
	one.call("app/open", `{}`)
	a.call(t.Context(), "ask_followup_question", `{"question":"Second?"}`)
	e.Until(func() bool { return len(e.Items) == 2 })
	if got := other.call("app/open", `{}`); strings.Contains(got, first) || !strings.Contains(got, "questionId") {
		t.Fatal(got)
	}
	for _, method := range []string{"question/answer", "question/dismiss", "question/saveDraft", "history/get"} {
		if got := other.call(method, `{"questionId":"`+first+`","text":"x","provenance":"typed"}`); !strings.Contains(got, "not about the question") {
			t.Errorf("%s: %s", method, got)
		}
	}
	if got := other.call("inbox/subscribe", `{}`); strings.Contains(got, "First?") || !strings.Contains(got, "Second?") {
		t.Error(got)
	}
	pending(e, "First?")
}

// The number of pages is limited, and closing one makes room for another.
func TestPagesAreBounded(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	a := start(t, showing(t, folder))
	input := `{"question":"Busy?"}`
	a.call(t.Context(), "ask_followup_question", input)
	pending(e, "Busy?")
	v := view(t, a, "")
	open := func(page string) string {
		v.page = page
		return v.call("app/open", `{"tool":"ask_followup_question","arguments":`+input+`}`)
	}
	for i := range maxPages {
		if got := open(fmt.Sprint("p", i)); !strings.Contains(got, "questionId") {
			t.Fatal(got)
		}
	}
	if got := open("late"); !strings.Contains(got, fmt.Sprint(protocol.CodeBusy)) {
		t.Error(got)
	}
	v.page = "p0"
	v.call("app/close", `{}`)
	if got := open("late"); !strings.Contains(got, "questionId") {
		t.Error(got)
	}
}

// A page that does not request changes buffers a limited number, and then has to reopen.
func TestPageThatDoesNotRead(t *testing.T) {
	t.Parallel()
	p := &page{wake: make(chan struct{}, 1), question: "q"}
	for range 2 * maxNews {
		p.add(protocol.InboxChange{Removed: []string{"q", "another"}})
	}
	if len(p.news) != maxNews {
		t.Errorf("%d changes wait", len(p.news))
	}
	if _, err := p.take(t.Context(), nil); !errors.Is(err, errNoPage) {
		t.Error(err)
	}
}

// A page that reopens gets its question again.
func TestPageReopens(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	a := start(t, showing(t, folder))
	a.call(t.Context(), "ask_followup_question", `{"question":"Which quay?"}`)
	id := pending(e, "Which quay?").QuestionID
	v := view(t, a, "one")
	v.call("app/open", `{}`)
	for i := range 2 * maxNews {
		rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{
			QuestionID: id, Draft: protocol.Draft{Text: fmt.Sprint("word ", i), ChangedAt: int64(i + 1)},
		})
	}
	for v.call("app/news", `{}`) != `{"error":{"code":-32001,"message":"there is no such page"}}` { // changes may have been joined
		rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{ChangedAt: 1 << 40}})
		v.call("app/close", `{}`)
	}
	if got := v.call("app/open", `{}`); !strings.Contains(got, id) {
		t.Fatal(got)
	}
	if got := v.call("inbox/subscribe", `{}`); !strings.Contains(got, "Which quay?") {
		t.Error(got)
	}
}

// A page belongs to the call that its host names; otherwise to one with its arguments, or to the oldest that no page shows.
func TestCallOfAPage(t *testing.T) {
	t.Parallel()
	content := func(text string) string { return string(canonical(json.RawMessage(text))) }
	const tool = "ask_followup_question"
	s := &Server{calls: []*appCall{
		{id: "1", tool: tool, content: content(`{"question":"a"}`), question: "shown", app: "one"},
		{id: "2", tool: tool, content: content(`{"question":"a"}`), question: "same"},
		{id: "3", tool: tool, content: content(`{"question":"b"}`), question: "other"},
		{id: `"4"`, tool: tool, content: content(`{"question":"c"}`), question: "over", over: true},
	}}
	for name, test := range map[string]struct {
		app  string
		p    openParams
		want string
	}{
		"by the id":             {"x", openParams{Call: json.RawMessage("3")}, "other"},
		"by an id that is text": {"x", openParams{Call: json.RawMessage(`"4"`)}, "over"},
		"by the arguments":      {"x", openParams{Tool: tool, Arguments: json.RawMessage(`{ "question": "b" }`)}, "other"},
		"not another's":         {"x", openParams{Tool: tool, Arguments: json.RawMessage(`{"question":"a"}`)}, "same"},
		"its own again":         {"one", openParams{Tool: tool, Arguments: json.RawMessage(`{"question":"a"}`)}, "shown"},
		"one that is over":      {"x", openParams{Tool: tool, Arguments: json.RawMessage(`{"question":"c"}`)}, "over"},
		"the oldest":            {"x", openParams{}, "same"},
		"none":                  {"x", openParams{Tool: tool, Arguments: json.RawMessage(`{"question":"d"}`)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if call := s.callFor(test.app, test.p); call != nil {
				got = call.question
			}
			if got != test.want {
				t.Errorf("it is %q, not %q", got, test.want)
			}
		})
	}
}
