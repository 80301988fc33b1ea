package rpc

import (
	"bytes"
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

// readIncoming reads the request in body, which is valid JSON. Everything else, and what is spelled oddly, is left for the
// library to judge.
func readIncoming(body []byte) (req incoming, ok bool) {
	var id, method []byte
	for key, value := range members(body) {
		switch string(key) {
		case "id":
			id = value
		case "method":
			method = value
		case "params":
			req.params = value
		case "result", "error":
			return incoming{}, false
		}
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

// members tells the members of the object in b, which is valid JSON: the keys as they are written, without their quotes,
// and the values. It tells nothing of another value.
func members(b []byte) func(yield func(key, value []byte) bool) {
	return func(yield func(key, value []byte) bool) {
		b = skipSpace(b)
		if b[0] != '{' {
			return
		}
		for b = skipSpace(b[1:]); b[0] != '}'; b = skipSpace(b) {
			if b[0] == ',' {
				b = skipSpace(b[1:])
			}
			n := valueLen(b)
			key := b[1 : n-1]
			b = skipSpace(b[n:])
			b = skipSpace(b[1:]) // the colon
			n = valueLen(b)
			if !yield(key, b[:n:n]) {
				return
			}
			b = b[n:]
		}
	}
}

func skipSpace(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t' || b[0] == '\r' || b[0] == '\n') {
		b = b[1:]
	}
	return b
}

// valueLen returns the length of the valid JSON value at the beginning of b.
func valueLen(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			i += stringLen(b[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ' ', '\t', '\r', '\n', ',', ':':
			if depth == 0 { // behind a number or a literal
				return i
			}
			continue
		default:
			continue
		}
		switch {
		case depth < 0: // the end of what a number or a literal stands in
			return i
		case depth == 0:
			return i + 1
		}
	}
	return len(b)
}

// stringLen returns the length of the valid JSON string at the beginning of b, with its quotes.
func stringLen(b []byte) int {
	for n := 1; ; n++ {
		n += bytes.IndexByte(b[n:], '"')
		backslashes := 0
		for b[n-1-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return n + 1
		}
	}
}
