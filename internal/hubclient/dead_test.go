package hubclient_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"followup/internal/hubclient"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// logged returns a channel of the client's log entries with a message.
func logged(o *hubclient.Options, message string) <-chan map[string]any {
	entries := make(chan map[string]any, 1000)
	core := zapcore.NewCore(zapcore.NewJSONEncoder(zapcore.EncoderConfig{MessageKey: "message", EncodeDuration: zapcore.NanosDurationEncoder}),
		zapcore.AddSync(lines(func(line []byte) {
			var entry map[string]any
			if json.Unmarshal(line, &entry) == nil && entry["message"] == message {
				select {
				case entries <- entry:
				default:
				}
			}
		})), zap.DebugLevel)
	o.Log = zap.New(core)
	return entries
}

type lines func([]byte)

func (l lines) Write(line []byte) (int, error) {
	l(line)
	return len(line), nil
}

// long returns a draft of so many bytes.
func long(bytes int) protocol.SaveDraftParams {
	return protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: strings.Repeat("x", bytes)}}
}

func TestSlowLinkIsKept(t *testing.T) {
	h := newHub(t)
	var slow <-chan map[string]any
	p := h.dial(func(o *hubclient.Options) {
		o.Silence = time.Second
		slow = logged(o, "the link to the hub is slow")
	})
	l := h.next()
	saved := begin(p, protocol.QuestionSaveDraft, long(1<<20))
	_, rest, err := l.conn.Reader(context.Background()) // pings are answered until the message begins
	if err != nil {
		t.Fatal(err)
	}
	select { // nobody reads meanwhile
	case <-slow:
	case <-h.links:
		t.Fatal("a link with a long message in transit was given up")
	}
	var asked message
	if err := json.NewDecoder(rest).Decode(&asked); err != nil {
		t.Fatal(err)
	}
	go func() { _, _, _ = l.conn.Read(context.Background()) }() // answers pings
	l.answer(asked, protocol.SaveDraftResult{})
	if got := waits.For(t, saved); got.err != nil {
		t.Error(got.err)
	}
	l.cut()
}

// A decision that waits behind a dead link was not sent, so it fails, and the next link does not send it.
func TestDeadLinkDecidesNothing(t *testing.T) {
	h := newHub(t)
	p := h.dial(nil)
	l := h.next()
	p.until(protocol.HubConnected)
	draft := begin(p, protocol.QuestionSaveDraft, long(6<<20))        // more than the system buffers
	if _, _, err := l.conn.Reader(context.Background()); err != nil { // the message begins, and nobody reads the rest
		t.Fatal(err)
	}
	sent := begin(p, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "yes"})
	waits.For(t, begin(p, protocol.Initialize, protocol.InitializeParams{})) // rejected locally, after the answer
	l.cut()
	if words := refusal(t, waits.For(t, sent)); !strings.Contains(words, "Nothing was sent") {
		t.Errorf("got %q", words)
	}
	l = h.next()
	l.answer(l.expect(protocol.QuestionSaveDraft.Method), protocol.SaveDraftResult{})
	waits.For(t, draft)
	status := begin(p, protocol.InboxStatus, protocol.None{})
	l.answer(l.expect(protocol.InboxStatus.Method), protocol.InboxStatusResult{})
	waits.For(t, status)
	l.cut()
}

