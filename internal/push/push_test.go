package push

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap/zaptest"

	"followup/internal/background"
	"followup/internal/notice"
	"followup/internal/protocol"
	"followup/internal/push/pushtest"
	"followup/internal/store"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
)

// world is a service on a store, with a push service and a board whose clock only moves when forward is called.
type world struct {
	t        *testing.T
	store    store.Store
	service  *Service
	provider *pushtest.Service

	mu  sync.Mutex
	due []func()
}

func newWorld(t *testing.T, change func(*Options)) *world {
	w := &world{t: t, provider: pushtest.New(t)}
	opened, _, err := sqlite.Open(t.Context(), t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	w.store = opened
	w.start(change)
	return w
}

// start starts or restarts the service.
func (w *world) start(change func(*Options)) {
	log := zaptest.NewLogger(w.t)
	o := Options{
		Log: log, Background: background.New(log), Gather: time.Millisecond, First: time.Millisecond, Limit: waits.Patience,
		Private: true,
		Store:   func(context.Context) (store.Store, string) { return w.store, "" },
		Board: notice.New(func(_ time.Duration, run func()) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.due = append(w.due, run)
		}, time.Now),
	}
	if change != nil {
		change(&o)
	}
	service := New(o)
	w.service = service
	if err := service.Load(w.t.Context(), w.store); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		service.mu.Lock()
		receivers := slices.Collect(maps.Values(service.receivers))
		service.mu.Unlock()
		for _, b := range receivers {
			b.close()
		}
		waits.Until(w.t, "nothing is sent", func() bool { return idle(service) }) // a later message would be logged after the test
	})
}

// forward advances the clock past all delays.
func (w *world) forward() {
	w.mu.Lock()
	due := w.due
	w.due = nil
	w.mu.Unlock()
	for _, run := range due {
		run()
	}
}

// phone subscribes a person's browser.
func (w *world) phone(person string, change func(*store.Subscription)) *pushtest.Browser {
	w.t.Helper()
	list, err := w.service.List(w.t.Context(), person)
	if err != nil {
		w.t.Fatal(err)
	}
	b := w.provider.Subscribe(list.Key)
	one := store.Subscription{Person: person, Endpoint: b.Endpoint, P256dh: b.P256dh, Auth: b.Auth, Name: "Phone", Silent: true}
	if change != nil {
		change(&one)
	}
	if err := w.service.Subscribe(w.t.Context(), one); err != nil {
		w.t.Fatal(err)
	}
	return b
}

// ask asks a question with suggestions.
func (w *world) ask(id string, answers ...string) {
	asked := protocol.Followup{Question: "Drop **" + id + "**?"}
	for _, answer := range answers {
		asked.Suggest = append(asked.Suggest, protocol.Suggestion{Answer: answer})
	}
	w.put(protocol.InboxItem{QuestionID: id, Agent: "Claude Code", Payload: protocol.Payload{Followup: &asked}}, time.Now())
}

func (w *world) put(item protocol.InboxItem, since time.Time) {
	w.service.Changed(item.QuestionID, true, func() (protocol.InboxItem, time.Time) { return item, since })
}

func (w *world) close(id string) { w.service.Changed(id, false, nil) }

// next blocks until the next message arrives.
func (w *world) next(b *pushtest.Browser) (m protocol.PushMessage) {
	w.t.Helper()
	select {
	case got := <-b.Received:
		if err := json.Unmarshal(got.Body, &m); err != nil {
			w.t.Fatal(err)
		}
		if topic := got.Header.Get("Topic"); len(topic) != 32 || got.Header.Get("Urgency") == "" {
			w.t.Errorf("the header is %v", got.Header)
		}
	case <-time.After(waits.Patience):
		w.t.Fatal("no message arrived")
	}
	return m
}

// until blocks until a person's list of browsers is as wanted.
func (w *world) until(person, what string, is func([]protocol.PushReceiver) bool) {
	w.t.Helper()
	waits.Until(w.t, what, func() bool {
		list, err := w.service.List(w.t.Context(), person)
		if err != nil {
			w.t.Fatal(err)
		}
		return is(list.Browsers)
	})
}

// untilStored blocks until the outcome of the first browser's last message is stored.
func (w *world) untilStored() {
	w.t.Helper()
	waits.Until(w.t, "stored", func() bool {
		all, err := w.store.Subscriptions(w.t.Context())
		return err == nil && len(all) > 0 && !all[0].LastAt.IsZero()
	})
}

