package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// declared finds the methods in the source of package protocol, so that none is overlooked.
func declared(t *testing.T) (methods []string) {
	t.Helper()
	files, err := filepath.Glob("../protocol/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") {
			for _, found := range regexp.MustCompile(`= (?:Request|Notification)\[.*\]\{"(.*)"\}`).FindAllStringSubmatch(string(source), -1) {
				methods = append(methods, found[1])
			}
		}
	}
	if len(methods) < 30 {
		t.Fatalf("found %d methods only: %q", len(methods), methods)
	}
	return methods
}

// send sends a request, and returns the response as text, and its code.
func (p *program) send(t *testing.T, method string, params map[string]any) (string, int64) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	result, err := rpc.Call(ctx, p.Conn, protocol.Request[map[string]any, json.RawMessage]{Method: method}, params)
	if err != nil {
		return err.Error(), rpctest.ErrorCode(err)
	}
	return string(result), 0
}

// Whatever an agent sends, it cannot read, answer, list or change anything of another agent. The test tries every
// method of the protocol with the names of another agent's session and questions, open and closed.
func TestAgentIsIsolated(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	s := serve(t, storage, nil)
	anns := s.invite(accounts, "Ann", false)
	victim, ann := s.connect(s.invite(accounts, "victim", true)), s.watch(anns)
	const secret = "sentinel"
	session := victim.Session("s")
	open, answer := victim.Ask(session, `{"question":"`+secret+`?","follow_up":["`+secret+`"]}`)
	ann.UntilState(open, protocol.ItemPending)
	rpctest.Call(ann.Editor, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: open, Draft: protocol.Draft{Text: secret, ChangedAt: 1}})
	other := victim.Session("other")
	closed, collected := victim.Ask(other, `{"question":"`+secret+`!"}`)
	ann.UntilState(closed, protocol.ItemPending)
	rpctest.Call(ann.Editor, protocol.QuestionAnswer, typed(closed, secret))
	if got := <-collected; got.Err != nil {
		t.Fatal(got.Err)
	}

	// What an agent's methods return for another's objects; all other methods are forbidden.
	own := map[string]int64{
		"initialize": jsonrpc2.CodeInvalidRequest, "initialized": 0, "session/open": 0, "session/get": protocol.CodeUnknown, "session/close": protocol.CodeUnknown,
		"question/ask": protocol.CodeUnknown, "question/await": protocol.CodeUnknown, "question/withdraw": protocol.CodeUnknown, "question/confirm": jsonrpc2.CodeInvalidParams, "inbox/status": 0,
		"question/list": jsonrpc2.CodeInvalidParams, // without an outcome
	}
	thief := s.connect(s.invite(accounts, "thief", true))
	tried := 0
	try := func(p *program, method string, params map[string]any, want int64) string {
		t.Helper()
		tried++
		got, code := p.send(t, method, params)
		if strings.Contains(got, secret) || strings.Contains(got, "victim") {
			t.Errorf("%s returned %s", method, got)
		}
		if code != want {
			t.Errorf("%s: %d, want %d: %s", method, code, want, got)
		}
		return got
	}
	for _, method := range declared(t) {
		want, agents := own[method]
		switch {
		case method == "shutdown" || method == "exit" || method == "$/cancelRequest":
			continue // they end its own connection or requests
		case !agents:
			want = protocol.CodeForbidden
		}
		for _, id := range []string{open, closed} {
			for _, in := range []string{session, other} {
				try(thief, method, map[string]any{
					"session": in, "questionId": id, "questionIds": []string{id}, "agent": "Test", "key": "s", "tool": "ask_followup_question",
					"input": map[string]any{"await": id}, "text": secret[:4], "provenance": "typed", "format": "json", "all": true,
					"streamId": id, "callId": "c", "reason": "aborted", "fragment": "x", "value": "verbose", "shown": true, "limit": 9, "keep": true,
					"path": filepath.Join(storage, "x"), "paths": []string{storage}, "undo": "1", "elsewhere": true, "to": "",
					"draft": map[string]any{"text": "x", "changedAt": 2}, "initializationOptions": map[string]any{"protocolVersion": protocol.Version},
				}, want)
			}
		}
	}
	for _, outcome := range []string{"waiting", "answered"} {
		try(thief, "question/list", map[string]any{"outcome": outcome}, 0)
	}
	// For another account, the same agent and key are another session, in which the victim's questions are unknown.
	mine := thief.Session("s")
	if mine == session {
		t.Error("two accounts have one session")
	}
	for _, id := range []string{open, closed} {
		got := try(thief, "question/ask", map[string]any{
			"session": mine, "questionId": rpctest.NewID(), "tool": "ask_followup_question", "input": map[string]any{"await": id},
		}, 0)
		if !strings.Contains(got, "unknown_question") {
			t.Errorf("got %s", got)
		}
	}
	state := try(thief, "session/get", map[string]any{"session": mine}, 0)
	if !strings.Contains(state, `"conversation":[]`) {
		t.Errorf("got %s", state)
	}
	if tried < 100 {
		t.Errorf("tried %d times only", tried)
	}

	// A person must not ask, or read what belongs to an agent.
	for _, method := range declared(t) {
		if !protocol.RolePerson.May(method) {
			try(ann, method, map[string]any{"session": session, "questionId": open}, protocol.CodeForbidden)
		}
	}

	// Nothing has changed.
	again, bob := s.watch(anns), s.watch(s.invite(accounts, "Bob", false))
	rpctest.Call(bob.Editor, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: open, Draft: protocol.Draft{ChangedAt: 3}})
	if item := bob.Item(open); item.State != protocol.ItemPending || item.Draft != nil {
		t.Errorf("he sees %+v", item)
	}
	if item := again.Item(open); item.State != protocol.ItemPending || item.Draft == nil || item.Draft.Text != secret {
		t.Errorf("the question is %+v", item)
	}
	if got := rpctest.Call(victim.Editor, protocol.SessionGet, protocol.SessionParams{Session: session}); len(got.Conversation) != 1 || got.Conversation[0].Outcome != nil {
		t.Errorf("the session is %+v", got)
	}
	rpctest.Call(ann.Editor, protocol.QuestionAnswer, typed(open, "yes"))
	if got := <-answer; got.Err != nil || got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("the agent got %+v", got)
	}
}