// A question that an agent cancels without a link is cancelled by the next link.
func TestCancelWithoutALink(t *testing.T) {
	h := newHub(t)
	p := h.dial(nil)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	l := h.next()
	p.until(protocol.HubConnected)
	go func() {
		_, err := rpc.CallUntil(ctx, p.conn, jsonrpc2.ID{Str: "asked", IsString: true}, protocol.QuestionAsk, protocol.AskParams{QuestionID: id, Tool: "t"})
		ended <- err
	}()
	asked := l.expect(protocol.QuestionAsk.Method)
	h.always.Store(&starting)
	l.cut()
	p.until(protocol.HubConnecting)
	cancel()
	if err := waits.For(t, ended); !cancelled(err) {
		t.Error(err)
	}
	h.always.Store(nil)
	for range 2 { // the new link may break too
		l = h.next()
		same(t, asked, l.expect(protocol.QuestionAsk.Method))
		if got := l.expect(protocol.CancelRequest.Method); !strings.Contains(string(got.Params), `"asked"`) {
			t.Errorf("cancelled: %s", got.Params)
		}
		l.cut()
	}
	l = h.next()
	asked = l.expect(protocol.QuestionAsk.Method)
	l.expect(protocol.CancelRequest.Method)
	l.send(message{ID: asked.ID, Error: &jsonrpc2.Error{Code: protocol.CodeCancelled, Message: "cancelled"}})
	status := begin(p, protocol.InboxStatus, protocol.None{})
	l.answer(l.expect(protocol.InboxStatus.Method), protocol.InboxStatusResult{})
	waits.For(t, status)
	l.cut()
	l = h.next() // nothing of it is repeated
	status = begin(p, protocol.InboxStatus, protocol.None{})
	l.answer(l.expect(protocol.InboxStatus.Method), protocol.InboxStatusResult{})
	waits.For(t, status)
	l.cut()
}

// If a hub closes every link, the client pauses between attempts.
func TestPauseAfterAClose(t *testing.T) {
	h := newHub(t)
	var away <-chan map[string]any
	h.dial(func(o *hubclient.Options) { away = logged(o, "there is no link") })
	l := h.next()
	_ = l.conn.Close(4002, "groups")
	close(l.done)
	if entry := waits.For(t, away); entry["again"].(float64) <= 0 {
		t.Errorf("tried again after %v", entry["again"])
	}
	h.next().cut()
}

// A hub's text is shown on one line, without characters that control a terminal, and with limited length.
func TestHubTextsAreSanitized(t *testing.T) {
	const evil = "a\x1b[2Jb\n\u202ec"
	clean := func(text string) {
		t.Helper()
		if strings.ContainsAny(text, "\x1b\n\u202e") || utf8.RuneCountInString(text) > 1000 {
			t.Errorf("got %.100q, of %d bytes", text, len(text))
		}
	}
	h := newHub(t)
	p := h.dial(nil)
	l := waits.For(t, h.links)
	name := evil + strings.Repeat("é", 10_000)
	l.answer(l.expect(protocol.Initialize.Method), protocol.InitializeResult{
		ProtocolVersion: protocol.Version, Hub: &protocol.Hub{Name: name, Account: name, Role: protocol.RolePerson},
	})
	l.expect(protocol.Initialized.Method)
	now := p.until(protocol.HubConnected)
	for _, text := range []string{now.Name, now.Account} {
		if clean(text); utf8.RuneCountInString(text) != 100 || !utf8.ValidString(text) {
			t.Errorf("got %q", text)
		}
	}
	status := begin(p, protocol.InboxStatus, protocol.None{})
	asked := l.expect(protocol.InboxStatus.Method)
	l.send(message{ID: asked.ID, Error: &jsonrpc2.Error{Code: protocol.CodeRefused, Message: name}})
	words := refusal(t, waits.For(t, status))
	if clean(words); !strings.HasPrefix(words, "a\ufffd[2Jb") {
		t.Errorf("got %q", words)
	}
	says := handshake(&jsonrpc2.Error{Code: protocol.CodeVersionMismatch, Message: name})
	h.always.Store(&says)
	l.cut()
	clean(p.until(protocol.HubRefused).Problem)
	fails := handshake(&jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: name})
	h.always.Store(&fails)
	begin(p, protocol.InboxStatus, protocol.None{})
	for {
		if now = p.until(protocol.HubConnecting); now.Problem != "" {
			break
		}
	}
	clean(now.Problem)
	clean(now.Name)
}
