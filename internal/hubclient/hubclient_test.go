package hubclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/hubclient"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

const id = "019a9c00-0000-7000-8000-000000000001"

// refusal returns the user's words from a call's error, which must be a refusal.
func refusal[R any](t testing.TB, got result[R]) string {
	t.Helper()
	var wrong *jsonrpc2.Error
	if !errors.As(got.err, &wrong) || wrong.Code != protocol.CodeRefused {
		t.Fatalf("got %v, %v, want a refusal", got.value, got.err)
	}
	return wrong.Message
}

func TestUnansweredRequestsAreRepeated(t *testing.T) {
	h := newHub(t)
	p := h.dial(nil)
	opens := begin(p, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "a", Key: "k"})
	first := h.next()
	if first.header.Get("Authorization") != "Bearer followup_TOKEN" || strings.Contains(h.url.String(), "TOKEN") {
		t.Errorf("the token is %q", first.header.Get("Authorization"))
	}
	if o := first.hello.InitializationOptions; o.StorageFolder != "" || o.Locale != "fr" || o.ProtocolVersion != protocol.Version {
		t.Errorf("the hub got %+v", o)
	}
	opening := first.expect(protocol.SessionOpen.Method)
	first.answer(opening, protocol.SessionOpenResult{Session: "s"})
	if got := waits.For(t, opens); got.err != nil || got.value.Session != "s" {
		t.Fatal(got)
	}
	answered := begin(p, protocol.QuestionAsk, protocol.AskParams{Session: "s", QuestionID: id, Tool: "t", Input: json.RawMessage(`{"a":1}`)})
	asked := first.expect(protocol.QuestionAsk.Method)
	first.cut()
	if away := p.until(protocol.HubConnecting); away.Account != "" {
		t.Errorf("away as %+v", away)
	}

	second := h.next()
	same(t, opening, second.expect(protocol.SessionOpen.Method))
	again := second.expect(protocol.QuestionAsk.Method)
	same(t, asked, again)
	if string(again.ID) != string(asked.ID) {
		t.Errorf("asked again as %s, want %s", again.ID, asked.ID)
	}
	second.cut()

	third := h.next()
	reopened := third.expect(protocol.SessionOpen.Method)
	third.answer(reopened, protocol.SessionOpenResult{Session: "s"})
	third.answer(third.expect(protocol.QuestionAsk.Method), protocol.Answer{QuestionID: id, Outcome: protocol.OutcomeAnswered, Text: "yes"})
	if got := waits.For(t, answered); got.err != nil || got.value.Text != "yes" {
		t.Fatal(got)
	}
	// Closed sessions are not opened again, and answered requests are not repeated.
	closes := begin(p, protocol.SessionClose, protocol.SessionCloseParams{Session: "s"})
	third.answer(third.expect(protocol.SessionClose.Method), protocol.None{})
	waits.For(t, closes)
	third.cut()
	fourth := h.next()
	status := begin(p, protocol.InboxStatus, protocol.None{})
	fourth.answer(fourth.expect(protocol.InboxStatus.Method), protocol.InboxStatusResult{Shown: true})
	if got := waits.For(t, status); !got.value.Shown {
		t.Error(got)
	}
	p.hangUp()
	if _, _, err := fourth.conn.Read(context.Background()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("the end is reported as %v", err)
	}
	close(fourth.done)
}

func TestPermanentFailuresAreReported(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", code) }
	}
	for _, test := range []struct {
		name    string
		instead http.HandlerFunc
		want    string
	}{
		{"a rejected token", status(http.StatusUnauthorized), "does not accept the token"},
		{"another server", status(http.StatusNotFound), "There is no Followup hub"},
		{"a page", status(http.StatusOK), "There is no Followup hub"},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example/rpc", http.StatusTemporaryRedirect)
		}, "There is no Followup hub"},
		{"another version", handshake(&jsonrpc2.Error{Code: protocol.CodeVersionMismatch, Message: "speaks 2"}), "speaks 2"},
		{"a sidecar that is not a hub", handshake(nil), "There is no Followup hub"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHub(t)
			h.always.Store(&test.instead)
			p := h.dial(nil)
			got := waits.For(t, begin(p, protocol.InboxStatus, protocol.None{}))
			if words := refusal(t, got); !strings.Contains(words, test.want) || strings.Contains(words, "TOKEN") {
				t.Errorf("got %q, want %q", words, test.want)
			}
			if now := p.until(protocol.HubRefused); !strings.Contains(now.Problem, test.want) {
				t.Errorf("the state is %+v", now)
			}
			// Another request causes another attempt.
			h.always.Store(nil)
			untilLinked(p, h).cut()
		})
	}
}

