package mcp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap/zaptest"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
)

// agent is a client of the real SDK, with the server and its sidecar in the same process.
type agent struct {
	t       *testing.T
	session *sdk.ClientSession
	// end ends the server as the client's exit does, and waits for it.
	end func()
}

// starting configures an agent.
type starting struct {
	name, version string
	folder        string // of the store
	change        func(*Options)
	client        sdk.ClientOptions
	held          *held // between the server and its sidecar; may be nil
}

// sidecar connects to a folder's host.
func sidecar(t *testing.T, folder string, between *held) (conn *rpc.Conn, leave func()) {
	t.Helper()
	in, out, leave := rpctest.Pipe(t, folder)
	o := rpc.Options{In: in, Out: out, Log: zaptest.NewLogger(t)}
	if between != nil {
		between.ReadCloser, between.Writer = o.In, o.Out
		o.In, o.Out = between, between
	}
	return rpc.Dial(context.Background(), &rpc.Router{}, o), leave
}

func start(t *testing.T, s starting) *agent {
	t.Helper()
	log := zaptest.NewLogger(t)
	sidecar, leave := sidecar(t, s.folder, s.held)
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	never := time.Duration(0)
	options := Options{
		In: toServer, Out: fromServer, Log: log, Version: "test", StorageFolder: s.folder, Locale: locale.English,
		Env: func(string) string { return "" }, Folder: "/project", Parent: 7, Limit: &never,
		Sidecar: sidecar,
	}
	if s.change != nil {
		s.change(&options)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := Serve(context.Background(), options); err != nil {
			t.Error(err)
		}
		_ = fromServer.Close()
		leave()
	}()
	if s.name == "" {
		s.name = "test-agent"
	}
	client := sdk.NewClient(&sdk.Implementation{Name: s.name, Title: "Test Agent", Version: "1"}, &s.client)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, &sdk.ClientSessionOptions{ProtocolVersion: s.version})
	if err != nil {
		t.Fatal(err)
	}
	a := &agent{t: t, session: session}
	a.end = func() {
		_ = fromClient.Close() // the client's process has exited
		<-served
	}
	t.Cleanup(func() {
		a.end()
		_ = session.Close()
	})
	return a
}

// held delays a sidecar's output, from a given word on, until a request to the sidecar is cancelled.
type held struct {
	io.ReadCloser
	io.Writer
	from            string
	came, cancelled context.Context
	come, cancel    context.CancelFunc
}

func hold(from string) *held {
	h := &held{from: from}
	h.came, h.come = context.WithCancel(context.Background())
	h.cancelled, h.cancel = context.WithCancel(context.Background())
	return h
}

func (h *held) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	if bytes.Contains(p[:n], []byte(h.from)) {
		h.come()
		<-h.cancelled.Done()
	}
	return n, err
}

func (h *held) Write(p []byte) (int, error) {
	n, err := h.Writer.Write(p)
	if bytes.Contains(p, []byte(protocol.CancelRequest.Method)) {
		h.cancel()
	}
	return n, err
}

// response is the result of a call.
type response struct {
	result *sdk.CallToolResult
	err    error
}

// call calls a tool. Cancelling the context cancels the call, as the client's user would.
func (a *agent) call(ctx context.Context, tool, input string) <-chan response {
	return a.send(ctx, &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(input)})
}

func (a *agent) send(ctx context.Context, params *sdk.CallToolParams) <-chan response {
	came := make(chan response, 1)
	go func() {
		result, err := a.session.CallTool(ctx, params)
		came <- response{result, err}
	}()
	return came
}

// text returns a result's only text.
func (a *agent) text(got response) string {
	a.t.Helper()
	if got.err != nil {
		a.t.Fatal(got.err)
	}
	if len(got.result.Content) == 0 || got.result.StructuredContent != nil {
		a.t.Fatalf("got %+v", got.result)
	}
	return got.result.Content[0].(*sdk.TextContent).Text
}

const followup = "ask_followup_question"

// pending waits until a question is shown, and returns its item.
func pending(e *rpctest.Editor, question string) (found protocol.InboxItem) {
	e.Until(func() bool {
		for _, item := range e.Items {
			if item.State == protocol.ItemPending && item.Payload.Followup != nil && item.Payload.Question == question {
				found = item
				return true
			}
		}
		return false
	})
	return found
}

