package rpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"
)

// FuzzMembers: the members of an object are those that encoding/json finds, and nothing else has any.
func FuzzMembers(f *testing.F) {
	for _, body := range []string{
		`{"a":1,"b":"x\\\"}","c":[{"d":[]},null],"e":{"f":"\\"}, "g" : -0.1e2 }`, ` { "a\"b" : true } `, `{}`, `{"a":[ ]}`,
		`{"a":01}`, `{"a":1.}`, `{"a":-}`, `{"a":1e+}`, `{"a":0E-1}`, `{"a":"\u00e9\ud800\/"}`, `{"a":"\u00g0"}`, `{"a":"\x"}`,
		"{\"a\":\"\n\"}", "{\"a\":\"\x7f\xff\"}", `{"a":nul}`, `{"a":1,}`, `{"a" 1}`, `{"a":[1,]}`, `{"a":[1}`, `{"a":1}x`, `{a:1}`,
		`[]`, `"a"`, ``, `{"a":"`, `{"a":"\`, `{"a":"\u1`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got := map[string]json.RawMessage{}
		ok := members(body, func(key, value []byte) {
			var name string
			if err := json.Unmarshal([]byte(`"`+string(key)+`"`), &name); err != nil {
				t.Fatal(err)
			}
			got[name] = value
		})
		var want map[string]json.RawMessage
		if err := json.Unmarshal(body, &want); err != nil || want == nil {
			if ok {
				t.Fatalf("%s was read, although %v", body, err)
			}
			return
		}
		if !ok && bytes.Count(body, []byte("{"))+bytes.Count(body, []byte("[")) < maxDepth {
			t.Fatalf("%s was not read", body)
		}
		if ok && len(got) != len(want) {
			t.Fatalf("%s: got %d members, want %d", body, len(got), len(want))
		}
		for name, value := range want {
			if ok && string(got[name]) != string(value) {
				t.Errorf("%s: %q is %s, want %s", body, name, got[name], value)
			}
		}
	})
}

func TestDecode(t *testing.T) {
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	tests := []struct {
		body string
		want incoming
		err  error
	}{
		{
			`{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"text":"<é>"}}`,
			incoming{id: "7", method: "a/b", params: []byte(`{"text":"<é>"}`)}, nil,
		},
		{`{"method":"a","params":[1, 2]}`, incoming{kind: aNotification, method: "a", params: []byte(`[1, 2]`)}, nil},
		{`{"id":9,"method":"a","params":{},"meta":1}`, incoming{id: "9", method: "a", params: []byte(`{}`)}, nil},
		{`{"id":"x","method":"a"}`, incoming{id: `"x"`, method: "a"}, nil},
		{`{"id":"","method":""}`, incoming{id: `""`}, nil},
		{`{"id":-1,"method":"a"}`, incoming{id: "-1", method: "a"}, nil},
		{`{"id":-9223372036854775808,"method":"a"}`, incoming{id: "-9223372036854775808", method: "a"}, nil},
		{`{"id":1.0,"method":"a"}`, incoming{id: "1.0", method: "a"}, nil},
		{`{"id":"\u0061\n<é","method":"a"}`, incoming{id: id(quote("a\n<é")), method: "a"}, nil},
		{
			" { \"params\" : { \"a\" : [ 1 , {\"b\":\"}\\\\\"} ] , \"c\\\"\" : -1.5e3 } , \"id\" : 12 ,\n\"method\" : \"a\" } ",
			incoming{id: "12", method: "a", params: []byte("{ \"a\" : [ 1 , {\"b\":\"}\\\\\"} ] , \"c\\\"\" : -1.5e3 }")}, nil,
		},
		{`{"method":"a","params":true,"id":3}`, incoming{id: "3", method: "a", params: []byte(`true`)}, nil},
		{`{"method":"a","method":"b"}`, incoming{kind: aNotification, method: "b"}, nil},
		{`{"id":3,"meth\u006fd":"\u0061é"}`, incoming{id: "3", method: "aé"}, nil},
		{`{"method":"a","params":` + deep + `}`, incoming{kind: aNotification, method: "a", params: []byte(deep)}, nil},
		{`{"id":1,"result":{"params":1}}`, incoming{kind: aResponse, id: "1"}, nil},
		{`{"id":1,"error":{"code":1}}`, incoming{kind: aResponse, id: "1"}, nil},
		{``, incoming{}, errNotJSON},
		{`{`, incoming{}, errNotJSON},
		{`{"method":"a",}`, incoming{}, errNotJSON},
		{`{"method":"a"} {}`, incoming{}, errNotJSON},
		{`[{"method":"a"}]`, incoming{}, errNoObject},
		{`7`, incoming{}, errNoObject},
		{`null`, incoming{}, errNoObject},
		{`{}`, incoming{}, errNoMessage},
		{`{"id":1,"method":5}`, incoming{id: "1"}, errNoMessage},
		{`{"id":"a","method":null}`, incoming{id: `"a"`}, errNoMessage},
		{`{"id":null,"method":"a"}`, incoming{}, errNoID},
		{`{"id":{},"method":"a"}`, incoming{}, errNoID},
		{`{"id":true,"method":"a"}`, incoming{}, errNoID},
	}
	for _, test := range tests {
		got, err := decode([]byte(test.body))
		if err != nil {
			got = incoming{id: got.id}
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(incoming{})); !errors.Is(err, test.err) || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", test.body, err, diff)
		}
	}
}

