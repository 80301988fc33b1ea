package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"go.uber.org/zap/zaptest"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
	"followup/internal/web"
	"followup/internal/webhook"
)

const testToken = "the token of the tests"

// desk is an API on a user's host, with an editor that shows the inbox.
type desk struct {
	t      *testing.T
	host   *rpctest.Host
	editor *rpctest.Editor
	api    *API
	base   string
	wrap   func(net.Listener) net.Listener // wraps the API's listener, if not nil
	stop   func()                          // stops the API, as the end of its process would
}

func open(t *testing.T, folder string, change func(*Options)) *desk {
	t.Helper()
	d := &desk{t: t, host: rpctest.NewHost(t, folder, func(o *server.Options) {})}
	d.editor = d.host.Connect(protocol.InitializationOptions{StorageFolder: folder})
	d.serve(folder, change)
	return d
}

// serve starts serving the API.
func (d *desk) serve(folder string, change func(*Options)) {
	d.t.Helper()
	log := zaptest.NewLogger(d.t)
	o := Options{StorageFolder: folder, Log: log, Enter: func(token string) (web.Visit, *web.Refusal) {
		if token != testToken {
			return web.Visit{}, &web.Refusal{Status: http.StatusUnauthorized, Why: "the token is missing or wrong"}
		}
		return web.Visit{Sidecar: func(ctx context.Context, in io.ReadCloser, out io.Writer) { d.host.Serve(ctx, in, out, nil) }}, nil
	}}
	if change != nil {
		change(&o)
	}
	d.api = New(o)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		d.t.Fatal(err)
	}
	if d.wrap != nil {
		listener = d.wrap(listener)
	}
	served, err := web.New(web.Options{Listener: listener, Log: log, Handlers: d.api.Handlers()})
	if err != nil {
		d.t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- served.Serve(ctx) }()
	d.base = strings.TrimSuffix(served.Address(), "/")
	d.stop = sync.OnceFunc(func() {
		end()
		if err := waits.For(d.t, ended); err != nil {
			d.t.Error(err)
		}
		d.api.Close()
	})
	d.t.Cleanup(d.stop)
}

// response is a response to a program. do checks it against the description.
type response struct {
	status  int
	header  http.Header
	result  protocol.AskResult
	page    protocol.APIQuestions
	problem protocol.Problem
}

// do sends a request like a program.
func (d *desk) do(ctx context.Context, method, path, body string, header ...string) (response, error) {
	d.t.Helper()
	request, err := http.NewRequestWithContext(ctx, method, d.base+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+testToken)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	got, err := http.DefaultClient.Do(request)
	if err != nil {
		return response{}, err
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return response{}, err
	}
	r := response{status: got.StatusCode, header: got.Header}
	into, kind, schema := any(&r.result), "application/json", "AskResult"
	if before, _, _ := strings.Cut(path, "?"); method == http.MethodGet && before == "/v1/questions" {
		into, schema = &r.page, "APIQuestions"
	}
	if r.status >= 400 {
		into, kind, schema = &r.problem, "application/problem+json", "Problem"
	}
	if err := json.Unmarshal(text, into); err != nil || got.Header.Get("Content-Type") != kind {
		d.t.Errorf("%s %s: %d %s %q: %v", method, path, r.status, got.Header.Get("Content-Type"), text, err)
	}
	d.fits(schema, text)
	return r, nil
}