// untilLinked sends requests until a running attempt has ended and the next one has made a link, which it returns.
func untilLinked(p *peer, h *hub) *link {
	p.t.Helper()
	for {
		again := begin(p, protocol.InboxStatus, protocol.None{})
		select {
		case got := <-again:
			refusal(p.t, got)
		case l := <-h.links:
			l.welcome()
			l.expect(protocol.Initialized.Method)
			l.answer(l.expect(protocol.InboxStatus.Method), protocol.InboxStatusResult{})
			if got := waits.For(p.t, again); got.err != nil {
				p.t.Error(got.err)
			}
			return l
		}
	}
}

// handshake accepts a link, and answers its handshake with an error, or like a sidecar that is not a hub.
func handshake(wrong *jsonrpc2.Error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		var hello message
		if _, body, err := conn.Read(r.Context()); err == nil {
			_ = json.Unmarshal(body, &hello)
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": hello.ID, "result": protocol.InitializeResult{ProtocolVersion: protocol.Version}}
		if wrong != nil {
			answer = map[string]any{"jsonrpc": "2.0", "id": hello.ID, "error": wrong}
		}
		body, _ := json.Marshal(answer)
		_ = conn.Write(r.Context(), websocket.MessageText, body)
		_, _, _ = conn.Read(r.Context())
	}
}

func TestCertificateThatIsNotTrusted(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	server.Config.ErrorLog = nil
	h := &hub{t: t}
	h.url, _ = url.Parse(server.URL)
	p := h.dial(nil)
	got := waits.For(t, begin(p, protocol.InboxStatus, protocol.None{}))
	if words := refusal(t, got); !strings.Contains(words, "is not trusted") {
		t.Errorf("got %q", words)
	}
}

// A missing hub may be there later.
func TestTemporaryFailuresAreRetried(t *testing.T) {
	h := newHub(t)
	h.refuse <- starting
	p := h.dial(nil)
	status := begin(p, protocol.InboxStatus, protocol.None{})
	l := h.next()
	l.answer(l.expect(protocol.InboxStatus.Method), protocol.InboxStatusResult{Shown: true})
	if got := waits.For(t, status); got.err != nil || !got.value.Shown {
		t.Error(got)
	}
	// After a link has worked, an error may come from something in between.
	h.refuse <- http.NotFound
	l.cut()
	h.next().cut()
	// The client also reconnects after the account's rights have changed.
	l = h.next()
	_ = l.conn.Close(4002, "groups")
	close(l.done)
	h.next().cut()
}

// Retry ends the pause before the next attempt.
func TestRetry(t *testing.T) {
	h := newHub(t)
	retry := make(chan struct{})
	p := h.dial(func(o *hubclient.Options) { o.First, o.Last, o.Retry = time.Hour, time.Hour, retry })
	l := h.next()
	p.until(protocol.HubConnected)
	l.cut()
	p.until(protocol.HubConnecting)
	retry <- struct{}{}
	h.next().cut()
}

func TestTokenRevokedDuringARequest(t *testing.T) {
	h := newHub(t)
	p := h.dial(nil)
	waiting := begin(p, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: id})
	l := h.next()
	l.expect(protocol.QuestionAwait.Method)
	_ = l.conn.Close(4001, "revoked")
	close(l.done)
	if words := refusal(t, waits.For(t, waiting)); !strings.Contains(words, "revoked") {
		t.Errorf("got %q", words)
	}
	if now := p.until(protocol.HubRefused); now.Name != "Team" {
		t.Errorf("the state is %+v", now)
	}
}

