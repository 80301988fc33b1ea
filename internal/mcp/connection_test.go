package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest"

	"followup/internal/locale"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// wire is a client that writes lines and reads lines.
type wire struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	// served receives the result of Serve.
	served chan error
}

func dial(t *testing.T, folder string) *wire {
	t.Helper()
	log := zaptest.NewLogger(t, zaptest.Level(zap.ErrorLevel))
	sidecar, leave := sidecar(t, folder, nil)
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	never := time.Duration(0)
	w := &wire{t: t, in: in, lines: make(chan string, 4096), served: make(chan error, 1)}
	go func() {
		err := Serve(context.Background(), Options{
			In: toServer, Out: fromServer, Log: log, Version: "test", StorageFolder: folder, Locale: locale.English,
			Env: func(string) string { return "" }, Folder: "/project", Parent: 7, Limit: &never, Sidecar: sidecar,
		})
		_ = fromServer.Close()
		leave()
		w.served <- err
	}()
	go func() {
		defer close(w.lines)
		for lines := bufio.NewReader(out); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			w.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	t.Cleanup(func() {
		_ = in.Close()
		for range w.lines { // until it ends
		}
	})
	return w
}

// send writes a line.
func (w *wire) send(parts ...string) {
	w.t.Helper()
	for _, part := range append(parts, "\n") {
		if _, err := io.WriteString(w.in, part); err != nil {
			w.t.Fatalf("the connection is gone: %v", err)
		}
	}
}

func (w *wire) receive() string {
	w.t.Helper()
	line := waits.For(w.t, w.lines)
	if line == "" {
		w.t.Fatal("the connection is gone")
	}
	return line
}

// gets checks that the next line is want.
func (w *wire) gets(want string) {
	w.t.Helper()
	if got := w.receive(); got != want {
		w.t.Errorf("got %.300s\nwant %s", got, want)
	}
}

// lives checks that the server still answers requests.
func (w *wire) lives() {
	w.t.Helper()
	w.send(`{"jsonrpc":"2.0","id":"alive","method":"ping"}`)
	w.gets(`{"jsonrpc":"2.0","id":"alive","result":{}}`)
}

// initialize opens a session with a version of the protocol.
func (w *wire) initialize(version string) {
	w.t.Helper()
	w.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + version +
		`","capabilities":{},"clientInfo":{"name":"wire","version":"1"}}}`)
	if got := w.receive(); !strings.Contains(got, `"protocolVersion":"`+version+`"`) {
		w.t.Fatal(got)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func TestMain(m *testing.M) {
	maxLine = 1 << 20 // instead of 16 MB, to save time
	os.Exit(m.Run())
}

func refused(id string, code int, why string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, why)
}

const (
	tooLong = "the message is longer than 1 MiB"
	tooDeep = "the message is nested deeper than 1000 levels"
	notJSON = "the line is not JSON"
	notOne  = "the line is not one JSON-RPC message"
	noID    = "the id is neither a string nor an integer below 2^53"
)

// An invalid line gets an error response, with the id of its call if it has one. The connection and waiting calls survive.
func TestInvalidLines(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	w := dial(t, folder)
	w.initialize("2025-06-18")
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_followup_question","arguments":{"question":"Waiting?"}}}`)
	waiting := pending(e, "Waiting?").QuestionID
	long := strings.Repeat("x", maxLine)
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	call := func(id, question string) []string {
		return []string{`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"ask_followup_question","arguments":{"question":"`, question, `"}}}`}
	}
	for name, test := range map[string]struct {
		lines []string
		want  string
	}{
		"long, id first": {call("2", long), refused("2", -32600, tooLong)},
		"long, id last": {[]string{`{"method":"tools/call","params":{"id":7,"a":"\"}`, long, `"},"jsonrpc":"2.0","id":"a\"b"}`},
			refused(`"a\"b"`, -32600, tooLong)},
		"long, a response":            {[]string{`{"jsonrpc":"2.0","id":1,"result":{"a":"`, long, `"}}`}, refused("null", -32600, tooLong)},
		"long, an array":              {[]string{`["id",1,"method",`, `{"id":1,"method":"x","a":"`, long, `"}]`}, refused("null", -32600, tooLong)},
		"long, a long id":             {[]string{`{"jsonrpc":"2.0","method":"ping","id":"`, long, `"}`}, refused("null", -32600, tooLong)},
		"long, no JSON":               {[]string{long}, refused("null", -32600, tooLong)},
		"long, spaces":                {[]string{strings.Repeat(" ", maxLine+1)}, refused("null", -32600, tooLong)},
		"no JSON":                     {[]string{`Content-Length: 5`}, refused("null", -32700, notJSON)},
		"cut off":                     {[]string{`{"jsonrpc":"2.0","id":3,"method":`}, refused("3", -32700, notJSON)},
		"truncated in the id":         {[]string{`{"jsonrpc":"2.0","method":"ping","id":3`}, refused("null", -32700, notJSON)},
		"a carriage return in a line": {[]string{`{"jsonrpc":"2.0","id":4,"method":"ping"}`, "\r", `{"jsonrpc":"2.0","id":5,"method":"ping"}`}, refused("null", -32700, notJSON)},
		"Latin-1":                     {call("11", "O\xf9 ?"), refused("11", -32700, "the line must be UTF-8: it is not valid UTF-8: byte 115 is 0xF9")},
		"GBK":                         {call("12", "\xb2\xbf\xca\xf0?"), refused("12", -32700, "the line must be UTF-8: it is not valid UTF-8: byte 114 is 0xB2")},
		"a NUL":                       {[]string{"\x00"}, refused("null", -32700, notJSON)},
		"deep":                        {[]string{deep}, refused("null", -32600, tooDeep)},
		"deep in a call":              {[]string{`{"jsonrpc":"2.0","id":6,"method":"ping","params":{"a":`, deep, `}}`}, refused("6", -32600, tooDeep)},
		"deep without an end":         {[]string{deep[:100_000]}, refused("null", -32600, tooDeep)},
		"another version of JSON-RPC": {[]string{`{"jsonrpc":"1.0","id":7,"method":"ping"}`}, refused("7", -32600, notOne)},
		"an id of the wrong type":     {[]string{`{"jsonrpc":"2.0","id":{"id":8},"method":"ping"}`}, refused("null", -32600, notOne)},
		"an id that is a fraction":    {[]string{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`}, refused("1.5", -32600, noID)},
		"an id that would be rounded": {[]string{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`}, refused("9007199254740993", -32600, noID)},
		"an id that is in use":        {[]string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`}, refused("null", -32600, "the id 1 is in use by another request")},
		"a batch":                     {[]string{`[{"jsonrpc":"2.0","id":9,"method":"ping"}]`}, refused("null", -32600, "only sessions of protocol version 2025-03-26 have batches")},
		"a method that is not a text": {[]string{`{"jsonrpc":"2.0","id":10,"method":7}`}, refused("10", -32600, notOne)},
		"a cancel of an unknown call": {[]string{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`, "\n", `5`}, refused("null", -32600, notOne)},
		"empty lines":                 {[]string{"\n", "\r\n", "\r", " \t\n", `5`}, refused("null", -32600, notOne)},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			w.send(test.lines...)
			w.gets(test.want)
			w.lives()
		})
	}
	w.t = t
	typed(e, waiting, "yes")
	if got := w.receive(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"result":`) || !strings.Contains(got, "yes") {
		t.Error(got)
	}
	w.send("\ufeff" + `{"jsonrpc":"2.0","id":20,"method":"ping"}`)
	w.gets(`{"jsonrpc":"2.0","id":20,"result":{}}`)
}

// A client that dies in the middle of a line does not withdraw its questions.
func TestInputEndsInsideALine(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	w := dial(t, folder)
	w.initialize("2025-06-18")
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_followup_question","arguments":{"question":"Still?"}}}`)
	id := pending(e, "Still?").QuestionID
	if _, err := io.WriteString(w.in, `{"jsonrpc":"2.0","id":2,"meth`); err != nil {
		t.Fatal(err)
	}
	_ = w.in.Close()
	w.gets(refused("null", -32700, notJSON))
	if err := waits.For(t, w.served); err != nil {
		t.Errorf("it ended with %v", err)
	}
	e.Until(func() bool { return e.Items[id].Orphaned })
}

