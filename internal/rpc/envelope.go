package rpc

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"
)

// The library decodes and encodes a message several times on its way, which costs more than all else that is done for it.
// So it sees neither requests, but for those that are spelled oddly, nor what they are answered.

// incoming is a request, or a notification.
type incoming struct {
	id     jsonrpc2.ID
	notif  bool
	method string
	params json.RawMessage // as they came; nil for none
}

// readIncoming reads the request in body. Everything else, and what is spelled oddly, is left for the library to judge.
func readIncoming(body []byte) (req incoming, ok bool) {
	var id, method []byte
	other := false
	ok = members(body, func(key, value []byte) {
		switch string(key) {
		case "id":
			id = value
		case "method":
			method = value
		case "params":
			req.params = value
		case "result", "error":
			other = true
		}
	})
	if !ok || other {
		return incoming{}, false
	}
	if req.method, ok = simpleString(method); !ok {
		return incoming{}, false
	}
	if req.notif = id == nil; req.notif {
		return req, true
	}
	if req.id.Str, req.id.IsString = simpleString(id); req.id.IsString {
		return req, true
	}
	num, err := strconv.ParseUint(string(id), 10, 63)
	req.id.Num = num
	return req, err == nil
}

// simpleString returns what the JSON string b stands for, if that is what stands in it.
func simpleString(b []byte) (string, bool) {
	if len(b) < 2 || b[0] != '"' {
		return "", false
	}
	b = b[1 : len(b)-1]
	for _, c := range b {
		if c == '\\' || c >= utf8.RuneSelf {
			return "", false
		}
	}
	return string(b), true
}

// answer writes a response: its member result or error, and what that holds.
func answer(id jsonrpc2.ID, member string, value any) ([]byte, error) {
	content, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	body := append(make([]byte, 0, len(content)+64), `{"jsonrpc":"2.0","id":`...)
	if id.IsString {
		quoted, err := json.Marshal(id.Str)
		if err != nil {
			return nil, err
		}
		body = append(body, quoted...)
	} else {
		body = strconv.AppendUint(body, id.Num, 10)
	}
	body = append(append(append(body, `,"`...), member...), `":`...)
	return append(append(body, content...), '}'), nil
}