func (d *desk) must(method, path, body string, header ...string) response {
	d.t.Helper()
	r, err := d.do(d.t.Context(), method, path, body, header...)
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// fits checks a body against a schema in the description.
func (d *desk) fits(name string, body []byte) {
	d.t.Helper()
	var document struct {
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(description, &document); err != nil {
		d.t.Fatal(err)
	}
	all, err := json.Marshal(map[string]any{"$ref": "#/$defs/" + name, "$defs": document.Components.Schemas})
	if err != nil {
		d.t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(bytes.ReplaceAll(all, []byte("#/components/schemas/"), []byte("#/$defs/")), &schema); err != nil {
		d.t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	var value any
	if err == nil {
		err = json.Unmarshal(body, &value)
	}
	if err == nil {
		err = resolved.Validate(value)
	}
	if err != nil {
		d.t.Errorf("%s does not fit %s: %v", body, name, err)
	}
}

func (d *desk) ask(body string) string {
	d.t.Helper()
	d.fits("APIQuestion", []byte(body))
	r := d.must("POST", "/v1/questions", body)
	if r.status != http.StatusCreated || r.result.Outcome != protocol.OutcomeWaiting || r.header.Get("Location") != "/v1/questions/"+r.result.QuestionID {
		d.t.Fatalf("got %+v", r)
	}
	return r.result.QuestionID
}

func (d *desk) answer(id, text string) {
	d.t.Helper()
	d.editor.UntilState(id, protocol.ItemPending)
	rpctest.Call(d.editor, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: text})
}

func TestAskAndRead(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	id := d.ask(`{"agent":"Deployer","workspace":"/home/me/shop","question":"Deploy?","follow_up":["Yes",{"answer":"No"}]}`)
	item := d.editor.UntilState(id, protocol.ItemPending)
	if item.Agent != "Deployer" || item.Workspaces[0].URI != "file:///home/me/shop" || len(item.Payload.Suggest) != 2 || item.Orphaned {
		t.Errorf("got %+v", item)
	}
	if r := d.must("GET", "/v1/questions/"+id+"?wait=1ms", ""); r.status != http.StatusOK || r.result.Outcome != protocol.OutcomeWaiting || r.result.Text != "" {
		t.Errorf("got %+v", r)
	}
	waiting := make(chan response, 1)
	go func() {
		r, _ := d.do(t.Context(), "GET", "/v1/questions/"+id+"?wait=60s", "")
		waiting <- r
	}()
	d.answer(id, "Not on a Friday")
	if r := waits.For(t, waiting); r.result.Outcome != protocol.OutcomeAnswered || r.result.Text != "Not on a Friday" || r.result.Provenance != protocol.ProvenanceTyped {
		t.Errorf("got %+v", r)
	}
	for range 2 { // again after it was collected
		if r := d.must("GET", "/v1/questions/"+id, ""); r.result.Text != "Not on a Friday" {
			t.Errorf("got %+v", r)
		}
	}
	if r := d.must("DELETE", "/v1/questions/"+id, ""); r.status != http.StatusOK || r.result.Outcome != protocol.OutcomeAnswered {
		t.Errorf("got %+v", r)
	}
}

// A program lists its questions by outcome, newest first and in pages. The questions of other agents are not among them, and listing an
// outcome does not collect it.
func TestList(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	other, _ := d.editor.Ask(d.editor.Session("s"), `{"question":"Which port?"}`)
	d.editor.UntilState(other, protocol.ItemPending)
	var asked []string
	for i := range 5 {
		asked = append([]string{d.ask(fmt.Sprintf(`{"agent":"Agent %d","question":"Number %d?"}`, i%2, i))}, asked...)
	}
	listed := func(outcome protocol.Outcome, limit int) (ids []string, all []protocol.AskResult) {
		t.Helper()
		for after := ""; ; {
			r := d.must("GET", fmt.Sprintf("/v1/questions?outcome=%s&limit=%d&after=%s", outcome, limit, after), "")
			if r.status != http.StatusOK || len(r.page.Questions) > limit {
				t.Fatalf("got %+v", r)
			}
			for _, one := range r.page.Questions {
				if one.Outcome != outcome {
					t.Errorf("listed as %s: %+v", outcome, one)
				}
				ids, all = append(ids, one.QuestionID), append(all, one)
			}
			if after = r.page.Next; after == "" {
				return ids, all
			}
		}
	}
	same := func(outcome protocol.Outcome, want ...string) {
		t.Helper()
		for _, limit := range []int{1, 2, 200} {
			if got, _ := listed(outcome, limit); !slices.Equal(got, want) {
				t.Errorf("%s, %d a page: got %v, want %v", outcome, limit, got, want)
			}
		}
	}
	same(protocol.OutcomeWaiting, asked...)
	if r := d.must("GET", "/v1/questions", ""); len(r.page.Questions) != 5 || r.page.Next != "" {
		t.Errorf("got %+v", r)
	}
	d.answer(other, "9")
	for _, id := range []string{asked[4], asked[1]} {
		d.answer(id, "Because of "+id)
	}
	d.editor.UntilState(asked[0], protocol.ItemPending)
	rpctest.Call(d.editor, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: asked[0]})
	d.must("DELETE", "/v1/questions/"+asked[3], "")
	same(protocol.OutcomeWaiting, asked[2])
	same(protocol.OutcomeAnswered, asked[1], asked[4])
	same(protocol.OutcomeDismissed, asked[0])
	same(protocol.OutcomeWithdrawn, asked[3])
	same(protocol.OutcomeReplied)
	_, answers := listed(protocol.OutcomeAnswered, 50)
	if entry := rpctest.Call(d.editor, protocol.HistoryGet, protocol.QuestionParams{QuestionID: asked[4]}); entry.Collected {
		t.Error("listing has collected the answer")
	}
	if read := d.must("GET", "/v1/questions/"+asked[4], "").result; !reflect.DeepEqual(answers[1], read) {
		t.Errorf("listed as %+v, read as %+v", answers[1], read)
	}
	rpctest.Call(d.editor, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: asked[2], Outcome: protocol.OutcomeExpired})
	same(protocol.OutcomeWaiting)
	same(protocol.OutcomeExpired, asked[2])
	same(protocol.OutcomeWithdrawn, asked[3])
	same(protocol.OutcomeDisconnected)
	for _, query := range []string{"outcome=open", "outcome=invalid", "limit=0", "limit=201", "limit=-1", "limit=x", "after=x", "after=-1"} {
		if r := d.must("GET", "/v1/questions?"+query, ""); r.status != http.StatusBadRequest {
			t.Errorf("%s: %+v", query, r)
		}
	}
}

func TestQuestionnaire(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	id := d.ask(`{"questions":[{"question":"Which?","header":"DB","multiSelect":true,"options":[{"label":"A","description":"a"},{"label":"B","description":"b"}]}]}`)
	d.editor.UntilState(id, protocol.ItemPending)
	rpctest.Call(d.editor, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Picks: []protocol.Pick{{Options: []int{0, 1}}}})
	if r := d.must("GET", "/v1/questions/"+id, ""); r.result.Text != "A\nB" || r.result.Structured == nil {
		t.Errorf("got %+v", r)
	}
}

