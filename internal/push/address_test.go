package push

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"followup/internal/notice"
	"followup/internal/protocol"
	"followup/internal/waits"
)

// received is a request to an address.
type received struct {
	method, path string
	header       http.Header
	body         []byte
}

// receiving starts a server that answers with each status in turn, and then with 200.
func receiving(t *testing.T, statuses ...int) (string, <-chan received) {
	t.Helper()
	all := make(chan received, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		all <- received{r.Method, r.URL.Path, r.Header, body}
		w.Header().Set("Location", "/elsewhere")
		status := http.StatusOK
		if len(statuses) > 0 {
			status, statuses = statuses[0], statuses[1:]
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(server.Close)
	return server.URL, all
}

// notify notifies a local address until the test ends.
func (w *world) notify(a Address) (end func()) {
	w.t.Helper()
	a.Private = true
	end, err := w.service.Notify(w.t.Context(), a)
	if err != nil {
		w.t.Fatal(err)
	}
	return end
}

// addresses returns the list of addresses.
func (w *world) addresses() []protocol.PushReceiver {
	list, err := w.service.List(w.t.Context(), "")
	if err != nil {
		w.t.Fatal(err)
	}
	return list.Addresses
}

func decoded[T any](t *testing.T, body []byte) (value T) {
	t.Helper()
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return value
}

func TestWebhook(t *testing.T) {
	w := newWorld(t, nil)
	url, requests := receiving(t, http.StatusBadGateway, http.StatusFound, http.StatusTooManyRequests)
	secret := "whsec_" + strings.Repeat("QUFB", 8)
	w.notify(Address{URL: url + "/hook", Secret: secret, Page: "https://page.example/"})
	w.ask("users", "Yes", "No")
	w.forward()
	signed, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	want := protocol.PushMessage{
		Tag: "users", Title: "Claude Code asks you", Text: "Drop users?", QuestionID: "users", URL: "https://page.example/?question=users",
		Ask: protocol.AskFollowup, Choices: []string{"Yes", "No"},
	}
	for range 4 {
		got := waits.For(t, requests)
		if err := signed.Verify(got.body, got.header); err != nil || got.path != "/hook" || got.header.Get("webhook-id") != "users" {
			t.Errorf("%v: %+v", err, got)
		}
		event := decoded[protocol.NotifyEvent](t, got.body)
		if diff := cmp.Diff(want, event.Data); diff != "" || event.Type != protocol.NotifyWaiting {
			t.Errorf("%s (-want +got):\n%s", event.Type, diff)
		}
	}
	waits.Until(t, "delivered", func() bool { all := w.addresses(); return all[0].LastAt > 0 && all[0].Problem == "" })
	w.close("users")
	got := waits.For(t, requests)
	if event := decoded[protocol.NotifyEvent](t, got.body); event.Type != protocol.NotifyOver || !event.Data.Over || got.header.Get("webhook-id") != "users.over" {
		t.Errorf("the replacement is %s", got.body)
	}
}

func TestTopic(t *testing.T) {
	w := newWorld(t, nil)
	server, requests := receiving(t)
	w.notify(Address{URL: strings.Replace(server, "http:", "ntfy:", 1) + "/my-topic?secure=false", Secret: "tk_x", Page: "https://page.example/", Locale: "fr"})
	w.ask("users", "Yes", "No")
	w.forward()
	got := waits.For(t, requests)
	link := "https://page.example/?question=users"
	want := ntfyMessage{
		Topic: "my-topic", Title: "Claude Code vous pose une question", Message: "Drop users?", Click: link, SequenceID: "users",
		Actions: []ntfyAction{{Action: "view", Label: "Ouvrir", URL: link, Clear: true}},
	}
	if diff := cmp.Diff(want, decoded[ntfyMessage](t, got.body)); diff != "" || got.path != "/" || got.header.Get("Authorization") != "Bearer tk_x" {
		t.Errorf("%+v (-want +got):\n%s", got, diff)
	}
	waits.Until(t, "delivered", w.idle)
	w.close("users")
	if got := waits.For(t, requests); got.method != http.MethodDelete || got.path != "/my-topic/users" || got.header.Get("Authorization") != "Bearer tk_x" {
		t.Errorf("the replacement is %+v", got)
	}
}

// It is not a problem if an ntfy server cannot delete messages, but it is one if the token is wrong.
func TestTopicOfAnOldServer(t *testing.T) {
	w := newWorld(t, nil)
	server, requests := receiving(t, http.StatusOK, http.StatusNotFound, http.StatusForbidden)
	w.notify(Address{URL: strings.Replace(server, "http:", "ntfy:", 1) + "/t?secure=false"})
	w.ask("users")
	w.forward()
	waits.For(t, requests)
	waits.Until(t, "delivered", w.idle)
	w.close("users")
	waits.For(t, requests)
	waits.Until(t, "tried", w.idle)
	if all := w.addresses(); all[0].Problem != "" || !w.service.Reaches() {
		t.Errorf("got %+v", all)
	}
	if err := w.service.Test(t.Context(), "", w.addresses()[0].Endpoint); err != nil {
		t.Fatal(err)
	}
	if all := w.addresses(); all[0].Problem != "the receiver answered 403 Forbidden" || w.service.Reaches() {
		t.Errorf("got %+v", all)
	}
}

// If an ntfy server rejects the token, each message is sent once.
func TestTopicThatRejects(t *testing.T) {
	w := newWorld(t, nil)
	server, requests := receiving(t, http.StatusUnauthorized)
	w.notify(Address{URL: strings.Replace(server, "http:", "ntfy:", 1) + "/t?secure=false", Secret: "tk_old"})
	w.ask("users")
	w.forward()
	waits.For(t, requests)
	w.untilStored()
	waits.Until(t, "given up", w.idle)
	if all := w.addresses(); all[0].Problem != "the receiver answered 401 Unauthorized" || len(requests) > 0 {
		t.Errorf("got %+v, and %d more requests", all, len(requests))
	}
}

// Without a question's text, messages only name the agent. Approvals have no buttons.
func TestHiddenDetails(t *testing.T) {
	approval := protocol.Payload{Approval: &protocol.Approval{Title: "Bash", Subject: protocol.Subject{
		Kind: protocol.SubjectCommand, Name: "Bash", Text: "rm -r /",
	}}}
	for name, test := range map[string]struct {
		hidden  bool
		payload protocol.Payload
		want    ntfyMessage
	}{
		"hidden": {true, protocol.Payload{Followup: &protocol.Followup{Question: "Drop users?", Suggest: []protocol.Suggestion{{Answer: "Yes"}}}}, ntfyMessage{
			Title: "Followup", Message: "Claude Code asks you", Click: "https://page.example/?question=q",
			Actions: []ntfyAction{{Action: "view", Label: "Open", URL: "https://page.example/?question=q", Clear: true}},
		}},
		"approval": {false, approval, ntfyMessage{
			Title: "Claude Code asks you", Message: "rm -r /", Click: "https://page.example/?question=q",
		}},
		"approval, hidden": {true, approval, ntfyMessage{
			Title: "Followup", Message: "Claude Code asks you", Click: "https://page.example/?question=q",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			server, requests := receiving(t)
			hooked, events := receiving(t)
			w.notify(Address{URL: strings.Replace(server, "http:", "ntfy:", 1) + "/t?secure=false", Page: "https://page.example/", Hidden: test.hidden})
			w.notify(Address{URL: hooked, Page: "https://page.example/", Hidden: test.hidden})
			w.put(protocol.InboxItem{QuestionID: "q", Agent: "Claude Code", Payload: test.payload}, time.Now())
			w.forward()
			test.want.Topic, test.want.SequenceID = "t", "q"
			if diff := cmp.Diff(test.want, decoded[ntfyMessage](t, waits.For(t, requests).body)); diff != "" {
				t.Errorf("ntfy (-want +got):\n%s", diff)
			}
			data := decoded[protocol.NotifyEvent](t, waits.For(t, events).body).Data
			if len(data.Choices) > 0 || test.hidden != (data.Text == "") {
				t.Errorf("the webhook got %+v", data)
			}
		})
	}
}

// Questions for a person or a group of a hub are not sent to addresses.
func TestAddressOfAHub(t *testing.T) {
	w := newWorld(t, nil)
	url, requests := receiving(t)
	w.notify(Address{URL: url})
	private := protocol.InboxItem{QuestionID: "for Ann", Agent: "A"}
	private.To = "Ann"
	w.put(private, time.Now())
	w.put(protocol.InboxItem{QuestionID: "for all", Agent: "A"}, time.Now())
	w.forward()
	if got := decoded[protocol.NotifyEvent](t, waits.For(t, requests).body); got.Data.Tag != "for all" {
		t.Errorf("got %+v", got)
	}
	waits.Until(t, "delivered", w.idle)
	if len(requests) > 0 {
		t.Errorf("got %+v too", <-requests)
	}
}

// If two programs name an address, it gets each message once, until both have ended.
func TestAddressOfTwoPrograms(t *testing.T) {
	w := newWorld(t, nil)
	url, requests := receiving(t)
	first, second := w.notify(Address{URL: url}), w.notify(Address{URL: url})
	w.ask("one")
	w.forward()
	waits.For(t, requests)
	first()
	w.ask("two")
	w.forward()
	if got := decoded[protocol.NotifyEvent](t, waits.For(t, requests).body); got.Data.Tag != "two" {
		t.Errorf("got %+v", got)
	}
	waits.Until(t, "delivered", w.idle)
	third := w.notify(Address{URL: url, Hidden: true})
	second()
	if all := w.addresses(); len(all) != 1 || !all[0].Hidden {
		t.Errorf("got %+v", all)
	}
	third()
	if all := w.addresses(); len(all) > 0 || w.service.Reaches() {
		t.Errorf("got %+v", all)
	}
	w.ask("three")
	w.forward()
	if len(requests) > 0 {
		t.Errorf("got %s", (<-requests).body)
	}
}

// A restart repeats no message, remembers the last outcome, and sends the unsent messages.
func TestAddressAfterARestart(t *testing.T) {
	w := newWorld(t, nil)
	url, requests := receiving(t)
	w.notify(Address{URL: url})
	asked := time.Now()
	w.ask("sent")
	w.forward()
	waits.For(t, requests)
	w.untilStored()
	stored, err := w.store.Subscriptions(t.Context())
	if err != nil || strings.Contains(stored[0].Endpoint, "127.0.0.1") {
		t.Errorf("%v: the store has the address: %+v", err, stored)
	}
	late := time.Now().Add(time.Millisecond)
	w.start(nil)
	if all := w.addresses(); len(all) > 0 {
		t.Errorf("before it is named: %+v", all)
	}
	w.notify(Address{URL: url})
	if all := w.addresses(); len(all) != 1 || all[0].LastAt == 0 {
		t.Errorf("got %+v", all)
	}
	w.put(protocol.InboxItem{QuestionID: "sent", Agent: "A"}, asked)
	w.put(protocol.InboxItem{QuestionID: "not sent", Agent: "A"}, late)
	w.forward()
	if got := decoded[protocol.NotifyEvent](t, waits.For(t, requests).body); got.Data.Tag != "not sent" {
		t.Errorf("got %+v", got)
	}
}

// A failing address reports its problem while messages are retried. Closed questions are not sent any more.
func TestAddressThatFails(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.First, o.Limit = time.Hour, 2*time.Hour })
	url, requests := receiving(t, http.StatusInternalServerError)
	end := w.notify(Address{URL: url})
	defer end()
	w.ask("users")
	w.forward()
	waits.For(t, requests)
	waits.Until(t, "a problem", func() bool { return w.addresses()[0].Problem == "the receiver answered 500 Internal Server Error" })
	if w.service.Reaches() {
		t.Error("a failing address counts as working")
	}
}

