package hub

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"followup/internal/protocol"
	"followup/internal/push"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// A hub notifies an address of a team's questions for everyone, and of no others.
func TestNotify(t *testing.T) {
	t.Parallel()
	events := make(chan protocol.NotifyEvent, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var event protocol.NotifyEvent
		_ = json.NewDecoder(r.Body).Decode(&event)
		events <- event
	}))
	defer receiver.Close()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false)
	elsewhere, err := Invite(t.Context(), accounts, Invitation{Name: "bot", Team: "other", Agent: true})
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, storage, nil)
	s.hub.Notify(DefaultTeam, push.Address{URL: receiver.URL, Private: true, Page: "https://hub.example/"})
	hers := s.watch(ann)
	do := door(t, s)
	ask := func(token, body string) string {
		t.Helper()
		status, result := do(token, "POST", "/v1/questions", body)
		if status != http.StatusCreated {
			t.Fatalf("%d %+v", status, result)
		}
		return result.QuestionID
	}
	ask(elsewhere, `{"question":"Of another team?"}`)
	hers.UntilState(ask(ci, `{"question":"For Ann?","to":"Ann"}`), protocol.ItemPending)
	id := ask(ci, `{"question":"For all?"}`)
	if got := waits.For(t, events); got.Data.QuestionID != id || got.Data.URL != "https://hub.example/?question="+id {
		t.Errorf("got %+v", got)
	}
	list := rpctest.Call(hers.Editor, protocol.PushList, protocol.None{})
	if len(list.Addresses) != 1 {
		t.Fatalf("Ann sees %+v", list)
	}
	rpctest.Call(hers.Editor, protocol.PushTest, protocol.PushEndpoint{Endpoint: list.Addresses[0].Endpoint})
	if got := waits.For(t, events); got.Type != protocol.NotifyTest {
		t.Errorf("got %+v", got)
	}
	if len(events) > 0 {
		t.Errorf("got %+v", <-events)
	}
}
