package rpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
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

func TestReadIncoming(t *testing.T) {
	num := func(n uint64) jsonrpc2.ID { return jsonrpc2.ID{Num: n} }
	str := func(s string) jsonrpc2.ID { return jsonrpc2.ID{Str: s, IsString: true} }
	tests := []struct {
		body string
		want incoming
	}{
		{
			`{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"text":"<é>"}}`,
			incoming{id: num(7), method: "a/b", params: []byte(`{"text":"<é>"}`)},
		},
		{`{"method":"a","params":[1, 2]}`, incoming{notif: true, method: "a", params: []byte(`[1, 2]`)}},
		{`{"id":9,"method":"a","params":{},"meta":1}`, incoming{id: num(9), method: "a", params: []byte(`{}`)}},
		{`{"id":"x","method":"a"}`, incoming{id: str("x"), method: "a"}},
		{`{"id":"","method":""}`, incoming{id: str("")}},
		{`{"id":0,"method":"a"}`, incoming{id: num(0), method: "a"}},
		{`{"id":9223372036854775807,"method":"a"}`, incoming{id: num(1<<63 - 1), method: "a"}},
		{
			" { \"params\" : { \"a\" : [ 1 , {\"b\":\"}\\\\\"} ] , \"c\\\"\" : -1.5e3 } , \"id\" : 12 ,\n\"method\" : \"a\" } ",
			incoming{id: num(12), method: "a", params: []byte("{ \"a\" : [ 1 , {\"b\":\"}\\\\\"} ] , \"c\\\"\" : -1.5e3 }")},
		},
		{`{"method":"a","params":true,"id":3}`, incoming{id: num(3), method: "a", params: []byte(`true`)}},
		{`{"method":"a","id":3,"params":null}`, incoming{id: num(3), method: "a", params: []byte(`null`)}},
		{`{"method":"a","method":"b"}`, incoming{notif: true, method: "b"}},
	}
	for _, test := range tests {
		got, ok := readIncoming([]byte(test.body))
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(incoming{})); !ok || diff != "" {
			t.Errorf("%s: ok %t (-want +got):\n%s", test.body, ok, diff)
		}
	}
	// These are the library's to judge.
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	for _, body := range []string{
		``, `{`, `{"method":"a",}`, `{"method":"a"} {}`, `{"method":"a","params":` + deep + `}`, `{}`, `[{"method":"a"}]`, `7`, `{"id":3,"meth\u006fd":"a"}`, `{"id":3,"method":"\u0061"}`, `{"id":3,"method":"é"}`,
		`{"id":1,"result":{"params":1}}`, `{"id":1,"method":"a","error":{"code":1}}`, `{"id":1,"method":5}`,
		`{"id":null,"method":"a"}`, `{"id":-1,"method":"a"}`, `{"id":1.0,"method":"a"}`, `{"id":9223372036854775808,"method":"a"}`,
		`{"id":"\n","method":"a"}`, `{"id":{},"method":"a"}`, `{"id":true,"method":"a"}`,
	} {
		if got, ok := readIncoming([]byte(body)); ok {
			t.Errorf("%s was read: %+v", body, got)
		}
	}
}

// FuzzIncoming: what is read of a request is what the library reads of it.
func FuzzIncoming(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"text":"x"}}`))
	f.Add([]byte(`{"method":"a","id":"x\\","params":[1]}`))
	f.Add([]byte(`{"method":"a","id":"x","method":"b","params":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var want jsonrpc2.Request
		if !json.Valid(body) {
			return
		}
		got, ok := readIncoming(body)
		if !ok {
			return
		}
		if err := want.UnmarshalJSON(body); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if got.id != want.ID || got.notif != want.Notif || got.method != want.Method {
			t.Errorf("%s: got %+v, want %+v", body, got, want)
		}
		if (got.params == nil) != (want.Params == nil) {
			t.Errorf("%s: params are %s, want %v", body, got.params, want.Params)
		}
	})
}

func TestAnswer(t *testing.T) {
	tests := []struct {
		id     jsonrpc2.ID
		member string
		value  any
		want   string
	}{
		{jsonrpc2.ID{Num: 7}, "result", []int{}, `{"jsonrpc":"2.0","id":7,"result":[]}`},
		{jsonrpc2.ID{Str: "a\"b", IsString: true}, "result", nil, `{"jsonrpc":"2.0","id":"a\"b","result":null}`},
		{
			jsonrpc2.ID{}, "error", &jsonrpc2.Error{Code: -1, Message: "no"},
			`{"jsonrpc":"2.0","id":0,"error":{"code":-1,"message":"no"}}`,
		},
	}
	for _, test := range tests {
		if got, err := answer(test.id, test.member, test.value); err != nil || string(got) != test.want {
			t.Errorf("got %s, %v; want %s", got, err, test.want)
		}
	}
	if got, err := answer(jsonrpc2.ID{}, "result", func() {}); err == nil {
		t.Errorf("got %s, want an error", got)
	}
}

// Reading from what this side has closed fails, and that is nobody's fault.
func TestClosedIsNoFramingError(t *testing.T) {
	for _, closed := range []bool{false, true} {
		s := &objectStream{
			in: bufio.NewReader(iotest.ErrReader(os.ErrClosed)), closer: io.NopCloser(nil), out: newOutbox(io.Discard),
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