func typed(e *rpctest.Editor, id, text string) {
	rpctest.Call(e, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: text})
}

var png = []byte("\x89PNG\r\n\x1a\n one")

// Every version of the protocol can ask here and get words and an image from an editor.
func TestAskedAndAnswered(t *testing.T) {
	t.Parallel()
	for _, version := range sdk.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			folder := t.TempDir()
			e := rpctest.ConnectTo(t, folder, nil)
			a := start(t, starting{version: version, folder: folder})
			listed, err := a.session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, tool := range listed.Tools {
				if !tool.Annotations.ReadOnlyHint || tool.Meta["anthropic/alwaysLoad"] != true || tool.OutputSchema != nil {
					t.Errorf("%+v", tool)
				}
			}
			came := a.call(t.Context(), followup, `{"question":"Which port?","follow_up":[{"text":"8080","mode":"code"},{"text":"3000"}]}`)
			item := pending(e, "Which port?")
			if item.Agent != "Test Agent" || len(item.Payload.Suggest) != 2 || item.Workspaces[0].URI != "file:///project" || item.Orphaned {
				t.Errorf("the editor shows %+v", item)
			}
			rpctest.Call(e, protocol.QuestionAnswer, protocol.AnswerParams{
				QuestionID: item.QuestionID, Provenance: protocol.ProvenanceTyped, Text: "my own",
				Images: []protocol.Image{{MimeType: "image/png", Data: base64.StdEncoding.EncodeToString(png)}},
			})
			got := <-came
			if text := a.text(got); text != "<answer>\nmy own\n</answer>" {
				t.Errorf("the text is %q", text)
			}
			want := []sdk.Content{&sdk.TextContent{Text: "<answer>\nmy own\n</answer>"}, &sdk.ImageContent{MIMEType: "image/png", Data: png}}
			if diff := cmp.Diff(want, got.result.Content); diff != "" || got.result.IsError {
				t.Errorf("(-want +got):\n%s", diff)
			}
			// The text includes the mode.
			came = a.call(t.Context(), followup, `{"question":"Which now?","follow_up":[{"text":"8080","mode":"code"}]}`)
			first := 0
			rpctest.Call(e, protocol.QuestionAnswer, protocol.AnswerParams{
				QuestionID: pending(e, "Which now?").QuestionID, Provenance: protocol.ProvenanceClicked, Suggestion: &first,
			})
			if text := a.text(<-came); text != "<answer>\n8080\n</answer>\n\n{\"mode\":\"code\"}" {
				t.Errorf("the text is %q", text)
			}
		})
	}
}

func TestSeveralQuestions(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	a := start(t, starting{folder: folder})
	came := a.call(t.Context(), "AskUserQuestion", `{"questions":[{"question":"Which colour?","header":"Colour","options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]}]}`)
	var id string
	e.Until(func() bool {
		for _, item := range e.Items {
			id = item.QuestionID
		}
		return id != ""
	})
	e.UntilState(id, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Picks: []protocol.Pick{{Options: []int{1}, Notes: "dark"}}})
	text := a.text(<-came)
	if !strings.Contains(text, `"Which colour?"="Blue"`) || !strings.Contains(text, `{"answers":{"Which colour?":"Blue"}`) || !strings.Contains(text, "dark") {
		t.Errorf("the text is %q", text)
	}
}

var ticket = regexp.MustCompile(`\{"await": "([^"]+)"\}`)

// A client with a time limit gets a ticket before the limit, and collects the answer with it.
func TestTheLimitComesFirst(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	limit := time.Millisecond
	a := start(t, starting{folder: folder, change: func(o *Options) { o.Limit = &limit }})
	got := <-a.call(t.Context(), followup, `{"question":"Slow?"}`)
	found := ticket.FindStringSubmatch(a.text(got))
	if found == nil || got.result.IsError {
		t.Fatalf("got %q", a.text(got))
	}
	e := rpctest.ConnectTo(t, folder, nil) // no inbox was open, but the question is there
	item := pending(e, "Slow?")
	if item.QuestionID != found[1] {
		t.Errorf("the ticket names %s, the question is %s", found[1], item.QuestionID)
	}
	typed(e, item.QuestionID, "late")
	e.UntilState(item.QuestionID, protocol.ItemClosed)
	other := start(t, starting{folder: folder, name: "another"}) // any client that has the ticket can collect
	if text := other.text(<-other.call(t.Context(), followup, `{"await":"`+found[1]+`"}`)); text != "<answer>\nlate\n</answer>" {
		t.Errorf("got %q", text)
	}
	unknown := <-a.call(t.Context(), followup, `{"await":"`+uuid.NewString()+`"}`)
	if text := a.text(unknown); !unknown.result.IsError || !strings.Contains(text, "ask the question again") {
		t.Errorf("got %q", text)
	}
}