// Asking again with the same id and content returns the same question. Other content conflicts, even after the first question was closed.
func TestIdempotent(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	id := rpctest.NewID()
	body := func(question string) string {
		return fmt.Sprintf(`{"id":%q, "question":%q,"expires":"2h"}`, id, question)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if r, err := d.do(t.Context(), "POST", "/v1/questions", body("One?")); err != nil || r.status != http.StatusCreated || r.result.QuestionID != id {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
	all.Wait()
	if r := d.must("POST", "/v1/questions", body("Two?")); r.status != http.StatusConflict {
		t.Errorf("got %+v", r)
	}
	// A database or a platform may change the case of an id.
	other := strings.Replace(body("One?"), id, strings.ToUpper(id), 1)
	if r := d.must("POST", "/v1/questions", other); r.status != http.StatusCreated || r.result.QuestionID != id {
		t.Errorf("got %+v", r)
	}
	if r := d.must("GET", "/v1/questions/"+strings.ToUpper(id), ""); r.status != http.StatusOK || r.result.QuestionID != id {
		t.Errorf("got %+v", r)
	}
	d.answer(id, "yes")
	for range 2 { // the second time, its session is closed
		if r := d.must("POST", "/v1/questions", body("One?")); r.status != http.StatusOK || r.result.Text != "yes" {
			t.Errorf("got %+v", r)
		}
	}
	if r := d.must("POST", "/v1/questions", body("Two?")); r.status != http.StatusConflict {
		t.Errorf("got %+v", r)
	}
	if n := len(rpctest.Call(d.editor, protocol.HistoryList, protocol.HistoryListParams{}).Entries); n != 1 {
		t.Errorf("got %d questions, want 1", n)
	}
}

func TestWithdraw(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	id := d.ask(`{"question":"Q?"}`)
	waiting := make(chan response, 1)
	go func() {
		r, _ := d.do(t.Context(), "GET", "/v1/questions/"+id+"?wait=60s", "")
		waiting <- r
	}()
	d.editor.UntilState(id, protocol.ItemPending)
	for range 2 {
		if r := d.must("DELETE", "/v1/questions/"+id, ""); r.result.Outcome != protocol.OutcomeWithdrawn {
			t.Errorf("got %+v", r)
		}
	}
	if r := waits.For(t, waiting); r.result.Outcome != protocol.OutcomeWithdrawn || r.result.QuestionID != id {
		t.Errorf("got %+v", r)
	}
	if r := d.must("POST", "/v1/questions", `{"id":"`+id+`","question":"Q?"}`); r.status != http.StatusConflict && r.result.Outcome != protocol.OutcomeWithdrawn {
		t.Errorf("got %+v", r)
	}
}

// A program that polls, or hangs up while it waits, does not orphan the question.
func TestPollingDoesNotOrphan(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	id := d.ask(`{"question":"Q?"}`)
	d.editor.UntilState(id, protocol.ItemPending)
	before := d.editor.ItemsSent()
	for range 5 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, err := d.do(ctx, "GET", "/v1/questions/"+id+"?wait=60s", ""); err == nil {
			t.Error("got an answer, want a timeout")
		}
		cancel()
		d.must("GET", "/v1/questions/"+id, "")
	}
	if item := d.editor.Item(id); item.Orphaned || d.editor.ItemsSent() != before {
		t.Errorf("got %d changes: %+v", d.editor.ItemsSent()-before, item)
	}
	d.answer(id, "yes")
	if r := d.must("GET", "/v1/questions/"+id, ""); r.result.Text != "yes" {
		t.Errorf("got %+v", r)
	}
}

// An outcome counts as collected once the program has received it, but not if the program hung up first, even unnoticed.
func TestCollected(t *testing.T) {
	folder := t.TempDir()
	d := open(t, folder, nil)
	d.stop()
	noticed := make(chan struct{})
	d.wrap = func(l net.Listener) net.Listener { return deafListener{l, noticed} }
	d.serve(folder, nil)
	defer d.stop()
	defer close(noticed)
	id := d.ask(`{"question":"Q?"}`)
	linked := func(is func(*link) bool) func() bool {
		return func() bool {
			d.api.mu.Lock()
			defer d.api.mu.Unlock()
			for _, l := range d.api.links {
				l.mu.Lock()
				defer l.mu.Unlock()
				return is(l)
			}
			return false
		}
	}
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(d.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "GET /v1/questions/%s?wait=60s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", id, conn.RemoteAddr(), testToken); err != nil {
		t.Fatal(err)
	}
	waits.Until(t, "the request waits", linked(func(l *link) bool { return len(l.waits) == 1 }))
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	d.answer(id, "yes")
	collected := func() bool {
		return rpctest.Call(d.editor, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id}).Collected
	}
	waits.Until(t, "no request is running", linked(func(l *link) bool { return l.active == 0 }))
	d.ask(`{"question":"Another?"}`) // its commit includes pending collections
	if collected() {
		t.Error("collected, although the program had hung up")
	}
	d.must("GET", "/v1/questions/"+id, "")
	waits.Until(t, "the answer counts as collected", collected)
}