func TestTokenThatCannotBeRead(t *testing.T) {
	h := newHub(t)
	readable := make(chan struct{})
	p := h.dial(func(o *hubclient.Options) {
		o.Token = func() (string, error) {
			select {
			case <-readable:
				return "followup_OTHER", nil
			default:
				return "", errors.New("no token is there")
			}
		}
	})
	if words := refusal(t, waits.For(t, begin(p, protocol.InboxStatus, protocol.None{}))); words != "no token is there" {
		t.Errorf("got %q", words)
	}
	close(readable)
	l := untilLinked(p, h)
	if l.header.Get("Authorization") != "Bearer followup_OTHER" {
		t.Errorf("the token is %q", l.header.Get("Authorization"))
	}
	l.cut()
}

// open returns an open question.
func open(id string) protocol.InboxItem {
	return protocol.InboxItem{
		QuestionID: id, State: protocol.ItemPending, Agent: "a", Ask: protocol.AskFollowup,
		Payload: protocol.Payload{Followup: &protocol.Followup{Question: id + "?", Suggest: []protocol.Suggestion{}}},
	}
}

func TestInboxAfterABrokenLink(t *testing.T) {
	h := newHub(t)
	p := h.dial(nil)
	subscribed := begin(p, protocol.InboxSubscribe, protocol.None{})
	l := h.next()
	l.answer(l.expect(protocol.InboxSubscribe.Method), protocol.Inbox{Items: []protocol.InboxItem{open("answered"), open("stays")}, More: 1})
	if got := waits.For(t, subscribed); got.err != nil || len(got.value.Items) != 2 {
		t.Fatal(got)
	}
	l.change(protocol.InboxChange{Items: []protocol.InboxItem{open("gone"), open("late")}})
	if change := waits.For(t, p.changes); len(change.Items) != 2 {
		t.Error(change)
	}
	rpc.Notify(p.conn, protocol.InboxDidShow, protocol.InboxDidShowParams{Shown: false})
	hidden := l.expect(protocol.InboxDidShow.Method)
	h.refuse <- starting
	l.cut()
	if change := waits.For(t, p.changes); change.Storage == nil || change.Storage.Saved || !strings.Contains(change.Storage.Problem, "Team") {
		t.Errorf("the broken link is reported as %+v", change)
	}

	l = h.next()
	again := l.expect(protocol.InboxSubscribe.Method)
	same(t, hidden, l.expect(protocol.InboxDidShow.Method))
	l.answer(again, protocol.Inbox{Items: []protocol.InboxItem{open("stays")}, More: 1})
	saved := untilSaved(p)
	if len(saved.Items) != 1 || saved.More != 1 {
		t.Errorf("the snapshot is %+v", saved)
	}
	l.change(protocol.InboxChange{Items: []protocol.InboxItem{open("new"), open("late")}})
	if change := waits.For(t, p.changes); len(change.Items) != 2 || change.Items[0].QuestionID != "new" {
		t.Errorf("the rest of the snapshot is %+v", change)
	}
	outcome := protocol.ItemOutcome{Outcome: protocol.OutcomeAnswered, Text: "yes", AnsweredBy: "grace"}
	for range 2 {
		asked := l.expect(protocol.HistoryGet.Method)
		if strings.Contains(string(asked.Params), "answered") {
			l.answer(asked, protocol.HistoryEntry{QuestionID: "answered", Outcome: outcome})
			change := waits.For(t, p.changes)
			if len(change.Items) != 1 || change.Items[0].State != protocol.ItemClosed || change.Items[0].Outcome == nil ||
				change.Items[0].Outcome.AnsweredBy != "grace" || change.Items[0].Payload.Followup == nil {
				t.Errorf("a closed question is reported as %+v", change)
			}
		} else {
			l.send(message{ID: asked.ID, Error: &jsonrpc2.Error{Code: protocol.CodeUnknown, Message: "no"}})
			if change := waits.For(t, p.changes); len(change.Removed) != 1 || change.Removed[0] != "gone" {
				t.Errorf("a deleted question is reported as %+v", change)
			}
		}
	}
	l.cut()
}