func TestQuestionIsPushed(t *testing.T) {
	w := newWorld(t, nil)
	b := w.phone("", nil)
	w.ask("users", "Yes", "No", "Later")
	w.forward()
	want := protocol.PushMessage{
		Tag: "users", Title: "Claude Code asks you", Text: "Drop users?", QuestionID: "users", Ask: protocol.AskFollowup, Choices: []string{"Yes", "No"},
	}
	if m := w.next(b); fmt.Sprint(m) != fmt.Sprint(want) {
		t.Errorf("got %+v", m)
	}
	w.until("", "delivered", func(all []protocol.PushReceiver) bool { return all[0].LastAt > 0 && all[0].Problem == "" })
	w.close("users")
	if m := w.next(b); m.Tag != "users" || !m.Over || m.Text != "No answer is needed any more." || len(m.Choices) > 0 {
		t.Errorf("the replacement is %+v", m)
	}
}

func TestWhatIsNotPushed(t *testing.T) {
	w := newWorld(t, nil)
	b := w.phone("", nil)
	loud := w.phone("", func(s *store.Subscription) { s.Silent = false })
	w.ask("closed in time")
	w.close("closed in time")
	w.ask("cut off", strings.Repeat("long ", 20), "No")
	w.put(protocol.InboxItem{QuestionID: "of before"}, time.Now().Add(-time.Hour))
	w.forward()
	for _, each := range []*pushtest.Browser{b, loud} {
		if m := w.next(each); m.Tag != "cut off" || len(m.Choices) > 0 {
			t.Errorf("got %+v", m)
		}
	}
	w.until("", "delivered", func(all []protocol.PushReceiver) bool { return all[0].LastAt > 0 && all[1].LastAt > 0 })
	w.close("cut off")
	w.next(b)
	w.ask("dismissed")
	w.forward()
	w.next(b)
	w.next(loud)
	waits.Until(t, "delivered", w.idle)
	w.service.Dismiss("", b.Endpoint, "dismissed")
	w.close("dismissed")
	w.ask("the next")
	w.forward()
	if m := w.next(b); m.Over {
		t.Error("a notification that the user has answered was replaced")
	}
	if m := w.next(loud); m.Over {
		t.Error("a browser that would ring again got a replacement")
	}
}

func TestHiddenText(t *testing.T) {
	w := newWorld(t, nil)
	b := w.phone("", func(s *store.Subscription) { s.Hidden, s.Locale = true, "fr" })
	w.ask("users", "Yes", "No")
	w.forward()
	want := protocol.PushMessage{Tag: "users", Title: "Claude Code vous pose une question", QuestionID: "users", Ask: protocol.AskFollowup}
	if m := w.next(b); fmt.Sprint(m) != fmt.Sprint(want) {
		t.Errorf("got %+v", m)
	}
}

// Up to three simultaneous questions get a push each. More share one, which is replaced when the last one closes.
func TestManyAtOnce(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.Gather = time.Hour })
	b := w.phone("", nil)
	for n := range 3 {
		w.ask(fmt.Sprint("few", n))
	}
	w.forward()
	w.join()
	var tags []string
	for range 3 {
		tags = append(tags, w.next(b).Tag)
	}
	if slices.Sort(tags); !slices.Equal(tags, []string{"few0", "few1", "few2"}) {
		t.Errorf("got %v", tags)
	}
	for n := range 20 {
		w.ask(fmt.Sprint("many", n), "Yes")
	}
	w.forward()
	w.join()
	m := w.next(b)
	if m.Title != "20 questions wait for you" || m.Text != "Claude Code asks you" || m.QuestionID != "" || len(m.Choices) > 0 {
		t.Errorf("got %+v", m)
	}
	w.until("", "delivered", func([]protocol.PushReceiver) bool { return w.idle() })
	for n := range 20 {
		w.close(fmt.Sprint("many", n))
	}
	if over := w.next(b); over.Tag != m.Tag || !over.Over {
		t.Errorf("got %+v", over)
	}
	if len(b.Received) > 0 {
		t.Error("got more messages")
	}
}

// join joins the due messages.
func (w *world) join() {
	for _, b := range w.service.receivers {
		b.join()
	}
}

// idle reports whether all messages have been sent.
func (w *world) idle() bool { return idle(w.service) }

func idle(s *Service) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.receivers {
		if b.sending || len(b.due) > 0 {
			return false
		}
	}
	return true
}