// deafListener delays the end of its connections, as on a busy machine.
type deafListener struct {
	net.Listener
	noticed <-chan struct{}
}

func (l deafListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return deafConn{conn, l.noticed}, err
}

type deafConn struct {
	net.Conn
	noticed <-chan struct{}
}

func (c deafConn) Read(into []byte) (int, error) {
	n, err := c.Conn.Read(into)
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) { // the server stops its own reads by a deadline
		<-c.noticed
	}
	return n, err
}

// restarted returns the API after a restart, its folder, and an orphaned question.
func restarted(t *testing.T) (d *desk, folder, id string) {
	t.Helper()
	folder = t.TempDir()
	d = open(t, folder, nil)
	id = d.ask(`{"question":"Q?"}`)
	d.stop()
	d.editor.Until(func() bool { return d.editor.Items[id].Orphaned })
	d.serve(folder, nil)
	return d, folder, id
}

// A question survives a restart of the API.
func TestRestart(t *testing.T) {
	d, folder, id := restarted(t)
	if r := d.must("GET", "/v1/questions/"+id, ""); r.result.Outcome != protocol.OutcomeWaiting {
		t.Errorf("got %+v", r)
	}
	d.editor.Until(func() bool { return !d.editor.Items[id].Orphaned })
	d.answer(id, "yes")
	d.stop()
	d.serve(folder, nil)
	if r := d.must("GET", "/v1/questions/"+id+"?wait=60s", ""); r.result.Text != "yes" {
		t.Errorf("got %+v", r)
	}
}

// A program that hangs up leaves an orphaned question as it found it, until it reads the question again.
func TestHangingUpAfterARestart(t *testing.T) {
	d, _, id := restarted(t)
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	ended := make(chan error, 1)
	go func() {
		_, err := d.do(ctx, "GET", "/v1/questions/"+id+"?wait=60s", "")
		ended <- err
	}()
	d.editor.Until(func() bool { return !d.editor.Items[id].Orphaned })
	hangUp()
	if err := waits.For(t, ended); err == nil {
		t.Error("got an answer, although the client hung up")
	}
	d.editor.Until(func() bool { return d.editor.Items[id].Orphaned })
	d.must("GET", "/v1/questions/"+id+"?wait=1ms", "")
	d.editor.Until(func() bool { return !d.editor.Items[id].Orphaned })
}

func TestExpires(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	id := d.must("POST", "/v1/questions", `{"question":"Q?","expires":"1ms"}`).result.QuestionID // may have expired already
	if r := d.must("GET", "/v1/questions/"+id+"?wait=60s", ""); r.result.Outcome != protocol.OutcomeExpired {
		t.Errorf("got %+v", r)
	}
	if entry := rpctest.Call(d.editor, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id}); entry.Outcome.Outcome != protocol.OutcomeExpired {
		t.Errorf("the history has %+v", entry.Outcome)
	}
}

