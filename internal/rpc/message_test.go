package rpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"
)

func TestReadHead(t *testing.T) {
	deep := strings.Repeat("[", 500) + strings.Repeat("]", 500)
	tests := []struct {
		body string
		want Head
		err  error
	}{
		{
			`{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"text":"<é>"}}`,
			Head{ID: []byte("7"), Method: "a/b", Params: []byte(`{"text":"<é>"}`)}, nil,
		},
		{`{"method":"a","params":[1, 2]}`, Head{Method: "a", Params: []byte(`[1, 2]`)}, nil},
		{`{"id":9,"method":"a","params":{"method":"c","id":2},"meta":1}`, Head{ID: []byte("9"), Method: "a", Params: []byte(`{"method":"c","id":2}`)}, nil},
		{`{"id":"x","method":"a"}`, Head{ID: []byte(`"x"`), Method: "a"}, nil},
		{`{"id":"","method":""}`, Head{ID: []byte(`""`)}, nil},
		{`{"id":-1,"method":"a"}`, Head{ID: []byte("-1"), Method: "a"}, nil},
		{`{"id":-9223372036854775808,"method":"a"}`, Head{ID: []byte("-9223372036854775808"), Method: "a"}, nil},
		{`{"id":1.0,"method":"a"}`, Head{ID: []byte("1.0"), Method: "a"}, nil},
		{`{"id":"\u0061\n<é","method":"a"}`, Head{ID: []byte(`"a\n\u003cé"`), Method: "a"}, nil},
		{` { "params" : { "a" : -1.5e3 } , "id" : 12 ,` + "\n" + `"method" : "a" } `, Head{ID: []byte("12"), Method: "a", Params: []byte(`{ "a" : -1.5e3 }`)}, nil},
		{`{"method":"a","params":true,"id":3}`, Head{ID: []byte("3"), Method: "a", Params: []byte(`true`)}, nil},
		{`{"method":"a","method":"b"}`, Head{Method: "b"}, nil},
		{`{"id":3,"meth\u006fd":"\u0061é"}`, Head{ID: []byte("3"), Method: "aé"}, nil},
		{`{"method":"a","params":` + deep + `}`, Head{Method: "a", Params: []byte(deep)}, nil},
		{`{"METHOD":"a","method":"b","ID":3}`, Head{ID: []byte("3"), Method: "b"}, nil},
		{`{"id":1,"result":{"params":1}}`, Head{Response: true, ID: []byte("1")}, nil},
		{`{"id":1,"result":null}`, Head{Response: true, ID: []byte("1")}, nil},
		{`{"id":1,"error":{"code":1}}`, Head{Response: true, ID: []byte("1")}, nil},
		{``, Head{}, errNotJSON},
		{`{`, Head{}, errNotJSON},
		{`{"method":"a",}`, Head{}, errNotJSON},
		{`{"method":"a"} {}`, Head{}, errNotJSON},
		{`[{"id":1,"method":"a"}]`, Head{}, errNoObject},
		{`7`, Head{}, errNoObject},
		{`null`, Head{}, errNoObject},
		{`{}`, Head{}, errNoMessage},
		{`{"id":1}`, Head{ID: []byte("1")}, errNoMessage},
		{`{"id":1,"method":5}`, Head{ID: []byte("1")}, errNoMessage},
		{`{"id":"a","method":null}`, Head{ID: []byte(`"a"`)}, errNoMessage},
		{`{"id":null,"method":"a"}`, Head{}, errNoID},
		{`{"id":{},"method":"a"}`, Head{}, errNoID},
		{`{"id":true,"method":"a"}`, Head{}, errNoID},
	}
	for _, test := range tests {
		got, err := ReadHead([]byte(test.body))
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(Head{})); !errors.Is(err, test.err) || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", test.body, err, diff)
		}
	}
}

// TestDeepMessages checks that no depth overflows the stack, which would end the process.
func TestDeepMessages(t *testing.T) {
	for _, open := range []string{"[", `{"a":`, `[{"a":`} {
		for _, depth := range []int{maxBrackets / 3, maxBrackets + 1, 8_000_000} {
			_, err := ReadHead([]byte(`{"method":"a","params":` + strings.Repeat(open, depth)))
			if !errors.Is(err, errNotJSON) {
				t.Errorf("%d times %s: %v", depth, open, err)
			}
		}
	}
}