// A partial line does not delay the responses to earlier calls.
func TestPartialLineThenSilence(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	w := dial(t, folder)
	w.initialize("2025-06-18")
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_followup_question","arguments":{"question":"Still?"}}}`)
	id := pending(e, "Still?").QuestionID
	if _, err := io.WriteString(w.in, `{"jsonrpc":"2.0",`); err != nil {
		t.Fatal(err)
	}
	typed(e, id, "yes")
	if got := w.receive(); !strings.Contains(got, "yes") {
		t.Error(got)
	}
	w.send(`"id":2,"method":"ping"}`)
	w.gets(`{"jsonrpc":"2.0","id":2,"result":{}}`)
}

// discard is an output that discards its data.
type discard struct{ lines int }

func (d *discard) Write(p []byte) (int, error) { d.lines++; return len(p), nil }

// An overlong line takes no more memory than one of the maximum length.
func TestLongLineIsNotBuffered(t *testing.T) {
	var out discard
	c := newConnection(&out, zap.NewNop())
	part := strings.NewReader(strings.Repeat("x", maxLine))
	var parts []io.Reader
	for range 16 {
		parts = append(parts, io.NewSectionReader(part, 0, int64(maxLine)))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.read(io.MultiReader(append(parts, strings.NewReader("\n"))...))
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 8<<20 || out.lines != 1 {
		t.Errorf("a line of 16 MiB allocated %d MiB and got %d answers", allocated>>20, out.lines)
	}
	if !errors.Is(c.ended, io.EOF) {
		t.Error(c.ended)
	}
}

// A session of version 2025-03-26 has batches.
func TestBatches(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	w := dial(t, folder)
	w.send(`[{"jsonrpc":"2.0","id":9,"method":"ping"}]`) // before the session begins
	w.gets(refused("null", -32600, "only sessions of protocol version 2025-03-26 have batches"))
	w.initialize("2025-03-26")
	const (
		note = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`
		bad  = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the line is not one JSON-RPC message"}}`
	)
	ping := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
	pong := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }
	for name, test := range map[string]struct {
		batch string
		want  []string
	}{
		"calls and notifications": {`[` + note + `,` + ping("1") + `,` + note + `, ` + ping(`"b"`) + `]`, []string{pong("1"), pong(`"b"`)}},
		"invalid messages":        {`[1,[],` + ping("2") + `,{"jsonrpc":"2.0","id":3}]`, []string{bad, bad, pong("2")}},
		"only that":               {`[null]`, []string{bad}},
		"the same id twice":       {`[` + ping("4") + `,` + ping("4") + `]`, []string{refused("null", -32600, "the id 4 is in use by another request"), pong("4")}},
		"an unknown method": {`[{"jsonrpc":"2.0","id":5,"method":"nothing"}]`,
			[]string{`{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"method not found: \"nothing\""}}`}},
		"initialize": {`[{"jsonrpc":"2.0","id":6,"method":"initialize","params":{}}]`, []string{refused("6", -32600, "initialize cannot be in a batch")}},
	} {
		w.send(test.batch)
		var got []json.RawMessage
		if err := json.Unmarshal([]byte(w.receive()), &got); err != nil {
			t.Fatal(name, err)
		}
		var texts []string
		for _, each := range got {
			texts = append(texts, string(each))
		}
		slices.Sort(texts) // calls get their responses in any order
		slices.Sort(test.want)
		if !slices.Equal(texts, test.want) {
			t.Errorf("%s: got %q\nwant %q", name, texts, test.want)
		}
		w.lives()
	}
	w.send(`[]`)
	w.gets(refused("null", -32600, "the batch is empty"))
	w.send(`[` + note + `]`) // there is no response
	w.lives()
	w.send(`[` + strings.Repeat(ping(`"many"`)+`,`, 1000) + ping("1") + `]`)
	w.gets(refused("null", -32600, "a batch holds at most 1000 messages"))
	w.send(ping(`"many"`)) // the refused batch's ids are free again
	w.gets(pong(`"many"`))

	// A batch with a question gets its response after the question's answer. Other calls do not wait for it, and a cancelled one ends.
	ask := func(id, question string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"ask_followup_question","arguments":{"question":"` + question + `"}}}`
	}
	w.send(`[` + ask("10", "First?") + `,` + ping("11") + `]`)
	first := pending(e, "First?").QuestionID
	w.lives()
	typed(e, first, "one")
	if got := w.receive(); !strings.HasPrefix(got, `[`+pong("11")+`,{"jsonrpc":"2.0","id":10,"result":`) || !strings.Contains(got, "one") {
		t.Errorf("got %s", got)
	}
	w.send(`[` + ask("12", "Second?") + `,` + ping("13") + `]`)
	pending(e, "Second?")
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12}}`)
	if got := w.receive(); !strings.HasPrefix(got, `[`+pong("13")+`,{"jsonrpc":"2.0","id":12,"error":`) {
		t.Errorf("got %s", got)
	}
}