func TestRefused(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	id := rpctest.NewID()
	tests := []struct {
		name, method, path, body string
		header                   []string
		status                   int
	}{
		{"no token", "GET", "/v1/questions/" + id, "", []string{"Authorization", ""}, 401},
		{"a wrong token", "POST", "/v1/questions", `{"question":"Q?"}`, []string{"Authorization", "Bearer wrong"}, 401},
		{"another scheme", "POST", "/v1/questions", `{"question":"Q?"}`, []string{"Authorization", "Basic " + testToken}, 401},
		{"a cookie instead", "POST", "/v1/questions", `{"question":"Q?"}`, []string{"Authorization", "", "Cookie", "followup=" + testToken}, 401},
		{"another site's page", "POST", "/v1/questions", `{"question":"Q?"}`, []string{"Origin", "https://evil.example"}, 403},
		{"its own page", "POST", "/v1/questions", `{"question":"Q?"}`, []string{"Origin", d.base}, 403},
		{"a page without an origin", "POST", "/v1/questions", `{"question":"Q?"}`, []string{"Origin", "null"}, 403},
		{"a form", "POST", "/v1/questions", `{"question":"Q?"}`, []string{"Content-Type", "text/plain"}, 415},
		{"Latin-1 without saying so", "POST", "/v1/questions", `{"question":"O` + "\xf9" + `?"}`, nil, 400},
		{"Latin-1 as UTF-8", "POST", "/v1/questions", `{"question":"O` + "\xf9" + `?"}`, []string{"Content-Type", "application/json; charset=utf-8"}, 400},
		{"half a character", "POST", "/v1/questions", `{"question":"` + "\xb2" + `"}`, []string{"Content-Type", "application/json; charset=gbk"}, 400},
		{"an unknown encoding", "POST", "/v1/questions", `{"question":"Q?"}`, []string{"Content-Type", "application/json; charset=rot13"}, 415},
		{"too large once decoded", "POST", "/v1/questions", `{"question":"` + strings.Repeat("\xe9", maxBody/2) + `"}`,
			[]string{"Content-Type", "application/json; charset=latin1"}, 413},
		{"no JSON", "POST", "/v1/questions", `{`, nil, 400},
		{"an array", "POST", "/v1/questions", `[]`, nil, 400},
		{"null", "POST", "/v1/questions", `null`, nil, 400},
		{"two", "POST", "/v1/questions", `{"question":"Q?"}{}`, nil, 400},
		{"an unknown field", "POST", "/v1/questions", `{"question":"Q?","expire":"1h"}`, nil, 400},
		{"nothing", "POST", "/v1/questions", `{}`, nil, 400},
		{"both", "POST", "/v1/questions", `{"question":"Q?","questions":[]}`, nil, 400},
		{"a blank question", "POST", "/v1/questions", `{"question":" ","follow_up":["A"]}`, nil, 422},
		{"an invisible question", "POST", "/v1/questions", `{"question":"\u0000\u200b"}`, nil, 422},
		{"no options", "POST", "/v1/questions", `{"questions":[{"question":"Q?"}]}`, nil, 422},
		{"somebody else's", "POST", "/v1/questions", `{"question":"Q?","to":"Ann"}`, nil, 422},
		{"no id", "POST", "/v1/questions", `{"question":"Q?","id":"one"}`, nil, 400},
		{"no duration", "POST", "/v1/questions", `{"question":"Q?","expires":"soon"}`, nil, 400},
		{"the past", "POST", "/v1/questions", `{"question":"Q?","expires":"-1h"}`, nil, 400},
		{"a relative folder", "POST", "/v1/questions", `{"question":"Q?","workspace":"src"}`, nil, 400},
		{"a callback", "POST", "/v1/questions", `{"question":"Q?","callback":{"url":"https://example.com"}}`, nil, 403},
		{"too large", "POST", "/v1/questions", `{"question":"` + strings.Repeat("x", maxBody) + `"}`, nil, 413},
		{"unknown", "GET", "/v1/questions/" + id, "", nil, 404},
		{"unknown", "DELETE", "/v1/questions/" + id, "", nil, 404},
		{"no UUID", "GET", "/v1/questions/x", "", nil, 404},
		{"long", "GET", "/v1/questions/" + strings.Repeat("x", 2000), "", nil, 404},
		{"too long", "GET", "/v1/questions/" + id + "?wait=61s", "", nil, 400},
		{"negative", "GET", "/v1/questions/" + id + "?wait=-1s", "", nil, 400},
		{"no duration", "GET", "/v1/questions/" + id + "?wait=60", "", nil, 400},
		{"another method", "PUT", "/v1/questions", "", nil, 405},
		{"another method", "POST", "/v1/questions/" + id, "", nil, 405},
		{"elsewhere", "GET", "/v1/other", "", nil, 404},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.status, " ", test.name), func(t *testing.T) {
			r := d.must(test.method, test.path, test.body, test.header...)
			if r.status != test.status || r.problem.Status != test.status || r.problem.Detail == "" || r.problem.Title == "" {
				t.Errorf("got %+v", r)
			}
		})
	}
	if len(d.editor.Items) > 0 {
		t.Errorf("got questions %+v", d.editor.Items)
	}
}

// The description of a problem only has the beginning of the program's text.
func TestProblemsAreShort(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	long := strings.Repeat("x", 1<<20)
	for _, body := range []string{
		`{"` + long + `":1}`, `{"question":` + strings.Repeat("7", 1<<20) + `}`, `{"question":"Q?","to":"` + long + `"}`, `{"question":"Q?","expires":"` + long + `"}`,
	} {
		if r := d.must("POST", "/v1/questions", body); r.status < 400 || r.status >= 500 || len(r.problem.Detail) > 1500 {
			t.Errorf("%.30s: %d with %d bytes: %.100s", body, r.status, len(r.problem.Detail), r.problem.Detail)
		}
	}
}

// A question of the maximum size is accepted.
func TestLargest(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	begin, end := `{"follow_up":["A"],"question":"`, `"}`
	body := begin + strings.Repeat("lorem ip ", (maxBody-len(begin)-len(end))/9) + end
	if r := d.must("POST", "/v1/questions", body); r.status != http.StatusUnprocessableEntity && r.status != http.StatusCreated {
		t.Errorf("got %+v", r)
	}
}