// FuzzReadHead checks that every message gets a valid response, and that the library parses the same request.
func FuzzReadHead(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"text":"x"}}`))
	f.Add([]byte(`{"method":"a","id":"x\\","params":[1]}`))
	f.Add([]byte(`{"method":"a","id":"x","method":"b","params":null}`))
	f.Add([]byte(`{"m\u0065thod":"a","id":"\u0061"}`))
	f.Add([]byte(`{"id":1`))
	f.Fuzz(func(t *testing.T, body []byte) {
		head, err := ReadHead(body)
		if json.Valid(body) == errors.Is(err, errNotJSON) {
			t.Fatalf("%s: %v", body, err)
		}
		if many := strings.Repeat("[],", maxBrackets); err == nil && !head.Response && bytes.HasPrefix(body, []byte("{")) {
			slow, err := ReadHead([]byte(`{"more":[` + many + `0],` + string(body[1:])))
			if diff := cmp.Diff(head, slow, cmp.AllowUnexported(Head{})); err != nil || diff != "" {
				t.Fatalf("%s is parsed differently among many brackets: %v (-want +got)\n%s", body, err, diff)
			}
		}
		answer, wrong := Response(head.ID, nil, err)
		back, unreadable := ReadHead(answer)
		if head.ID == nil && unreadable == nil || head.ID != nil && (!back.Response || string(back.ID) != string(head.ID)) || wrong != nil {
			t.Fatalf("%s is answered with %s (%v, %v)", body, answer, wrong, unreadable)
		}
		var want jsonrpc2.Request
		if err != nil || head.Response || want.UnmarshalJSON(body) != nil || want.Method != head.Method {
			return // the library rejects fractional ids, and names with upper-case letters
		}
		if id, _ := json.Marshal(want.ID); want.ID.IsString && string(id) != string(head.ID) {
			t.Errorf("%s: got %s, want %s", body, head.ID, id)
		}
	})
}

func TestResponse(t *testing.T) {
	tests := []struct {
		id     string
		result any
		err    error
		want   string
	}{
		{"7", []int{}, nil, `{"jsonrpc":"2.0","id":7,"result":[]}`},
		{"-7", struct{}{}, nil, `{"jsonrpc":"2.0","id":-7,"result":{}}`},
		{`"a\"b"`, nil, nil, `{"jsonrpc":"2.0","id":"a\"b","result":null}`},
		{"1", nil, fmt.Errorf("wrapped: %w", Errorf(-1, "<no>")), `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"<no>"}}`},
		{"", nil, errNoID, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the id is neither a string nor a number"}}`},
	}
	for _, test := range tests {
		var id json.RawMessage
		if test.id != "" {
			id = json.RawMessage(test.id)
		}
		if got, err := Response(id, test.result, test.err); err != nil || string(got) != test.want {
			t.Errorf("got %s, %v; want %s", got, err, test.want)
		}
	}
	if got, err := Response(json.RawMessage("1"), func() {}, nil); err == nil {
		t.Errorf("got %s, want an error", got)
	}
}

// A read that fails because this side closed the connection is not an error.
func TestClosingIsNotAFramingError(t *testing.T) {
	for _, closed := range []bool{false, true} {
		c := &Conn{
			options: Options{In: io.NopCloser(nil)}, in: bufio.NewReader(iotest.ErrReader(os.ErrClosed)), log: zap.NewNop(),
			out: NewWriter(io.Discard, NewTracer(nil), 0, nil), cancel: func() {}, dialed: make(chan struct{}),
		}
		close(c.dialed)
		if closed {
			if err := (stream{c}).Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := (stream{c}).ReadObject(nil); !errors.Is(err, io.EOF) {
			t.Errorf("reading returned %v", err)
		}
		if err := c.Err(); (err == nil) != closed {
			t.Errorf("closed %t: the connection ended with %v", closed, err)
		}
		c.out.Close()
	}
}