// idOf is an id of the library's.
func idOf(from jsonrpc2.ID) id {
	if from.IsString {
		return id(quote(from.Str))
	}
	return id(strconv.FormatUint(from.Num, 10))
}

// FuzzDecode: what is read of a request is what the library reads of it.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"text":"x"}}`))
	f.Add([]byte(`{"method":"a","id":"x\\","params":[1]}`))
	f.Add([]byte(`{"method":"a","id":"x","method":"b","params":null}`))
	f.Add([]byte(`{"m\u0065thod":"a","id":"\u0061"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := decode(body)
		if json.Valid(body) == errors.Is(err, errNotJSON) {
			t.Fatalf("%s: %v", body, err)
		}
		var want jsonrpc2.Request
		if err != nil || got.kind == aResponse || want.UnmarshalJSON(body) != nil { // the library knows no negative ids
			return
		}
		if got.method != want.Method || (got.kind == aNotification) != want.Notif || got.kind == aRequest && idOf(want.ID) != got.id && got.id[0] == '"' {
			t.Errorf("%s: got %+v, want %+v", body, got, want)
		}
	})
}

func TestAnswer(t *testing.T) {
	tests := []struct {
		id     id
		member string
		value  any
		want   string
	}{
		{"7", "result", []int{}, `{"jsonrpc":"2.0","id":7,"result":[]}`},
		{"-7", "result", []int{}, `{"jsonrpc":"2.0","id":-7,"result":[]}`},
		{id(quote("a\"b")), "result", nil, `{"jsonrpc":"2.0","id":"a\"b","result":null}`},
		{"", "error", &jsonrpc2.Error{Code: -1, Message: "no"}, `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}`},
	}
	for _, test := range tests {
		if got, err := answer(test.id, test.member, test.value); err != nil || string(got) != test.want {
			t.Errorf("got %s, %v; want %s", got, err, test.want)
		}
	}
	if got, err := answer("1", "result", func() {}); err == nil {
		t.Errorf("got %s, want an error", got)
	}
}

// Reading from what this side has closed fails, and that is nobody's fault.
func TestClosedIsNoFramingError(t *testing.T) {
	for _, closed := range []bool{false, true} {
		s := &objectStream{
			in: bufio.NewReader(iotest.ErrReader(os.ErrClosed)), closer: io.NopCloser(nil), out: newOutbox(io.Discard, 0, 0),
			log: zap.NewNop(), trace: func(string, []byte) {}, cancel: func() {},
		}
		if closed {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.ReadObject(nil); !errors.Is(err, io.EOF) {
			t.Errorf("reading gave %v", err)
		}
		if err := s.readError(); (err == nil) != closed {
			t.Errorf("closed %t: reading ended for %v", closed, err)
		}
		s.out.close()
	}
}