func TestMessageIsRetried(t *testing.T) {
	w := newWorld(t, nil)
	b := w.phone("", nil)
	w.provider.Answer(b, http.StatusServiceUnavailable, http.StatusTooManyRequests)
	w.ask("users")
	w.forward()
	if m := w.next(b); m.Tag != "users" {
		t.Errorf("got %+v", m)
	}
}

// The Retry-After of a push service applies, whether it is shorter than the own pause or beyond the limit.
func TestRetryAfter(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.First, o.Limit = time.Hour, time.Hour })
	w.provider.RetryAfter = "0"
	b := w.phone("", nil)
	w.provider.Answer(b, http.StatusServiceUnavailable)
	w.ask("users")
	w.forward()
	if m := w.next(b); m.Tag != "users" {
		t.Errorf("got %+v", m)
	}

	w = newWorld(t, func(o *Options) { o.Limit = time.Hour })
	w.provider.RetryAfter = "3600"
	b = w.phone("", nil)
	w.provider.Answer(b, http.StatusTooManyRequests)
	w.ask("users")
	w.forward()
	w.untilStored()
	w.until("", "given up", func(all []protocol.PushReceiver) bool {
		return all[0].Problem == "the receiver answered 429 Too Many Requests"
	})
	if len(b.Received) > 0 {
		t.Error("it was sent too early")
	}
}

