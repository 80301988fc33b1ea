package hub

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// An agent that asks with the id of another account's question, open or closed, gets the same as with an unused id: its own
// question under that id, even after the hub restarts. So it learns nothing about others' ids. The other's question does not
// change.
func TestIDOfAnotherAccount(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	theirs, its, anns := invited(t, accounts, "ci", true), invited(t, accounts, "other", true), invited(t, accounts, "Ann", false)
	s := serve(t, storage, nil)
	victim, ann := s.connect(theirs), s.watch(anns)
	open, closed := rpctest.NewID(), rpctest.NewID()
	still := victim.AskAs(victim.Session("open"), open, `{"question":"Theirs?"}`)
	done := victim.AskAs(victim.Session("closed"), closed, `{"question":"Theirs?"}`)
	ann.UntilState(open, protocol.ItemPending)
	ann.UntilState(closed, protocol.ItemPending)
	rpctest.Call(ann.Editor, protocol.QuestionAnswer, typed(closed, "theirs"))
	if got := waits.For(t, done); got.Err != nil {
		t.Fatal(got.Err)
	}

	ids := map[string]string{"of an open question": open, "of a closed one": closed, "nobody's": rpctest.NewID()}
	results := map[string][]string{}
	alias := ""
	others := s.connect(its)
	note := func(kind, method string, params map[string]any) {
		t.Helper()
		session, id := others.Session(kind), ids[kind]
		params["session"], params["questionId"] = session, id
		result, code := others.send(t, method, params)
		result = regexp.MustCompile(`"(askedAt|at)":[0-9]+`).ReplaceAllString(strings.NewReplacer(session, "SESSION", id, "ID", kind, "KEY").Replace(result), "")
		if results[kind] = append(results[kind], result); code != 0 {
			t.Errorf("%s, %s: %d, %s", kind, method, code, result)
		}
	}
	ask := func(kind string) map[string]any {
		return map[string]any{"tool": "ask_followup_question", "input": map[string]any{"question": "Whose, " + kind + "?"}, "deadline": 1}
	}
	await := func(kind string) map[string]any {
		return map[string]any{"tool": "ask_followup_question", "input": map[string]any{"await": ids[kind]}, "deadline": 1}
	}
	for kind := range ids {
		note(kind, "question/ask", ask(kind))
		note(kind, "question/ask", await(kind))
		note(kind, "session/get", map[string]any{})
		shown := ""
		ann.Until(func() bool {
			for id, item := range ann.Items {
				if payload, _ := json.Marshal(item.Payload); strings.Contains(string(payload), "Whose, "+kind+"?") {
					shown = id
				}
			}
			return shown != ""
		})
		rpctest.Call(ann.Editor, protocol.QuestionAnswer, typed(shown, "its own"))
		if note(kind, "question/await", map[string]any{}); kind == "of an open question" {
			alias = shown
		}
	}
	s.stop()
	s = serve(t, storage, nil)
	others, victim, ann = s.connect(its), s.connect(theirs), s.watch(anns)
	for kind := range ids {
		note(kind, "question/ask", ask(kind))
		note(kind, "session/get", map[string]any{})
	}
	for kind, got := range results {
		if want := results["nobody's"]; !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nand with an unused id:\n%s", kind, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if code := rpctest.ErrorCode(failure(others, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: alias})); code != protocol.CodeUnknown {
		t.Errorf("the id of its question at the hub leaks: %d", code)
	}

	if got := waits.For(t, still); got.Err == nil {
		t.Errorf("the other agent got %+v from a hub that has ended", got)
	}
	again := victim.AskAs(victim.Session("open"), open, `{"question":"Theirs?"}`)
	rpctest.Call(ann.Editor, protocol.QuestionAnswer, typed(open, "theirs"))
	if got := waits.For(t, again); got.Err != nil || got.Answer.Text != "<answer>\ntheirs\n</answer>" {
		t.Errorf("the other agent got %+v", got)
	}
}