// Neither a cancellation nor the exit of the client withdraws a question. The same call again means the same question, until its
// answer is delivered.
func TestDetachingAndJoining(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	named := starting{folder: folder, change: func(o *Options) { o.Env = func(string) string { return "one conversation" } }}
	a := start(t, named)
	ctx, cancel := context.WithCancel(t.Context())
	came := a.call(ctx, followup, `{"question":"Still?","follow_up":["yes","no"]}`)
	id := pending(e, "Still?").QuestionID
	cancel()
	if got := <-came; got.err == nil {
		t.Errorf("got %+v", got)
	}
	again := a.call(t.Context(), followup, `{ "follow_up": ["yes", "no"], "question": "Still?" }`)
	beside := a.call(t.Context(), followup, `{"question":"Other?"}`)
	e.Until(func() bool { return len(e.Items) == 2 })
	e.Until(func() bool { return !e.Items[id].Orphaned }) // between the two calls it was orphaned
	a.end()                                               // while both wait
	e.Until(func() bool { return e.Items[id].Orphaned })
	<-again
	<-beside
	typed(e, id, "yes")
	e.UntilState(id, protocol.ItemClosed) // no call waits for it now

	b := start(t, named)
	if text := b.text(<-b.call(t.Context(), followup, `{"question":"Still?","follow_up":["yes","no"]}`)); text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %q", text)
	}
	came = b.call(t.Context(), followup, `{"question":"Still?","follow_up":["yes","no"]}`)
	typed(e, pending(e, "Other?").QuestionID, "that too")
	fresh := pending(e, "Still?")
	if fresh.QuestionID == id {
		t.Error("a question whose answer was delivered was not asked again")
	}
	rpctest.Call(e, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: fresh.QuestionID})
	if got := <-came; got.result.IsError || !strings.Contains(b.text(got), "declined") {
		t.Errorf("got %+v", got)
	}
}

// Another agent whose process has the id of an earlier one does not get the earlier one's answer.
func TestProcessIDIsReused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	a := start(t, starting{folder: folder})
	a.call(t.Context(), followup, `{"question":"Go on?"}`)
	first := pending(e, "Go on?").QuestionID
	a.end()
	typed(e, first, "yes")
	e.UntilState(first, protocol.ItemClosed)

	b := start(t, starting{folder: folder})
	came := b.call(t.Context(), followup, `{"question":"Go on?"}`)
	second := pending(e, "Go on?").QuestionID
	if second == first {
		t.Fatal("it is the same question")
	}
	typed(e, second, "no")
	if text := b.text(<-came); text != "<answer>\nno\n</answer>" {
		t.Errorf("got %q", text)
	}
	// The ticket identifies the question for any client.
	if text := b.text(<-b.call(t.Context(), followup, `{"await":"`+first+`"}`)); text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %q", text)
	}
}

