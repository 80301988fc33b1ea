package server_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"followup/internal/protocol"
	"followup/internal/push/pushtest"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
)

// harmless are the methods that change nothing, or whose change ends with the connection, and notifications whose own tests repeat them.
var harmless = []string{
	"stream/append", "stream/appendToolInput", "stream/resume", "push/dismiss",
	"initialize", "initialized", "exit", "shutdown", "$/cancelRequest", "$/setTrace",
	"session/get", "question/await", "question/list", "inbox/list", "inbox/status", "inbox/subscribe", "inbox/didShow", "notice/attend", "notice/configure",
	"history/list", "history/search", "history/facets", "history/get", "history/find", "history/text", "history/findLogs", "history/countLogs",
	"mail/describe", "place/find", "push/list", "push/notify", "push/test",
}

// TestEverythingTwice sends each method that changes something twice, as a relay does after a broken link. The second time has the same result.
func TestEverythingTwice(t *testing.T) {
	t.Parallel()
	provider := pushtest.New(t)
	e := rpctest.ConnectTo(t, t.TempDir(), func(o *server.Options) { o.Push.Private = true })
	phone := provider.Subscribe(rpctest.Call(e, protocol.PushList, protocol.None{}).Key)
	endpoint := protocol.PushEndpoint{Endpoint: phone.Endpoint}
	session := e.Session("s")
	open := func() string {
		id, _ := e.Ask(session, `{"question":"Q?","follow_up":["A"]}`)
		e.Until(func() bool { return e.Items[id].State != "" })
		return id
	}
	pending := func() string { // alone in its session
		id, _ := e.Ask(e.Session(rpctest.NewID()), `{"question":"Q?","follow_up":["A"]}`)
		e.UntilState(id, protocol.ItemPending)
		return id
	}
	asks := func(tool, input string) protocol.AskParams {
		return protocol.AskParams{Session: e.Session(rpctest.NewID()), QuestionID: rpctest.NewID(), Tool: tool, Input: []byte(input), Deadline: 1}
	}
	questionnaire, permission := asks("AskUserQuestion", `{"questions":[{"question":"Q?","header":"H","options":[{"label":"A"},{"label":"B"}],"multiSelect":false}]}`),
		asks("request_approval", approval)
	for _, p := range []protocol.AskParams{questionnaire, permission} {
		e.AskWith(p)
		e.UntilState(p.QuestionID, protocol.ItemPending)
	}
	over := answered(t, e, e.Session("history"), "Over?", "yes")
	undone := rpctest.Call(e, protocol.HistoryDelete, protocol.HistoryDeleteParams{
		DeletionID: "undone", QuestionIDs: []string{answered(t, e, e.Session("history"), "Undone?", "yes")},
	})
	stream := protocol.StreamParams{Session: session, StreamID: rpctest.NewID()}
	give(e, stream)
	closing := e.Session("closing")
	export := t.TempDir() + "/export.json"
	requests := map[string]any{
		"session/open":       protocol.SessionOpenParams{Agent: "Test", Key: "twice"},
		"session/close":      protocol.SessionParams{Session: closing},
		"question/ask":       asks("ask_followup_question", `{"question":"Q?"}`),
		"question/withdraw":  protocol.WithdrawParams{QuestionID: open()},
		"question/answer":    typed(pending(), "yes"),
		"question/reply":     protocol.ReplyParams{QuestionID: questionnaire.QuestionID, Text: "why?"},
		"question/decide":    protocol.DecideParams{QuestionID: permission.QuestionID, Option: "deny"},
		"question/confirm":   protocol.ConfirmParams{QuestionID: permission.QuestionID, Effective: protocol.OutcomeAllowed},
		"question/dismiss":   protocol.QuestionParams{QuestionID: pending()},
		"question/saveDraft": protocol.SaveDraftParams{QuestionID: pending(), Draft: protocol.Draft{Text: "half", ChangedAt: 1}},
		"question/touch":     protocol.QuestionParams{QuestionID: pending()},
		"stream/end":         end(stream, protocol.StreamComplete),
		"timer/configure":    protocol.TimerConfigureParams{},
		"hub/connect":        protocol.HubConnectParams{},
		"history/configure":  protocol.HistoryConfigureParams{Keep: true},
		"history/delete":     protocol.HistoryDeleteParams{DeletionID: "twice", QuestionIDs: []string{over}},
		"history/restore":    protocol.HistoryRestoreParams{Undo: undone.Undo},
		"history/export":     protocol.HistoryExportParams{HistoryTextParams: protocol.HistoryTextParams{Format: protocol.HistoryJSON}, Path: export},
		"history/import":     protocol.HistoryImportParams{Paths: []string{}},
		"push/subscribe":     protocol.PushSubscribeParams{PushEndpoint: endpoint, P256dh: phone.P256dh, Auth: phone.Auth, Name: "Phone"},
		"push/unsubscribe":   endpoint,
	}
	methods, err := os.ReadFile("../../docs/methods.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, heading := range regexp.MustCompile("(?m)^### (.+/.+|[a-z].*)$").FindAllStringSubmatch(string(methods), -1) {
		method := heading[1]
		group, name, _ := strings.Cut(method, "/")
		params, has := requests[method]
		switch {
		case slices.Contains([]string{"guide", "host", "web"}, group) || strings.HasPrefix(name, "did"): // other programs' methods
			continue
		case slices.Contains(harmless, method):
			continue
		case !has:
			t.Errorf("%s has no case: is it safe to repeat?", method)
			continue
		}
		var results []string
		for range 2 {
			result, err := rpc.Call(t.Context(), e.Conn, protocol.Request[any, json.RawMessage]{Method: method}, params)
			if err != nil {
				result = json.RawMessage(err.Error())
			}
			results = append(results, string(result))
		}
		if results[0] != results[1] {
			t.Errorf("%s: first %s, then %s", method, results[0], results[1])
		}
	}
}
