package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/coder/websocket"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// hubThatSays starts a hub that completes the handshake, and answers each message with says.
func hubThatSays(t *testing.T, says func(method string, id, params json.RawMessage, say func(any))) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = conn.CloseNow() }()
		say := func(message any) {
			body, _ := json.Marshal(message)
			_ = conn.Write(context.WithoutCancel(r.Context()), websocket.MessageText, body)
		}
		for {
			_, body, err := conn.Read(context.WithoutCancel(r.Context()))
			var m struct {
				ID, Params json.RawMessage
				Method     string
			}
			if err != nil || json.Unmarshal(body, &m) != nil {
				return
			}
			if m.Method == protocol.Initialize.Method {
				say(responds(m.ID, protocol.InitializeResult{ProtocolVersion: protocol.Version, Hub: &protocol.Hub{Name: "Team", Account: "Ann", Role: protocol.RolePerson}}))
			} else {
				says(m.Method, m.ID, m.Params, say)
			}
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func responds(id json.RawMessage, result any) any {
	return map[string]any{"jsonrpc": "2.0", "id": id, "result": result}
}

func hubItem(id string) protocol.InboxItem {
	return protocol.InboxItem{QuestionID: id, State: protocol.ItemPending, Payload: protocol.Payload{Followup: &protocol.Followup{Question: "?"}}}
}

// Questions that close or arrive while the snapshot's pages arrive are not listed.
func TestInboxOfABusyHub(t *testing.T) {
	t.Parallel()
	url := hubThatSays(t, func(method string, id, _ json.RawMessage, say func(any)) {
		if method != protocol.InboxSubscribe.Method {
			return
		}
		say(responds(id, protocol.Inbox{Items: []protocol.InboxItem{hubItem("a"), hubItem("gone")}, More: 1}))
		change := func(change protocol.InboxChange) {
			say(map[string]any{"jsonrpc": "2.0", "method": protocol.InboxDidChange.Method, "params": change})
		}
		change(protocol.InboxChange{Items: []protocol.InboxItem{hubItem("b")}, Removed: []string{"gone"}})
		for range 200 {
			change(protocol.InboxChange{Items: []protocol.InboxItem{hubItem("late")}})
		}
	})
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("followup_TOKEN"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, problems := shell(t, "", "inbox", "--json", "--hub", url, "--hub-insecure", "--hub-token-file", token)
	var listed struct{ Items []protocol.InboxItem }
	if err := json.Unmarshal([]byte(out), &listed); err != nil || status != 0 {
		t.Fatal(status, out, problems)
	}
	var ids []string
	for _, item := range listed.Items {
		ids = append(ids, item.QuestionID)
	}
	if slices.Sort(ids); !slices.Equal(ids, []string{"a", "b"}) {
		t.Errorf("listed: %v", ids)
	}
}

// A hub that is configured later also learns whether the user would see a question.
func TestHubLearnsWhatIsShown(t *testing.T) {
	t.Parallel()
	shown := make(chan bool, 10)
	url := hubThatSays(t, func(method string, id, params json.RawMessage, say func(any)) {
		switch method {
		case protocol.InboxSubscribe.Method:
			say(responds(id, protocol.Inbox{Items: []protocol.InboxItem{}}))
		case protocol.InboxDidShow.Method:
			var p protocol.InboxDidShowParams
			_ = json.Unmarshal(params, &p)
			shown <- p.Shown
		}
	})
	s := startSidecar(t, storageDir(t))
	rpc.Notify(s.conn, protocol.InboxDidShow, protocol.InboxDidShowParams{Shown: false})
	if now, err := rpc.Call(t.Context(), s.conn, protocol.HubConnect, protocol.HubConnectParams{URL: url, Token: "followup_TOKEN"}); err != nil || now.State != protocol.HubConnected {
		t.Fatal(now, err)
	}
	if waits.For(t, shown) {
		t.Error("the hub learned that the inbox is shown")
	}
}