// An answer that arrives together with a cancellation was not delivered. The same call again gets it, once.
func TestAnsweredWhileCancelled(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	h := hold("at last")
	a := start(t, starting{folder: folder, held: h})
	ctx, cancel := context.WithCancel(t.Context())
	came := a.call(ctx, followup, `{"question":"Quick?"}`)
	id := pending(e, "Quick?").QuestionID
	typed(e, id, "at last")
	<-h.came.Done()
	cancel()
	if got := <-came; got.err == nil {
		t.Errorf("got %+v", got)
	}
	if text := a.text(<-a.call(t.Context(), followup, `{"question":"Quick?"}`)); text != "<answer>\nat last\n</answer>" {
		t.Errorf("got %q", text)
	}
	came = a.call(t.Context(), followup, `{"question":"Quick?"}`)
	e.Until(func() bool { return len(e.Items) == 2 })
	if again := pending(e, "Quick?").QuestionID; again == id {
		t.Error("a question whose answer was delivered was not asked again")
	} else {
		typed(e, again, "again")
	}
	if text := a.text(<-came); text != "<answer>\nagain\n</answer>" {
		t.Errorf("got %q", text)
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	for _, version := range []string{"2024-11-05", inputRequests} {
		progress := make(chan *sdk.ProgressNotificationParams, 100)
		a := start(t, starting{
			folder: folder, version: version, change: func(o *Options) { o.Progress = time.Millisecond },
			client: sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
				select {
				case progress <- r.Params:
				default:
				}
			}},
		})
		params := &sdk.CallToolParams{Name: followup, Arguments: json.RawMessage(`{"question":"Progress?"}`)}
		params.SetProgressToken("t")
		came := a.send(t.Context(), params)
		item := pending(e, "Progress?")
		for n := 1.0; n <= 3; n++ {
			if p := <-progress; p.ProgressToken != "t" || p.Progress != n || p.Message != "Waiting for the user's answer" {
				t.Errorf("got %+v", p)
			}
		}
		typed(e, item.QuestionID, "so")
		if text := a.text(<-came); text != "<answer>\nso\n</answer>" {
			t.Errorf("got %q", text)
		}
		a.end()
	}
}

// The model gets the errors of a call, and they are counted. Withdrawn and held questions end their calls.
func TestInvalidCalls(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	a := start(t, starting{folder: folder})
	for _, input := range []string{`{}`, `{"question":7}`} {
		if got := <-a.call(t.Context(), followup, input); !got.result.IsError || !strings.Contains(a.text(got), "Missing required parameter 'question'") {
			t.Errorf("got %q", a.text(got))
		}
	}
	came := a.call(t.Context(), followup, `{"question":"\u0000\u200b"}`) // the third in a row
	var guidance string
	e.Until(func() bool {
		for id, item := range e.Items {
			if item.Guidance != nil {
				guidance = id
			}
		}
		return guidance != ""
	})
	typed(e, guidance, "Ask properly")
	if got := <-came; !got.result.IsError || !strings.Contains(a.text(got), "Ask properly") {
		t.Errorf("got %q", a.text(got))
	}
	came = a.call(t.Context(), followup, `{"question":"Gone?"}`)
	rpctest.Call(e, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: pending(e, "Gone?").QuestionID})
	if got := <-came; !got.result.IsError || !strings.Contains(a.text(got), "withdrawn") {
		t.Errorf("got %q", a.text(got))
	}
}

// If nothing can be saved, nobody could ever see the question. That is an error, and nothing is asked.
func TestNothingCanBeSaved(t *testing.T) {
	t.Parallel()
	occupied := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(occupied, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for folder, words := range map[string]string{"": "set HOME", occupied: "are not being saved"} {
		a := start(t, starting{folder: folder})
		got := <-a.call(t.Context(), followup, `{"question":"Anybody?"}`)
		if text := a.text(got); !got.result.IsError || !strings.Contains(text, "was not asked") || !strings.Contains(text, words) {
			t.Errorf("%q: got %q", folder, text)
		}
		// An earlier question is still looked for, since it may be in memory.
		got = <-a.call(t.Context(), followup, `{"await":"`+uuid.NewString()+`"}`)
		if text := a.text(got); !got.result.IsError || strings.Contains(text, "was not asked") {
			t.Errorf("%q: got %q", folder, text)
		}
	}
}

// form answers an elicitation.
type form func(ctx context.Context, p *sdk.ElicitParams) (*sdk.ElicitResult, error)

func (f form) options() sdk.ClientOptions {
	return sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) { return f(ctx, r.Params) }}
}

// formVersion has forms that a server takes back.
const formVersion = "2025-06-18"

// If nobody shows an inbox, the client asks its user.
func TestTheClientAsksItsUser(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		content map[string]any
		want    string
	}{
		"own words":           {map[string]any{"words": " my own "}, "<answer>\n my own \n</answer>"},
		"words with a choice": {map[string]any{"words": "but only EU", "choice": "Red"}, "<answer>\nRed\n\nbut only EU\n</answer>\n\n{\"provenance\":\"chosen\",\"suggestion\":\"Red\",\"note\":\"but only EU\"}"},
		"a choice":            {map[string]any{"words": " ", "choice": "Blue"}, "<answer>\nBlue\n</answer>\n\n{\"mode\":\"code\"}"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			fill := form(func(_ context.Context, p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
				asked.Add(1)
				if p.Message != "Which?" || !strings.Contains(string(must(json.Marshal(p.RequestedSchema))), `"enum":["Red","Blue"]`) {
					t.Errorf("asked %+v", p)
				}
				return &sdk.ElicitResult{Action: "accept", Content: test.content}, nil
			})
			a := start(t, starting{folder: t.TempDir(), version: formVersion, client: fill.options()})
			got := <-a.call(t.Context(), followup, `{"question":"Which?","follow_up":["Red",{"text":"Blue","mode":"code"}]}`)
			if text := a.text(got); text != test.want || asked.Load() != 1 {
				t.Errorf("got %q after %d forms, want %q", text, asked.Load(), test.want)
			}
		})
	}
}

