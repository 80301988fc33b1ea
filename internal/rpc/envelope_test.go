package rpc

import (
	"bufio"
	"errors"
	"io"
	"os"
	"testing"
	"testing/iotest"

	"go.uber.org/zap"
)

func TestSplit(t *testing.T) {
	tests := []struct{ body, rest, params string }{
		{
			`{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"text":"<é>"}}`,
			`{"jsonrpc":"2.0","id":7,"method":"a/b"}`, `{"text":"<é>"}`,
		},
		{`{"method":"a","params":[1, 2]}`, `{"jsonrpc":"2.0","method":"a"}`, `[1, 2]`},
		{`{"id":"x","method":"a"}`, `{"jsonrpc":"2.0","id":"x","method":"a"}`, ``},
		{`{"id":null,"method":"a","params":null}`, `{"jsonrpc":"2.0","id":null,"method":"a"}`, `null`},
		// What is no request is the library's to judge.
		{`{"id":1,"result":{"params":1}}`, `{"id":1,"result":{"params":1}}`, ``},
		{`{"id":1,"method":"a","error":{"code":1}}`, `{"id":1,"method":"a","error":{"code":1}}`, ``},
		{`{"id":1,"method":5}`, `{"id":1,"method":5}`, ``},
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
