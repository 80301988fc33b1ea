package rpc

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/sourcegraph/jsonrpc2"
)

// The library decodes and encodes a message several times on its way, which costs more than all else for one that holds an
// agent's text. So it is given a request without its params, and what is answered does not go through it.

var errNoJSON = errors.New("the message is not JSON")

// response is a result on its way.
type response struct {
	Version string      `json:"jsonrpc"`
	ID      jsonrpc2.ID `json:"id"`
	Result  any         `json:"result"`
}

// split takes the params out of a request; everything else is left whole, for the library to judge.
func split(body []byte) (rest []byte, params json.RawMessage, err error) {
	if !json.Valid(body) {
		return nil, nil, errNoJSON
	}
	var id, method []byte
	for key, value := range members(body) {
		switch string(key) {
		case "id":
			id = value
		case "method":
			method = value
		case "params":
			params = value
		case "result", "error":
			return body, nil, nil
		}
	}
	if method == nil {
		return body, nil, nil
	}
	rest = append(make([]byte, 0, 64), `{"jsonrpc":"2.0"`...)
	if id != nil {
		rest = append(append(rest, `,"id":`...), id...)
	}
	rest = append(append(rest, `,"method":`...), method...)
	return append(rest, '}'), params, nil
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

func skipSpace(b []byte) []byte { return bytes.TrimLeft(b, " \t\r\n") }

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