func TestTheClientAsksSeveralQuestions(t *testing.T) {
	t.Parallel()
	fill := form(func(_ context.Context, p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{
			"choice01": "Red", "words01": "dark", "words02": "mine", "option02_01": true, "option02_02": false, "words03": "",
		}}, nil
	})
	a := start(t, starting{folder: t.TempDir(), version: formVersion, client: fill.options()})
	got := <-a.call(t.Context(), "AskUserQuestion", `{"questions":[
			{"question":"A?","header":"a","options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]},
			{"question":"B?","header":"b","multiSelect":true,"options":[{"label":"Lint","description":"l"},{"label":"Unit","description":"u"}]},
			{"question":"C?","header":"c","options":[{"label":"X","description":"x"},{"label":"Y","description":"y"}]}]}`)
	text := a.text(got)
	for _, want := range []string{`"A?"="Red"`, `"notes":"dark"`, `"B?":["Lint","mine"]`, `"C?":{"skipped":true}`} {
		if !strings.Contains(text, want) {
			t.Errorf("got %q, want %s in it", text, want)
		}
	}
}

// tick waits until the clock has moved, which takes up to 16 ms on Windows.
func tick() {
	for since := time.Now(); time.Since(since) <= 0; {
		runtime.Gosched()
	}
}

// A user who declines the client's form dismisses the question.
func TestTheUserDeclinesTheForm(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	fill := form(func(_ context.Context, p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		if p.Message == "After that?" {
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"words": "yes"}}, nil
		}
		tick()
		return &sdk.ElicitResult{Action: "decline"}, nil
	})
	a := start(t, starting{
		folder: folder, version: formVersion, client: fill.options(), change: func(o *Options) { o.Reaction = time.Nanosecond },
	})
	got := <-a.call(t.Context(), followup, `{"question":"Really?"}`)
	if text := a.text(got); got.result.IsError || !strings.Contains(text, "declined to answer") {
		t.Errorf("got %q", text)
	}
	if text := a.text(<-a.call(t.Context(), followup, `{"question":"After that?"}`)); text != "<answer>\nyes\n</answer>" {
		t.Errorf("the next question got %q", text)
	}
}

// A client that declines at once has not asked its user, so the question stays open. A closed form decides nothing.
func TestTheClientDeclines(t *testing.T) {
	t.Parallel()
	for action, reaction := range map[string]time.Duration{"decline": time.Hour, "cancel": time.Nanosecond, "accept": time.Hour} { // accept with an empty form
		folder := t.TempDir()
		declined := make(chan bool, 10)
		fill := form(func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
			tick()
			declined <- true
			return &sdk.ElicitResult{Action: action}, nil
		})
		a := start(t, starting{
			folder: folder, version: formVersion, client: fill.options(), change: func(o *Options) { o.Reaction = reaction },
		})
		came := a.call(t.Context(), followup, `{"question":"Really?"}`)
		<-declined
		e := rpctest.ConnectTo(t, folder, nil)
		typed(e, pending(e, "Really?").QuestionID, "yes")
		if text := a.text(<-came); text != "<answer>\nyes\n</answer>" {
			t.Errorf("%s: got %q", action, text)
		}
	}
}