func TestContact(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.Contact = "mailto:admin@example.com" })
	w.provider.Contact = "mailto:admin@example.com"
	b := w.phone("", nil)
	w.ask("users")
	w.forward()
	w.next(b)
	for text, good := range map[string]bool{
		"mailto:admin@example.com": true, "https://example.com/contact": true,
		"admin@example.com": false, "mailto:admin": false, "https://": false, "http://example.com": false, "": false, "%": false,
	} {
		if err := CheckContact(text); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestRejectedMessage(t *testing.T) {
	w := newWorld(t, nil)
	b := w.phone("", nil)
	w.provider.Answer(b, http.StatusForbidden)
	w.ask("users")
	w.forward()
	w.until("", "refused", func(all []protocol.PushReceiver) bool {
		return all[0].Problem == "the receiver answered 403 Forbidden" && all[0].LastAt > 0
	})
	if w.service.Reaches() {
		t.Error("a failing browser counts as working")
	}
	w.untilStored()
	w.start(nil)
	w.until("", "a restart", func(all []protocol.PushReceiver) bool { return len(all) == 1 && all[0].Problem != "" })
	if err := w.service.Test(t.Context(), "", b.Endpoint); err != nil {
		t.Fatal(err)
	}
	if m := w.next(b); m.Text != "Notifications reach this browser." {
		t.Errorf("got %+v", m)
	}
	w.until("", "tested", func(all []protocol.PushReceiver) bool { return all[0].Problem == "" })
	if !w.service.Reaches() {
		t.Error("the browser does not count as working")
	}
}

func TestUnsubscribedBrowser(t *testing.T) {
	for _, status := range []int{http.StatusNotFound, http.StatusGone} {
		w := newWorld(t, nil)
		w.provider.Answer(w.phone("", nil), status)
		other := w.phone("", nil)
		w.ask("users")
		w.forward()
		w.next(other)
		w.until("", "removed", func(all []protocol.PushReceiver) bool { return len(all) == 1 && all[0].Endpoint == other.Endpoint })
		waits.Until(t, "removed from the store", func() bool {
			stored, err := w.store.Subscriptions(t.Context())
			return err == nil && len(stored) == 1
		})
	}
}

// After a restart, nothing is pushed twice, and unsent messages are sent.
func TestRestart(t *testing.T) {
	w := newWorld(t, nil)
	b := w.phone("", nil)
	asked := time.Now()
	w.ask("pushed")
	w.forward()
	w.next(b)
	w.untilStored()
	late := time.Now().Add(time.Millisecond)
	w.start(nil)
	w.put(protocol.InboxItem{QuestionID: "pushed", Agent: "A"}, asked)
	w.put(protocol.InboxItem{QuestionID: "not pushed", Agent: "A"}, late)
	w.forward()
	if m := w.next(b); m.Tag != "not pushed" {
		t.Errorf("got %+v", m)
	}
}

// Another person's endpoint is useless without its keys. Its owner keeps the subscription.
func TestStolenEndpoint(t *testing.T) {
	w := newWorld(t, nil)
	mine := w.phone("ann", nil)
	thief := w.provider.Subscribe("")
	stolen := store.Subscription{Person: "bob", Endpoint: mine.Endpoint, P256dh: thief.P256dh, Auth: thief.Auth}
	if err := w.service.Subscribe(t.Context(), stolen); err != nil {
		t.Fatal(err)
	}
	if err := w.service.Unsubscribe(t.Context(), "bob", mine.Endpoint); err != nil {
		t.Fatal(err)
	}
	if err := w.service.Test(t.Context(), "bob", mine.Endpoint); err != nil {
		t.Fatal(err)
	}
	w.ask("users")
	w.forward()
	if m := w.next(mine); m.Tag != "users" {
		t.Errorf("got %+v", m)
	}
	// The same browser under another account belongs to that account.
	if err := w.service.Subscribe(t.Context(), store.Subscription{Person: "bob", Endpoint: mine.Endpoint, P256dh: mine.P256dh, Auth: mine.Auth}); err != nil {
		t.Fatal(err)
	}
	w.until("ann", "moved", func(all []protocol.PushReceiver) bool { return len(all) == 0 })
	w.until("bob", "moved", func(all []protocol.PushReceiver) bool { return len(all) == 1 })
}

// A push service rejects messages that another server has signed.
func TestForgedPush(t *testing.T) {
	w := newWorld(t, nil)
	b := w.phone("", nil)
	other := newWorld(t, nil)
	other.provider = w.provider
	if err := other.service.Subscribe(t.Context(), store.Subscription{Endpoint: b.Endpoint, P256dh: b.P256dh, Auth: b.Auth}); err != nil {
		t.Fatal(err)
	}
	if err := other.service.Test(t.Context(), "", b.Endpoint); err != nil {
		t.Fatal(err)
	}
	other.until("", "refused", func(all []protocol.PushReceiver) bool { return strings.Contains(all[0].Problem, "403") })
	if len(b.Received) > 0 {
		t.Error("a forged message arrived")
	}
}

func TestInvalidSubscriptions(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.Private = false })
	good := w.provider.Subscribe("")
	for name, change := range map[string]func(*store.Subscription){
		"not encrypted":   func(s *store.Subscription) { s.Endpoint = good.Endpoint },
		"no address":      func(s *store.Subscription) { s.Endpoint = "push" },
		"a password":      func(s *store.Subscription) { s.Endpoint = "https://me:secret@push.example/" },
		"too long":        func(s *store.Subscription) { s.Endpoint += strings.Repeat("x", 3000) },
		"no key":          func(s *store.Subscription) { s.P256dh = "" },
		"no point":        func(s *store.Subscription) { s.P256dh = encode(make([]byte, 65)) },
		"no secret":       func(s *store.Subscription) { s.Auth = "AA" },
		"a negative time": func(s *store.Subscription) { s.After = -time.Second },
		"a long time":     func(s *store.Subscription) { s.After = 48 * time.Hour },
	} {
		one := store.Subscription{Endpoint: "https://push.example/x", P256dh: good.P256dh, Auth: good.Auth}
		change(&one)
		if err := w.service.Subscribe(t.Context(), one); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	// A private address behind a public name is detected when it is dialled.
	loopback := store.Subscription{Endpoint: strings.Replace(good.Endpoint, "http://127.0.0.1", "https://localhost", 1), P256dh: good.P256dh, Auth: good.Auth}
	if err := w.service.Subscribe(t.Context(), loopback); err != nil {
		t.Fatal(err)
	}
	if err := w.service.Test(t.Context(), "", loopback.Endpoint); err != nil {
		t.Fatal(err)
	}
	w.until("", "refused", func(all []protocol.PushReceiver) bool {
		return strings.Contains(all[0].Problem, "private or reserved network")
	})
}

func TestBrowsersAreBounded(t *testing.T) {
	w := newWorld(t, nil)
	first := w.phone("", nil)
	for range maxReceivers {
		w.phone("", nil)
	}
	w.phone("ann", nil)
	w.until("", "bounded", func(all []protocol.PushReceiver) bool {
		return len(all) == maxReceivers && !slices.ContainsFunc(all, func(b protocol.PushReceiver) bool { return b.Endpoint == first.Endpoint })
	})
	w.service.Forget(t.Context(), "")
	w.until("", "forgotten", func(all []protocol.PushReceiver) bool { return len(all) == 0 })
	w.until("ann", "another person's browser stays", func(all []protocol.PushReceiver) bool { return len(all) == 1 })
}