// Requests beyond MaxWaits are rejected for now. The others keep waiting.
func TestManyWaits(t *testing.T) {
	d := open(t, t.TempDir(), func(o *Options) { o.MaxWaits = 50 })
	id := d.ask(`{"question":"Q?"}`)
	var statuses [600]int
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 300 {
		all.Go(func() {
			r, err := d.do(t.Context(), "GET", "/v1/questions/"+id+"?wait=60s", "")
			if err != nil || r.status == 429 && r.header.Get("Retry-After") == "" {
				t.Errorf("%+v, %v", r, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			statuses[r.status]++
		})
	}
	waits.Until(t, "the others are rejected", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return statuses[429] == 250
	})
	d.answer(id, "yes")
	all.Wait()
	if statuses[200] != 50 {
		t.Errorf("%d requests got the answer, want 50", statuses[200])
	}
}

// waiting returns how many requests hold a place of the token.
func (d *desk) waiting() (n int) {
	d.api.mu.Lock()
	defer d.api.mu.Unlock()
	for _, l := range d.api.links {
		n += len(l.waits)
	}
	return n
}

// A client that hangs up frees its place at once, and does not orphan the question. Requests that do not wait need no place.
func TestHangingUpFreesThePlace(t *testing.T) {
	const places = 3
	d := open(t, t.TempDir(), func(o *Options) { o.MaxWaits = places })
	id, other := d.ask(`{"question":"Q?"}`), d.ask(`{"question":"Another?"}`)
	d.editor.UntilState(id, protocol.ItemPending)
	stays := make(chan response, 1) // its wait began first, so a place that is held for the whole wait is held longer
	go func() {
		r, _ := d.do(t.Context(), "GET", "/v1/questions/"+id+"?wait=60s", "")
		stays <- r
	}()
	waits.Until(t, "the first request waits", func() bool { return d.waiting() == 1 })
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	var all sync.WaitGroup
	for range places - 1 {
		all.Go(func() {
			if r, err := d.do(ctx, "GET", "/v1/questions/"+id+"?wait=60s", ""); err == nil {
				t.Errorf("got %+v, although the client hung up", r)
			}
		})
	}
	waits.Until(t, "all places are taken", func() bool { return d.waiting() == places })
	if r := d.must("GET", "/v1/questions/"+id+"?wait=60s", ""); r.status != http.StatusTooManyRequests {
		t.Errorf("got %+v, want 429", r)
	}
	if r := d.must("GET", "/v1/questions/"+id, ""); r.status != http.StatusOK || r.result.Outcome != protocol.OutcomeWaiting {
		t.Errorf("without ?wait: got %+v", r)
	}
	if r := d.must("DELETE", "/v1/questions/"+other, ""); r.status != http.StatusOK || r.result.Outcome != protocol.OutcomeWithdrawn {
		t.Errorf("DELETE: got %+v", r)
	}
	hangUp()
	all.Wait()
	waits.Until(t, "the places are free", func() bool { return d.waiting() <= 1 })
	if item := d.editor.Item(id); item.Orphaned {
		t.Errorf("orphaned: %+v", item)
	}
	d.answer(id, "yes")
	if r := waits.For(t, stays); r.result.Text != "yes" {
		t.Errorf("the places were held for the whole wait: %+v", r)
	}
}

// A slow request body does not block other requests.
func TestSlowBody(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	for range 20 {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(d.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		_, err = fmt.Fprintf(conn, "POST /v1/questions HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", "x", testToken)
		if err != nil {
			t.Fatal(err)
		}
	}
	d.ask(`{"question":"Q?"}`)
}

// raw sends the beginning of a request, and returns the connection.
func (d *desk) raw(text string) net.Conn {
	d.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(d.t.Context(), "tcp", strings.TrimPrefix(d.base, "http://"))
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = conn.Close() })
	if _, err := fmt.Fprint(conn, text); err != nil {
		d.t.Fatal(err)
	}
	return conn
}

// A question that does not arrive, or not in time, is not asked, and the response says so.
func TestBodyThatDoesNotArrive(t *testing.T) {
	d := open(t, t.TempDir(), func(o *Options) { o.BodyTime = time.Millisecond })
	for name, test := range map[string]struct {
		header, body string
		status       int
	}{
		"too slow":          {"Content-Length: 1000", "{", http.StatusRequestTimeout},
		"too slow, chunked": {"Transfer-Encoding: chunked", "2\r\n{}\r\n", http.StatusRequestTimeout},
		"malformed":         {"Transfer-Encoding: chunked", "no length\r\n", http.StatusBadRequest},
	} {
		conn := d.raw(fmt.Sprintf("POST /v1/questions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%s\r\n\r\n%s",
			testToken, test.header, test.body))
		got, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		_ = got.Body.Close()
		if d.fits("Problem", body); got.StatusCode != test.status || err != nil {
			t.Errorf("%s: %d %s, %v", name, got.StatusCode, body, err)
		}
	}
	if len(d.editor.Items) > 0 {
		t.Errorf("got questions %+v", d.editor.Items)
	}
}