// If the inbox answers while the client's form is open, that answer wins, and the form is taken back.
func TestAnsweredWhileTheFormIsOpen(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	open, closed := make(chan bool, 1), make(chan bool, 1)
	fill := form(func(ctx context.Context, _ *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		open <- true
		<-ctx.Done()
		closed <- true
		return nil, ctx.Err()
	})
	a := start(t, starting{folder: folder, version: formVersion, client: fill.options()})
	came := a.call(t.Context(), followup, `{"question":"First?"}`)
	<-open
	e := rpctest.ConnectTo(t, folder, nil)
	item := pending(e, "First?")
	if !item.Beside {
		t.Error("the card does not say that the form is open")
	}
	typed(e, item.QuestionID, "the inbox")
	<-closed
	if text := a.text(<-came); text != "<answer>\nthe inbox\n</answer>" {
		t.Errorf("got %q", text)
	}
}

// From this version on, a form cannot be taken back, so the client is sent none: the answer in an inbox ends the call.
func TestNoFormThatCannotBeTakenBack(t *testing.T) {
	t.Parallel()
	for name, client := range map[string]sdk.ClientOptions{
		"form": form(func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
			t.Error("the client was asked")
			return &sdk.ElicitResult{Action: "decline"}, nil
		}).options(),
		"link": opens(func(*sdk.ElicitParams) string { t.Error("the client was asked"); return "decline" }, make(chan string, 1)),
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			notified := make(chan bool, 1)
			a := start(t, starting{folder: folder, version: inputRequests, client: client, change: func(o *Options) {
				o.NotShownAfter = time.Hour
				o.WebPage = func() string { return "http://127.0.0.1:7000/" }
				o.Notify = func(string, protocol.Payload) { notified <- true }
			}})
			came := a.call(t.Context(), followup, `{"question":"Which?"}`)
			<-notified
			e := rpctest.ConnectTo(t, folder, nil)
			item := pending(e, "Which?")
			if item.Beside {
				t.Error("the card says that a form is open")
			}
			typed(e, item.QuestionID, "this")
			if text := a.text(<-came); text != "<answer>\nthis\n</answer>" {
				t.Errorf("got %q", text)
			}
		})
	}
}

// While somebody shows an inbox, the client is not asked.
func TestTheInboxIsShown(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	fill := form(func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		t.Error("the client was asked")
		return &sdk.ElicitResult{Action: "decline"}, nil
	})
	a := start(t, starting{folder: folder, client: fill.options()})
	rpctest.UntilShown(t, folder)
	came := a.call(t.Context(), followup, `{"question":"Shown?"}`)
	typed(e, pending(e, "Shown?").QuestionID, "yes")
	if text := a.text(<-came); text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %q", text)
	}
}

// A client that would paste images as text gets files.
func TestImagesAsFiles(t *testing.T) {
	for name, parts := range map[string]int{"@cline/core": 1, "copilot-cli": 2, "qwen-cli-mcp-client-followup": 2} {
		t.Run(name, func(t *testing.T) { imagesAsFiles(t, name, parts) })
	}
}

func imagesAsFiles(t *testing.T, name string, parts int) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	e := rpctest.ConnectTo(t, folder, nil)
	a := start(t, starting{folder: folder, name: name, version: "2024-11-05"})
	came := a.call(t.Context(), followup, `{"question":"Look?"}`)
	item := pending(e, "Look?")
	rpctest.Call(e, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: item.QuestionID, Provenance: protocol.ProvenanceTyped, Text: "this",
		Images: []protocol.Image{{MimeType: "image/png", Data: base64.StdEncoding.EncodeToString(png)}},
	})
	got := <-came
	text := a.text(got)
	lines := strings.Split(text, "\n")
	path := lines[len(lines)-1]
	if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, png) || len(got.result.Content) != parts {
		t.Errorf("got %q, %v", text, err)
	}
	a.end()
	if _, err := os.Stat(path); err == nil {
		t.Error("the image still exists after the agent's exit")
	}
}

