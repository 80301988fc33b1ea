package server_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"followup/internal/protocol"
	"followup/internal/push/pushtest"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/waits"
)

// A question that nobody sees is pushed to a closed browser. Without a subscription, nothing is sent.
func TestPush(t *testing.T) {
	t.Parallel()
	provider := pushtest.New(t)
	h := rpctest.NewHost(t, t.TempDir(), func(o *server.Options) { o.Push.Private, o.Push.Gather = true, time.Millisecond })
	page := h.Connect(protocol.InitializationOptions{Locale: "en"})
	list := rpctest.Call(page, protocol.PushList, protocol.None{})
	if len(list.Browsers) > 0 || list.Key == "" {
		t.Fatalf("at first: %+v", list)
	}
	phone := provider.Subscribe(list.Key)
	where := protocol.PushEndpoint{Endpoint: phone.Endpoint}
	list = rpctest.Call(page, protocol.PushSubscribe, protocol.PushSubscribeParams{
		PushEndpoint: where, P256dh: phone.P256dh, Auth: phone.Auth, Name: "Phone", Silent: true,
	})
	if len(list.Browsers) != 1 || list.Browsers[0].Name != "Phone" {
		t.Fatalf("subscribed: %+v", list)
	}
	page.Leave()

	// The page is closed, but the browser's subscription counts as an interface.
	soon := 1
	agent := h.Dial(protocol.InitializationOptions{NotShownAfter: &soon})
	if status := rpctest.Call(agent, protocol.InboxStatus, protocol.None{}); !status.Shown {
		t.Error("the inbox does not count as shown")
	}
	id, reply := agent.Ask(agent.Session("s"), `{"question":"Drop **users**?","follow_up":[{"text":"Yes"},{"text":"No"}]}`)
	if got := waits.For(t, phone.Received); !strings.Contains(string(got.Body), `"text":"Drop users?"`) || !strings.Contains(string(got.Body), id) {
		t.Errorf("got %s", got.Body)
	}
	again := h.Connect(protocol.InitializationOptions{})
	again.UntilState(id, protocol.ItemPending)
	rpctest.Call(again, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
	waits.For(t, reply)
	if got := waits.For(t, phone.Received); !strings.Contains(string(got.Body), `"over":true`) {
		t.Errorf("got %s", got.Body)
	}
	list = rpctest.Call(again, protocol.PushTest, where)
	if got := waits.For(t, phone.Received); !strings.Contains(string(got.Body), "test") || list.Browsers[0].LastAt == 0 {
		t.Errorf("got %s, %+v", got.Body, list)
	}
	if list = rpctest.Call(again, protocol.PushUnsubscribe, where); len(list.Browsers) > 0 {
		t.Errorf("unsubscribed: %+v", list)
	}
	other := provider.Subscribe(list.Key)
	rpctest.Call(again, protocol.PushSubscribe, protocol.PushSubscribeParams{
		PushEndpoint: protocol.PushEndpoint{Endpoint: other.Endpoint}, P256dh: other.P256dh, Auth: other.Auth,
	})
	agent.Ask(agent.Session("t"), `{"question":"Again?"}`)
	waits.For(t, other.Received)
	if len(phone.Received) > 0 {
		t.Error("a browser that has unsubscribed was notified")
	}
}

// A push notification is withdrawn when its question expires.
func TestExpiredQuestionIsWithdrawn(t *testing.T) {
	t.Parallel()
	provider := pushtest.New(t)
	h := rpctest.NewHost(t, t.TempDir(), func(o *server.Options) { o.Push.Private, o.Push.Gather = true, time.Millisecond })
	agent := h.Dial(protocol.InitializationOptions{})
	phone := provider.Subscribe(rpctest.Call(agent, protocol.PushList, protocol.None{}).Key)
	rpctest.Call(agent, protocol.PushSubscribe, protocol.PushSubscribeParams{
		PushEndpoint: protocol.PushEndpoint{Endpoint: phone.Endpoint}, P256dh: phone.P256dh, Auth: phone.Auth, Silent: true,
	})
	agent.AskWith(protocol.AskParams{
		Session: agent.Session("s"), QuestionID: rpctest.NewID(), Tool: "ask_followup_question", Input: json.RawMessage(`{"question":"Deploy?"}`),
		Envelope: protocol.Envelope{Expires: time.Now().Add(5 * time.Second).UnixMilli()}, // enough for the message
	})
	if got := waits.For(t, phone.Received); !strings.Contains(string(got.Body), `"text":"Deploy?"`) {
		t.Errorf("got %s", got.Body)
	}
	if got := waits.For(t, phone.Received); !strings.Contains(string(got.Body), `"over":true`) {
		t.Errorf("got %s", got.Body)
	}
}