// The response to a request that ends early says why: the token is not valid any more, or the request may be repeated.
func TestVisitEndsDuringARequest(t *testing.T) {
	for _, test := range []struct {
		name   string
		end    func(*desk, context.CancelCauseFunc)
		status int
	}{
		{"the token has expired", func(_ *desk, end context.CancelCauseFunc) {
			end(&web.Farewell{Code: web.StatusRevoked, Reason: "the token has expired"})
		}, http.StatusUnauthorized},
		{"the inbox has moved", func(_ *desk, end context.CancelCauseFunc) {
			end(&web.Farewell{Code: websocket.StatusGoingAway, Reason: "another hub keeps the team"})
		}, http.StatusServiceUnavailable},
		{"the connection broke", func(_ *desk, end context.CancelCauseFunc) { end(nil) }, http.StatusServiceUnavailable},
		{"the server stops", func(d *desk, _ context.CancelCauseFunc) { d.stop() }, http.StatusServiceUnavailable},
	} {
		t.Run(test.name, func(t *testing.T) {
			over, end := context.WithCancelCause(t.Context())
			d := open(t, t.TempDir(), func(o *Options) {
				enter := o.Enter
				o.Enter = func(token string) (web.Visit, *web.Refusal) {
					visit, refusal := enter(token)
					visit.Over = over
					return visit, refusal
				}
			})
			id := d.ask(`{"question":"Q?"}`)
			waiting := make(chan response, 1)
			go func() {
				r, err := d.do(t.Context(), "GET", "/v1/questions/"+id+"?wait=60s", "")
				if err != nil {
					t.Error(err)
				}
				waiting <- r
			}()
			waits.Until(t, "the request waits", func() bool { return d.waiting() == 1 })
			test.end(d, end)
			r := waits.For(t, waiting)
			if r.status != test.status || (r.header.Get("Retry-After") != "") != (test.status == 503) || (r.header.Get("WWW-Authenticate") != "") != (test.status == 401) {
				t.Errorf("got %+v", r)
			}
			if test.status == http.StatusUnauthorized && r.problem.Detail != "the token has expired" {
				t.Errorf("got %q", r.problem.Detail)
			}
		})
	}
}

// hook serves a receiver of callbacks.
func hook(t *testing.T) (url string, got chan []byte, header chan http.Header) {
	got, header = make(chan []byte, 10), make(chan http.Header, 10)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		header <- r.Header
		got <- body
	})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String() + "/hook", got, header
}

// The outcome is sent to the callback with a signature, even after a restart.
func TestCallback(t *testing.T) {
	url, got, header := hook(t)
	secret := "whsec_" + strings.Repeat("QUFB", 8)
	folder := t.TempDir()
	private := func(o *Options) { o.Callbacks = webhook.Private }
	d := open(t, folder, private)
	one := d.ask(fmt.Sprintf(`{"question":"One?","callback":{"url":%q,"secret":%q}}`, url, secret))
	two := d.ask(fmt.Sprintf(`{"question":"Two?","callback":{"url":%q}}`, url))
	three := d.ask(fmt.Sprintf(`{"question":"Three?","callback":{"url":%q}}`, url))
	d.answer(one, "yes")
	body, h := waits.For(t, got), waits.For(t, header)
	verify, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Verify(body, h); err != nil {
		t.Error(err)
	}
	d.fits("CallbackEvent", body)
	var event protocol.CallbackEvent
	if err := json.Unmarshal(body, &event); err != nil || event.Type != "question.closed" || event.Data.QuestionID != one || event.Data.Text != "yes" || h.Get("webhook-id") != one {
		t.Errorf("got %s %v", body, h)
	}
	d.must("DELETE", "/v1/questions/"+two, "")
	if body := waits.For(t, got); !bytes.Contains(body, []byte(`"outcome":"withdrawn"`)) || !bytes.Contains(body, []byte(two)) {
		t.Errorf("got %s", body)
	}
	waits.Until(t, "the delivery is recorded", func() bool {
		return rpctest.Call(d.editor, protocol.HistoryGet, protocol.QuestionParams{QuestionID: one}).Collected
	})
	d.stop()
	d.editor.Leave()
	d.host.Close()

	d = open(t, folder, private)
	d.answer(three, "later")
	for body = waits.For(t, got); bytes.Contains(body, []byte(two)); body = waits.For(t, got) { // the host may have ended before its delivery was recorded
	}
	if !bytes.Contains(body, []byte("later")) {
		t.Errorf("got %s", body)
	}
}