// A foreign object gets the same response as an unknown one, word for word, so that nobody can probe for ids.
func TestForeignIDsLookUnknown(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, other := invited(t, accounts, "ci", true), invited(t, accounts, "other", true)
	ann, bob := invited(t, accounts, "Ann", false), invited(t, accounts, "Bob", false)
	s := serve(t, storage, nil)
	agent, hers := s.connect(ci), s.watch(ann)
	ids := []string{rpctest.NewID(), rpctest.NewID()}
	for i, id := range ids {
		answer := agent.AskWith(protocol.AskParams{
			Session: agent.Session(id), QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`), Envelope: protocol.Envelope{To: "Ann"},
		})
		hers.UntilState(id, protocol.ItemPending)
		if i == 1 {
			rpctest.Call(hers.Editor, protocol.QuestionAnswer, typed(id, "yes"))
			_ = waits.For(t, answer)
		}
	}
	compared := 0
	for name, stranger := range map[string]*program{"an agent": s.connect(other), "a person": s.watch(bob)} {
		for _, method := range declared(t) {
			if method == "shutdown" || method == "exit" || method == "$/cancelRequest" || method == "initialize" || method == "session/open" {
				continue
			}
			for _, id := range ids {
				responses := map[string]bool{}
				for question, session := range map[string]string{id: agent.Session(id), rpctest.NewID(): rpctest.NewID()} {
					got, code := stranger.send(t, method, map[string]any{
						"session": session, "questionId": question, "questionIds": []string{question}, "tool": "ask_followup_question",
						"input": map[string]any{"await": question}, "text": "x", "provenance": "typed", "format": "json", "reason": "aborted",
						"draft": map[string]any{"text": "x", "changedAt": 2},
					})
					responses[strings.NewReplacer(question, "ID", session, "SESSION").Replace(got)+fmt.Sprint(code)] = true
				}
				if compared++; len(responses) != 1 {
					t.Errorf("%s, %s: %q", name, method, slices.Collect(maps.Keys(responses)))
				}
			}
		}
	}
	t.Logf("%d compared", compared)
}

// A reader without the right to approve sees who has it. Their drafts do not block those of approvers.
func TestReaderWithoutTheRightToApprove(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	s := serve(t, storage, nil)
	agent := s.connect(s.invite(accounts, "ci", true))
	anns := s.invite(accounts, "Ann", false)
	ann := s.watch(anns)
	ask := func(tool, input string) string {
		id := rpctest.NewID()
		agent.AskWith(protocol.AskParams{Session: agent.Session(id), QuestionID: id, Tool: tool, Input: []byte(input)})
		ann.UntilState(id, protocol.ItemPending)
		return id
	}
	id := ask("request_approval", `{"title":"Bash","subject":{"kind":"command","text":"ls"},"options":[{"id":"y","kind":"once"},{"id":"n","kind":"deny"}]}`)
	if got := ann.Item(id).ReadOnly; got == nil || len(got.Approvers) != 0 {
		t.Errorf("if nobody may approve, she gets %+v", got)
	}
	if item := ann.Item(ask("ask_followup_question", `{"question":"Q?"}`)); item.ReadOnly != nil {
		t.Errorf("she may not answer %+v", item)
	}

	bobs, err := Invite(t.Context(), accounts, Invitation{Name: "Bob", MayApprove: new(true)})
	if err != nil {
		t.Fatal(err)
	}
	if code := ann.code(t); code != 4002 { // she reconnects, and sees him as approver
		t.Errorf("the connection ended with %d", code)
	}
	ann = s.watch(anns)
	if got := ann.UntilState(id, protocol.ItemPending).ReadOnly; got == nil || !slices.Equal(got.Approvers, []string{"Bob"}) {
		t.Errorf("she gets %+v", got)
	}
	bob := s.watch(bobs)
	if got := bob.UntilState(id, protocol.ItemPending).ReadOnly; got != nil {
		t.Errorf("he gets %+v", got)
	}
	draft := func(text string) protocol.SaveDraftParams {
		return protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: text, ChangedAt: 1}}
	}
	if code := rpctest.Code(ann.Editor, protocol.QuestionSaveDraft, draft("hers")); code != protocol.CodeForbidden {
		t.Errorf("her draft got %d", code)
	}
	if got := rpctest.Call(bob.Editor, protocol.QuestionSaveDraft, draft("his")); got.Unkept {
		t.Error("his draft is not kept")
	}
	if got := s.watch(bobs).UntilState(id, protocol.ItemPending).Draft; got == nil || got.Text != "his" {
		t.Errorf("his draft is %+v", got)
	}
	if got := s.watch(anns).UntilState(id, protocol.ItemPending).Draft; got != nil {
		t.Errorf("she gets his draft: %+v", got)
	}
}

// Approving is a separate right. Others see the request, and their decision fails with an error that names the right; drafts decide
// nothing.
func TestRightToApprove(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	s := serve(t, storage, nil)
	agent := s.connect(s.invite(accounts, "ci", true))
	ask := func() (id string, answer <-chan rpctest.Reply) {
		id = rpctest.NewID()
		return id, agent.AskWith(protocol.AskParams{
			Session: agent.Session(id), QuestionID: id, Tool: "request_approval",
			Input: []byte(`{"title":"Bash","subject":{"kind":"command","text":"ls"},"options":[{"id":"y","kind":"once"},{"id":"n","kind":"deny"}]}`),
		})
	}
	anns := s.invite(accounts, "Ann", false)
	ann := s.watch(anns)
	id, answer := ask()
	item := ann.UntilState(id, protocol.ItemPending)
	decide := func(option string) protocol.DecideParams {
		at := slices.IndexFunc(item.Payload.Options, func(o protocol.Choice) bool { return o.ID == option })
		return protocol.DecideParams{QuestionID: item.QuestionID, Option: option, Digest: item.Payload.Digest(item.Payload.Options[at])}
	}
	refused := func(err error) {
		t.Helper()
		if rpctest.ErrorCode(err) != protocol.CodeForbidden || !strings.Contains(err.Error(), "--may-approve") {
			t.Errorf("got %v", err)
		}
	}
	refused(failure(ann, protocol.QuestionDecide, decide("y")))
	refused(failure(ann, protocol.QuestionDecide, decide("n")))
	refused(failure(ann, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: item.QuestionID}))
	if code := rpctest.Code(agent.Editor, protocol.QuestionDecide, decide("y")); code != protocol.CodeForbidden {
		t.Errorf("the agent got %d", code)
	}
	if ann.Item(item.QuestionID).State != protocol.ItemPending {
		t.Error("the request is closed")
	}

	// One renewal grants the right, another keeps it, and a third revokes it. Each change applies immediately.
	renew := func(mayApprove *bool) {
		t.Helper()
		token, err := Invite(t.Context(), accounts, Invitation{Name: "Ann", Renew: true, MayApprove: mayApprove, Grace: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		waits.Until(t, "the hub knows the token", func() bool {
			_, known := s.hub.directory.find(token, time.Now())
			return known
		})
		anns = token
	}
	renew(new(true))
	if code := ann.code(t); code != 4002 { // she reconnects with her new rights
		t.Errorf("the connection ended with %d", code)
	}
	renew(nil)
	ann = s.watch(anns)
	ann.UntilState(item.QuestionID, protocol.ItemPending)
	if closed := rpctest.Call(ann.Editor, protocol.QuestionDecide, decide("y")); !closed.Accepted {
		t.Errorf("got %+v", closed)
	}
	if got := waits.For(t, answer); got.Err != nil || got.Answer.Outcome != protocol.OutcomeAllowed || got.Answer.Option != "y" {
		t.Errorf("the agent got %+v", got)
	}
	entry := rpctest.Call(ann.Editor, protocol.HistoryGet, protocol.QuestionParams{QuestionID: item.QuestionID})
	if end := entry.Outcome; end.Outcome != protocol.OutcomeAllowed || end.AnsweredBy != "Ann" {
		t.Errorf("the history has %+v", end)
	}
	id, _ = ask()
	item = ann.UntilState(id, protocol.ItemPending)
	renew(new(false))
	_ = ann.code(t)
	refused(failure(s.watch(anns), protocol.QuestionDecide, decide("y")))
}