func TestAddressesAreBounded(t *testing.T) {
	w := newWorld(t, nil)
	url, requests := receiving(t)
	for n := range maxReceivers + 2 {
		end := w.notify(Address{URL: url + "/" + strings.Repeat("x", n)})
		w.ask(strings.Repeat("x", n+1))
		w.forward()
		waits.For(t, requests)
		waits.Until(t, "sent", w.idle)
		end()
		w.close(strings.Repeat("x", n+1))
	}
	waits.Until(t, "bounded", func() bool {
		all, err := w.store.Subscriptions(t.Context())
		return err == nil && len(all) == maxReceivers
	})
}

func TestInvalidAddresses(t *testing.T) {
	w := newWorld(t, nil)
	for name, a := range map[string]Address{
		"nothing":                {},
		"not a URL":              {URL: "https://exa mple.com/secret"},
		"not encrypted":          {URL: "http://example.com/secret"},
		"another scheme":         {URL: "ftp://example.com/secret"},
		"a password":             {URL: "https://me:secret@example.com/"},
		"not a webhook secret":   {URL: "https://example.com/", Secret: "secret"},
		"no topic":               {URL: "ntfy://ntfy.sh"},
		"no server":              {URL: "ntfy:///secret"},
		"two topics":             {URL: "ntfy://ntfy.sh/secret/b"},
		"a long topic":           {URL: "ntfy://ntfy.sh/" + strings.Repeat("secret", 20)},
		"a token in the address": {URL: "ntfy://:secret@ntfy.sh/t"},
		"a token with two lines": {URL: "ntfy://ntfy.sh/t", Secret: "tk_secret\r\nX-Other: 1"},
		"unencrypted ntfy":       {URL: "ntfy://ntfy.sh/t?secure=false"},
		"a negative time":        {URL: "https://example.com/", After: -time.Second},
		"a long time":            {URL: "https://example.com/", After: 48 * time.Hour},
	} {
		_, err := w.service.Notify(t.Context(), a)
		if err == nil || a.Check() == nil || strings.Contains(err.Error(), "secret") && !strings.Contains(err.Error(), "webhook secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all := w.addresses(); len(all) > 0 {
		t.Errorf("got %+v", all)
	}
}

// A private address behind a public name is detected when it is dialled. It gets no message.
func TestAddressInAPrivateNetwork(t *testing.T) {
	w := newWorld(t, nil)
	url, requests := receiving(t)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	for _, a := range []string{strings.Replace(url, "http://127.0.0.1", "https://localhost", 1), strings.Replace(url, "http://127.0.0.1", "ntfy://localhost", 1) + "/t"} {
		if _, err := w.service.Notify(ctx, Address{URL: a}); err != nil {
			t.Fatal(err)
		}
	}
	w.ask("users")
	w.forward()
	waits.Until(t, "refused", func() bool {
		all := w.addresses()
		return strings.Contains(all[0].Problem, "private or reserved network") && strings.Contains(all[1].Problem, "private or reserved network")
	})
	if len(requests) > 0 {
		t.Error("something was sent")
	}
}

// An address is notified after its delay, and not of questions that a window shows.
func TestAddressIsNotifiedLast(t *testing.T) {
	w := newWorld(t, nil)
	url, requests := receiving(t)
	w.notify(Address{URL: url})
	window := w.service.options.Board.Open("", func() {}, func(protocol.Notice, notice.Settings) {})
	window.Attend(notice.Window{Notifies: true, Focused: true, Visible: true})
	window.Asked(protocol.Notice{QuestionID: "seen"}, nil)
	w.ask("seen")
	w.ask("closed in time")
	w.close("closed in time")
	w.forward()
	if !w.idle() || len(requests) > 0 {
		t.Error("something was sent")
	}
	window.Attend(notice.Window{})
	w.forward()
	if got := decoded[protocol.NotifyEvent](t, waits.For(t, requests).body); got.Data.Tag != "seen" {
		t.Errorf("after the user has left: %+v", got)
	}
	waits.Until(t, "sent", w.idle)
	if len(requests) > 0 {
		t.Errorf("also got %s", (<-requests).body)
	}
}