// The tools are the editor's, plus what only MCP has.
func TestToolsAreTheEditors(t *testing.T) {
	t.Parallel()
	manifest := struct {
		Contributes struct {
			LanguageModelTools []struct {
				Name             string
				ModelDescription string
				InputSchema      map[string]any
			}
		}
	}{}
	if err := json.Unmarshal(must(os.ReadFile("../../package.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	tools := Tools()
	for i, theirs := range manifest.Contributes.LanguageModelTools {
		ours := tools[i]
		schema := ours.InputSchema.(map[string]any)
		properties := schema["properties"].(map[string]any)
		if properties["await"] == nil {
			t.Errorf("%s cannot collect", ours.Name)
		}
		delete(properties, "await")
		if diff := cmp.Diff(theirs.InputSchema, schema); diff != "" {
			t.Errorf("%s (-editor +here):\n%s", theirs.Name, diff)
		}
		if ours.Name != theirs.Name || !strings.HasPrefix(ours.Description, theirs.ModelDescription+"\n\n") {
			t.Errorf("%s is described otherwise", ours.Name)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestKnownClients(t *testing.T) {
	t.Parallel()
	environment := map[string]string{}
	s := &Server{options: Options{Env: func(name string) string { return environment[name] }, Folder: "/p", Parent: 7}}
	from := func(name, title string, meta sdk.Meta) *sdk.CallToolRequest {
		if meta == nil {
			meta = sdk.Meta{}
		}
		meta[sdk.MetaKeyClientInfo] = map[string]any{"name": name, "title": title, "version": "1"}
		return &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Meta: meta}}
	}
	for _, test := range []struct {
		name, title, want string
		limit, extended   time.Duration
	}{
		{"claude-code", "Claude Code", "Claude Code", 110 * time.Second, 110 * time.Second},
		{"codex-mcp-client", "Codex", "Codex", 290 * time.Second, 290 * time.Second},
		{"opencode", "", "opencode", 50 * time.Second, 0},
		{"copilot-cli", "", "Copilot CLI", 170 * time.Second, 0},
		{"qwen-cli-mcp-client-followup", "", "Qwen Code", 50 * time.Second, 50 * time.Second},
		{"Visual Studio Code", "", "Visual Studio Code", 0, 0},
		{"new", "A New\n\x1bAgent\u202e " + strings.Repeat("x", 100), "A New Agent " + strings.Repeat("x", 48), 50 * time.Second, 50 * time.Second},
		{"", "", "MCP", 50 * time.Second, 50 * time.Second},
	} {
		who := s.known(from(test.name, test.title, nil))
		if got := who.name; got != test.want || s.limit(who, false) != test.limit || s.limit(who, true) != test.extended {
			t.Errorf("%q: got %q, %v, %v", test.name, got, s.limit(who, false), s.limit(who, true))
		}
	}
	for _, test := range []struct {
		background, hard string
		want             time.Duration
	}{
		{"", "", 110 * time.Second}, {"0", "", 0}, {"0", "60000", 50 * time.Second}, {"300000", "", 290 * time.Second},
		{"", "4000", 2 * time.Second}, {"x", "y", 110 * time.Second},
	} {
		environment = map[string]string{"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": test.background, "MCP_TOOL_TIMEOUT": test.hard}
		if got := s.limit(s.known(from("claude-code", "", nil)), true); got != test.want {
			t.Errorf("%+v: got %v", test, got)
		}
	}
	// The user's setting in the agent overrides a longer --limit.
	day := 23 * time.Hour
	s.options.Limit = &day
	for background, want := range map[string]time.Duration{"": day, "0": day, "300000": 290 * time.Second} {
		environment = map[string]string{"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": background}
		if got := s.limit(s.known(from("claude-code", "", nil)), true); got != want {
			t.Errorf("with --limit %v and %q in the background: got %v", day, background, got)
		}
	}
	s.options.Limit = nil
	environment = map[string]string{}
	keys := []string{s.key(from("a", "", nil)), s.key(from("a", "", sdk.Meta{"threadId": "t1"})), s.key(from("a", "", sdk.Meta{"sessionId": "s1"}))}
	environment["CLAUDE_CODE_SESSION_ID"] = "c1"
	keys = append(keys, s.key(from("a", "", nil)))
	if want := []string{"mcp /p process 7", "mcp /p t1", "mcp /p s1", "mcp /p c1"}; !slices.Equal(keys, want) {
		t.Errorf("got %q, want %q", keys, want)
	}
}

// Two forms are open at once, and the second is filled in first.
func TestFormsAreFilledInInAnyOrder(t *testing.T) {
	t.Parallel()
	second := make(chan bool)
	fill := form(func(_ context.Context, p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		if p.Message == "Second?" {
			close(second)
		} else {
			<-second
		}
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"words": "to " + p.Message}}, nil
	})
	a := start(t, starting{folder: t.TempDir(), version: formVersion, client: fill.options()})
	first := a.call(t.Context(), followup, `{"question":"First?"}`)
	after := a.call(t.Context(), followup, `{"question":"Second?"}`)
	for question, came := range map[string]<-chan response{"First?": first, "Second?": after} {
		if text := a.text(<-came); text != "<answer>\nto "+question+"\n</answer>" {
			t.Errorf("got %q", text)
		}
	}
}

// deaf is an output whose reader has stopped reading.
type deaf struct{ written chan struct{} }

func (d deaf) Write([]byte) (int, error) {
	d.written <- struct{}{}
	select {}
}

// The process exits even if its client never reads, whether the input ends or ctx does.
func TestTheClientDoesNotRead(t *testing.T) {
	t.Parallel()
	for _, by := range []string{"the input's end", "a signal"} {
		t.Run(by, func(t *testing.T) {
			log := zaptest.NewLogger(t)
			folder := t.TempDir()
			sidecar, leave := sidecar(t, folder, nil)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			in, client := io.Pipe()
			out := deaf{make(chan struct{})}
			served := make(chan error)
			go func() {
				served <- Serve(ctx, Options{
					In: in, Out: out, Log: log, StorageFolder: folder, Locale: locale.English, Env: func(string) string { return "" },
					Sidecar: sidecar, Grace: time.Millisecond,
				})
			}()
			if _, err := io.WriteString(client, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
				t.Fatal(err)
			}
			<-out.written
			if by == "a signal" {
				cancel()
			} else {
				_ = client.Close()
			}
			if err := <-served; err != nil {
				t.Error(err)
			}
			leave()
		})
	}
}

// Whatever type a client returns for an option, what the user entered is an option or their words.
func TestFormOfOptions(t *testing.T) {
	t.Parallel()
	payload := &protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: []protocol.Question{{MultiSelect: true, Options: []protocol.Option{{Label: "Lint"}, {Label: "No"}}}}}}
	for _, test := range []struct {
		first, second any
		want          protocol.Pick
		ok            bool
	}{
		{true, nil, protocol.Pick{Options: []int{0}}, true},
		{"TRUE", "1", protocol.Pick{Options: []int{0, 1}}, true},
		{1.0, 0.0, protocol.Pick{Options: []int{0}}, true},
		{"lint", "No", protocol.Pick{Options: []int{0, 1}}, true},
		{"only in CI", false, protocol.Pick{Other: "only in CI"}, true},
		{"false", "off", protocol.Pick{}, false},
		{"", nil, protocol.Pick{}, false},
	} {
		got, ok := read(payload, map[string]any{"option01_01": test.first, "option01_02": test.second})
		if diff := cmp.Diff([]protocol.Pick{test.want}, got.Picks); diff != "" || ok != test.ok {
			t.Errorf("%v, %v: %v (-want +got):\n%s", test.first, test.second, ok, diff)
		}
	}
}

