package rpc

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
	"testing/iotest"

	"go.uber.org/zap"
)

// FuzzMembers: the members of an object are those that encoding/json finds.
func FuzzMembers(f *testing.F) {
	f.Add([]byte(`{"a":1,"b":"x\\\"}","c":[{"d":[]},null],"e":{"f":"\\"}, "g" : -0.1e2 }`))
	f.Add([]byte(` { "a\"b" : true } `))
	f.Fuzz(func(t *testing.T, body []byte) {
		var want map[string]json.RawMessage
		if json.Unmarshal(body, &want) != nil {
			return
		}
		got := map[string]json.RawMessage{}
		for key, value := range members(body) {
			var name string
			if err := json.Unmarshal([]byte(`"`+string(key)+`"`), &name); err != nil {
				t.Fatal(err)
			}
			got[name] = value
		}
		if len(got) != len(want) {
			t.Fatalf("%s: got %d members, want %d", body, len(got), len(want))
		}
		for name, value := range want {
			if string(got[name]) != string(value) {
				t.Errorf("%s: %q is %s, want %s", body, name, got[name], value)
			}
		}
	})
}

func TestSplit(t *testing.T) {
	tests := []struct{ body, rest, params string }{
		{
			`{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"text":"<é>"}}`,
			`{"jsonrpc":"2.0","id":7,"method":"a/b"}`, `{"text":"<é>"}`,
		},
		{`{"method":"a","params":[1, 2]}`, `{"jsonrpc":"2.0","method":"a"}`, `[1, 2]`},
		{`{"id":9,"method":"a","params":{},"meta":1}`, `{"jsonrpc":"2.0","id":9,"method":"a"}`, `{}`},
		{`{"id":"x","method":"a"}`, `{"jsonrpc":"2.0","id":"x","method":"a"}`, ``},
		{`{"id":null,"method":"a","params":null}`, `{"jsonrpc":"2.0","id":null,"method":"a"}`, `null`},
		{
			" { \"params\" : { \"a\" : [ 1 , {\"b\":\"}\\\\\"} ] , \"c\\\"\" : -1.5e3 } , \"id\" : 12 ,\n\"method\" : \"a\" } ",
			`{"jsonrpc":"2.0","id":12,"method":"a"}`, "{ \"a\" : [ 1 , {\"b\":\"}\\\\\"} ] , \"c\\\"\" : -1.5e3 }",
		},
		{`{"method":"a","params":true,"id":3}`, `{"jsonrpc":"2.0","id":3,"method":"a"}`, `true`},
		{`{"method":"a","id":3,"params":1}`, `{"jsonrpc":"2.0","id":3,"method":"a"}`, `1`},
		{`{"id":3,"meth\u006fd":"a"}`, `{"id":3,"meth\u006fd":"a"}`, ``},
		{`{}`, `{}`, ``},
		// What is no request is the library's to judge.
		{`{"id":1,"result":{"params":1}}`, `{"id":1,"result":{"params":1}}`, ``},
		{`{"id":1,"method":"a","error":{"code":1}}`, `{"id":1,"method":"a","error":{"code":1}}`, ``},
		{`{"id":1,"method":5}`, `{"jsonrpc":"2.0","id":1,"method":5}`, ``},
		{`[{"method":"a"}]`, `[{"method":"a"}]`, ``},
	}
	for _, test := range tests {
		rest, params, err := split([]byte(test.body))
		if err != nil || string(rest) != test.rest || string(params) != test.params {
			t.Errorf("split(%s) = %s, %s, %v; want %s, %s", test.body, rest, params, err, test.rest, test.params)
		}
	}
	for _, body := range []string{``, `{`, `{"method":"a",}`, `{"method":"a"} {}`} {
		if rest, _, err := split([]byte(body)); err == nil {
			t.Errorf("split(%s) = %s, want an error", body, rest)
		}
	}
}

// Reading from what this side has closed fails, and that is nobody's fault.
func TestClosedIsNoFramingError(t *testing.T) {
	for _, closed := range []bool{false, true} {
		s := &objectStream{
			in: bufio.NewReader(iotest.ErrReader(os.ErrClosed)), closer: io.NopCloser(nil), out: newOutbox(io.Discard),
			log: zap.NewNop(), trace: func(string, []byte) {},
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
