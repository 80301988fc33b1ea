package rpc

import (
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

func TestReadHead(t *testing.T) {
	tests := []struct {
		body, method, id string
		code             int64
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"a/b","params":{"method":"c","id":2}}`, "a/b", "1", 0},
		{`{"jsonrpc":"2.0","method":"a/b"}`, "a/b", "", 0},
		{`{"id":"x","result":{}}`, "", `"x"`, 0},
		{`{"id":1,"method":"a","method":"b"}`, "b", "1", 0},
		{`{"id":1,"m\u0065thod":"b"}`, "b", "1", 0},
		{`{"id":1}`, "", "1", jsonrpc2.CodeInvalidRequest},
		{`{"id":{},"method":"a"}`, "", "", jsonrpc2.CodeInvalidRequest},
		{`[{"id":1,"method":"a"}]`, "", "", jsonrpc2.CodeInvalidRequest},
		{`{"id":1,"method":"a"`, "", "", jsonrpc2.CodeParseError},
		{``, "", "", jsonrpc2.CodeParseError},
	}
	for _, test := range tests {
		head, err := ReadHead([]byte(test.body))
		if code := codeOf(err); code != test.code || err == nil && (head.Response != (test.method == "") || head.Method != test.method || string(head.ID) != test.id) {
			t.Errorf("%s: got %+v, %v", test.body, head, err)
		}
		if err == nil {
			continue
		}
		refusal, err := Refusal(head, err)
		if answered, wrong := ReadHead(refusal); err != nil || wrong != nil && head.ID != nil || wrong == nil && !answered.Response {
			t.Errorf("%s is answered with %s (%v, %v)", test.body, refusal, err, wrong)
		}
	}
}

func codeOf(err error) int64 {
	if err == nil {
		return 0
	}
	return toWire(err).Code
}