// A client's form is read generously, although the library rejects values of other types than the form's.
func TestFormsOfOtherTypes(t *testing.T) {
	t.Parallel()
	w := dial(t, t.TempDir())
	w.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},` +
		`"clientInfo":{"name":"wire","version":"1"}}}`)
	_ = w.receive()
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i, test := range []struct{ arguments, content, want string }{
		{`{"question":"Which?","follow_up":["Red","Blue"]}`, `{"choice":"Green","words":"please"}`, `answer\u003e\nGreen\n\nplease\n\u003c/answer`},
		{`{"question":"Which one?","follow_up":["Red","Blue"]}`, `{"choice":[" Red "],"words":null}`, `answer\u003e\nRed\n\u003c/answer`},
		{`{"question":"How many?","follow_up":["1","2"]}`, `{"words":7}`, `answer\u003e\n7\n\u003c/answer`},
		{`{"questions":[{"question":"B?","header":"b","multiSelect":true,"options":[{"label":"Lint","description":"l"},{"label":"Unit","description":"u"}]}]}`,
			`{"option01_01":"true","option01_02":"False"}`, `\"B?\"=\"Lint\"`},
	} {
		tool := "ask_followup_question"
		if strings.Contains(test.arguments, "questions") {
			tool = "AskUserQuestion"
		}
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, i, tool, test.arguments))
		var asked struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if err := json.Unmarshal([]byte(w.receive()), &asked); err != nil || asked.Method != "elicitation/create" {
			t.Fatalf("%+v, %v", asked, err)
		}
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":%s}}`, asked.ID, test.content))
		if got := w.receive(); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s, want %s in it", test.content, got, test.want)
		}
	}
}