// A large number of concurrent calls all get their responses.
func TestManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	const many = 1000
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	w := dial(t, folder)
	w.initialize("2025-06-18")
	w.send(`{"jsonrpc":"2.0","id":"q","method":"tools/call","params":{"name":"ask_followup_question","arguments":{"question":"Once?"}}}`)
	id := pending(e, "Once?").QuestionID
	for i := range many {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"ask_followup_question","arguments":{"await":%q}}}`, i, id))
	}
	typed(e, id, "all")
	answered := map[string]bool{}
	for range many + 1 {
		var got struct{ ID json.RawMessage }
		line := w.receive()
		if err := json.Unmarshal([]byte(line), &got); err != nil || !strings.Contains(line, "all") {
			t.Fatal(line, err)
		}
		answered[string(got.ID)] = true
	}
	if len(answered) != many+1 {
		t.Errorf("%d calls were answered", len(answered))
	}
}

// However a line is split while it is scanned, its outline is that of the whole message.
func FuzzOutline(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":3,"method":"x"}`, `{"id":"a\"b","method":"x","params":{"id":[1,{"id":2}]}}`, `{"id":-7 , "method" :"x"}`,
		`{"method":"x","id":{}}`, `["id",3]`, `{"id":3,"method`, `}{"id":1,"method":2}`,
	} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, text []byte, at int) {
		var whole, parts outline
		whole.scan(text)
		if at < 0 || at > len(text) {
			at = 0
		}
		parts.scan(text[:at])
		parts.scan(text[at:])
		if string(whole.callID()) != string(parts.callID()) || whole.deepest != parts.deepest {
			t.Fatalf("in parts it is %s, %d; whole %s, %d", parts.callID(), parts.deepest, whole.callID(), whole.deepest)
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(text, &members) != nil || members == nil || members["method"] == nil || strings.Contains(string(text), `\u`) {
			return
		}
		want := members["id"]
		if len(want) > 0 && (strings.ContainsRune(`{[tfn`, rune(want[0])) || len(want) > maxToken-2) {
			want = nil
		}
		if string(whole.callID()) != string(want) {
			t.Fatalf("the id is %s, not %s", whole.callID(), want)
		}
	})
}