// The session of a question ends with the question, even if no program ever reads the outcome, as with a callback. The store then drops it.
func TestSessionsEnd(t *testing.T) {
	url, got, _ := hook(t)
	folder := t.TempDir()
	d := open(t, folder, func(o *Options) { o.Callbacks = webhook.Private })
	called, unread, withdrawn := d.ask(fmt.Sprintf(`{"question":"Called?","callback":{"url":%q}}`, url)), d.ask(`{"question":"Unread?"}`), d.ask(`{"question":"Withdrawn?"}`)
	if r := d.must("POST", "/v1/questions", `{"question":" "}`); r.status != http.StatusUnprocessableEntity {
		t.Errorf("got %+v", r)
	}
	twice := rpctest.NewID()
	for range 2 {
		d.ask(`{"id":"` + twice + `","question":"Asked twice?"}`)
	}
	var sessions []string
	for _, id := range []string{called, unread, withdrawn, twice} {
		d.editor.Until(func() bool { return d.editor.Items[id].Session != "" })
		sessions = append(sessions, d.editor.Item(id).Session)
	}
	d.answer(called, "yes")
	waits.For(t, got)
	d.answer(unread, "yes")
	d.must("DELETE", "/v1/questions/"+withdrawn, "")
	d.answer(twice, "yes")
	if r := d.must("POST", "/v1/questions", `{"id":"`+twice+`","question":"Asked twice?"}`); r.result.Text != "yes" {
		t.Errorf("got %+v", r)
	}
	waits.Until(t, "all sessions have ended", func() bool {
		return !slices.ContainsFunc(sessions, func(id string) bool {
			return rpctest.Code(d.editor, protocol.SessionGet, protocol.SessionParams{Session: id}) != protocol.CodeUnknown
		})
	})
	d.stop()
	d.editor.Leave()
	d.host.Close()
	in, _, err := sqlite.Open(t.Context(), folder, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	if _, err := in.Retain(t.Context(), store.Retention{}); err != nil {
		t.Fatal(err)
	}
	for _, id := range sessions {
		if row, err := in.Session(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the store still has %+v, %v", row, err)
		}
	}
}

// When callbacks are off, a question with a callback is rejected. When they are public, a private address gets none.
func TestCallbacksAreOff(t *testing.T) {
	url, got, _ := hook(t)
	for policy, want := range map[webhook.Policy]int{webhook.Off: 403, webhook.Public: 422} {
		d := open(t, t.TempDir(), func(o *Options) { o.Callbacks = policy })
		if r := d.must("POST", "/v1/questions", fmt.Sprintf(`{"question":"Q?","callback":{"url":%q}}`, url)); r.status != want {
			t.Errorf("%q: %+v", policy, r)
		}
		if policy == webhook.Public { // a name is only checked when it is dialled
			id := d.ask(fmt.Sprintf(`{"question":"Q?","callback":{"url":%q}}`, strings.Replace(url, "http://127.0.0.1", "https://localhost", 1)))
			d.answer(id, "yes")
		}
		for _, wrong := range []string{`{"url":"ftp://example.com"}`, `{"url":"https://u:p@example.com"}`, `{"url":"https://example.com","secret":"x"}`, `{}`} {
			if r := d.must("POST", "/v1/questions", fmt.Sprintf(`{"question":"Q?","callback":%s}`, wrong)); r.status != want {
				t.Errorf("%q: %s: %+v", policy, wrong, r)
			}
		}
	}
	if len(got) > 0 {
		t.Errorf("a callback got %s", <-got)
	}
}

func TestDescription(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.base+"/v1/openapi.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	if body, err := io.ReadAll(got.Body); err != nil || !bytes.Equal(body, description) || got.StatusCode != http.StatusOK {
		t.Errorf("%d, %v", got.StatusCode, err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"question":"Q?","follow_up":["A"]}`, `{"questions":[{}],"expires":"1h","to":"Ann"}`, `{"question":"Q?","id":"018f0000-0000-7000-8000-000000000001","workspace":"file:///x"}`,
		`{"callback":{"url":"https://x"},"question":"Q"}`, `{"question":"\ud800","agent":"\u0000\n"}`,
	} {
		f.Add([]byte(seed))
	}
	now := time.Now()
	f.Fuzz(func(t *testing.T, body []byte) {
		a := &API{options: Options{Callbacks: webhook.Private}}
		asked, err := a.decode(body, now)
		if err != nil {
			return
		}
		if !json.Valid(asked.params.Input) || uuid.Validate(asked.params.QuestionID) != nil || strings.TrimSpace(asked.session.Agent) == "" || asked.params.Expires < 0 {
			t.Errorf("%+v", asked)
		}
		if again, err := a.decode(body, now); err != nil || bytes.Contains(body, []byte(`"id"`)) && again.session.Key != asked.session.Key {
			t.Errorf("%+v, then %+v, %v", asked, again, err)
		}
	})
}

// A question arrives in the encoding that its program declares, or with a byte order mark.
func TestEncodings(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	for _, test := range []struct{ kind, before, text, want string }{
		{"application/json", "\ufeff", "Où ?", "Où ?"},
		{"application/json; charset=UTF-8", "", "Où ?", "Où ?"},
		{"application/json; charset=iso-8859-1", "", "O\xf9 d\xe9ployer ?", "Où déployer ?"},
		{"application/json; charset=gbk", "", "\xb2\xbf\xca\xf0?", "部署?"},
	} {
		got := d.must("POST", "/v1/questions", test.before+`{"question":"`+test.text+`","follow_up":["A"]}`, "Content-Type", test.kind)
		if got.status != http.StatusCreated {
			t.Fatalf("%s: %+v", test.kind, got)
		}
		item := d.editor.UntilState(got.result.QuestionID, protocol.ItemPending)
		if item.Payload.Question != test.want {
			t.Errorf("%s: asked %q", test.kind, item.Payload.Question)
		}
		d.answer(got.result.QuestionID, "yes")
	}
}