// untilSaved returns the first change after a broken link.
func untilSaved(p *peer) protocol.InboxChange {
	p.t.Helper()
	for {
		if change := waits.For(p.t, p.changes); change.Storage == nil || change.Storage.Saved {
			return change
		}
	}
}

func TestNothingIsDecidedWithoutALink(t *testing.T) {
	h := newHub(t)
	p := h.dial(nil)
	h.next().cut()
	p.until(protocol.HubConnected)
	p.until(protocol.HubConnecting)
	answers := map[string]<-chan result[protocol.CloseResult]{
		"answer":  begin(p, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "yes"}),
		"reply":   begin(p, protocol.QuestionReply, protocol.ReplyParams{QuestionID: id, Text: "why?"}),
		"dismiss": begin(p, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id}),
	}
	for name, answer := range answers {
		if words := refusal(t, waits.For(t, answer)); !strings.Contains(words, "Nothing was sent") {
			t.Errorf("%s: got %q", name, words)
		}
	}
	// A draft waits for the link, and so does a request for the result of an answer in transit.
	draft := begin(p, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: "ye"}})
	l := h.next()
	l.answer(l.expect(protocol.QuestionSaveDraft.Method), protocol.SaveDraftResult{})
	if got := waits.For(t, draft); got.err != nil {
		t.Error(got.err)
	}
	sent := begin(p, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "yes"})
	asked := l.expect(protocol.QuestionAnswer.Method)
	l.cut()
	l = h.next()
	again := l.expect(protocol.QuestionAnswer.Method)
	same(t, asked, again)
	l.answer(again, protocol.CloseResult{Accepted: true})
	if got := waits.For(t, sent); got.err != nil || !got.value.Accepted {
		t.Error(got)
	}
	l.cut()
}

func TestCancelling(t *testing.T) {
	h := newHub(t)
	p := h.dial(nil)
	wait := func(name string) (cancel context.CancelFunc, ended chan error) {
		ctx, cancel := context.WithCancel(context.Background())
		ended = make(chan error, 1)
		go func() {
			_, err := rpc.CallUntil(ctx, p.conn, jsonrpc2.ID{Str: name, IsString: true}, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: id})
			ended <- err
		}()
		return cancel, ended
	}
	l := h.next()
	cancel, ended := wait("here")
	asked := l.expect(protocol.QuestionAwait.Method)
	cancel()
	if got := l.expect(protocol.CancelRequest.Method); !strings.Contains(string(got.Params), "here") {
		t.Errorf("cancelled: %s", got.Params)
	}
	l.send(message{ID: asked.ID, Error: &jsonrpc2.Error{Code: protocol.CodeCancelled, Message: "cancelled"}})
	if err := waits.For(t, ended); !cancelled(err) {
		t.Error(err)
	}
	// Without a link, it ends at once and is not repeated.
	cancel, ended = wait("away")
	l.expect(protocol.QuestionAwait.Method)
	h.always.Store(&starting)
	p.until(protocol.HubConnected)
	l.cut()
	p.until(protocol.HubConnecting)
	cancel()
	if err := waits.For(t, ended); !cancelled(err) {
		t.Error(err)
	}
	h.always.Store(nil)
	l = h.next()
	status := begin(p, protocol.InboxStatus, protocol.None{})
	l.answer(l.expect(protocol.InboxStatus.Method), protocol.InboxStatusResult{})
	waits.For(t, status)
	l.cut()
}

func cancelled(err error) bool {
	var wrong *jsonrpc2.Error
	return errors.As(err, &wrong) && wrong.Code == protocol.CodeCancelled
}

// A link is given up if a proxy keeps it open but forwards nothing.
func TestSilentLinkIsGivenUp(t *testing.T) {
	h := newHub(t)
	h.dial(func(o *hubclient.Options) { o.Silence = 20 * time.Millisecond })
	first := waits.For(t, h.links)
	first.welcome() // nobody reads from it any more, so no ping is answered
	second := waits.For(t, h.links)
	first.cut()
	second.cut()
}
