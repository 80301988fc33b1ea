package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// Messages are decoded here, and nowhere else: the library would decode and encode one several times on its way, which costs
// more than all else that is done for it. It sees only the responses to what this side has asked.

// incoming is a request, a notification, or a response.
type incoming struct {
	kind   kind
	id     id
	method string
	params json.RawMessage // as they came; nil for none
}

type kind int

const (
	aRequest kind = iota
	aNotification
	aResponse
)

// id is that of a request: JSON of a string or a number, a string written in one way only. A number may be any, and is answered
// as it came.
type id string

// Why a message cannot be read, for its sender.
var (
	errNotJSON   = errors.New("the message is not JSON")
	errNoObject  = errors.New("the message is not an object; batches are not supported")
	errNoMessage = errors.New("the message is neither a request nor a response")
	errNoID      = errors.New("the id is neither a string nor a number")
)

// decode reads a message. With an error, the id is that of the message as far as it has one that can be answered.
func decode(body []byte) (incoming, error) {
	var in incoming
	var rawID, method []byte
	response := false
	read := func(key string, value []byte) {
		switch key {
		case "id":
			rawID = value
		case "method":
			method = value
		case "params":
			in.params = value
		case "result", "error":
			response = true
		}
	}
	odd := false // a key that is written in another way than most
	ok := members(body, func(key, value []byte) {
		odd = odd || bytes.IndexByte(key, '\\') >= 0
		read(string(key), value)
	})
	if !ok || odd {
		var all map[string]json.RawMessage
		if !json.Valid(body) {
			return in, errNotJSON
		}
		if json.Unmarshal(body, &all) != nil || all == nil {
			return in, errNoObject
		}
		in, rawID, method, response = incoming{}, nil, nil, false
		for key, value := range all {
			read(key, value)
		}
	}
	var known bool
	in.id, known = readID(rawID)
	switch {
	case rawID != nil && !known:
		return in, errNoID
	case method == nil && response:
		in.kind = aResponse
		return in, nil
	case method == nil || json.Unmarshal(method, &in.method) != nil || method[0] != '"':
		return in, errNoMessage
	case rawID == nil:
		in.kind = aNotification
	}
	return in, nil
}

// readID reads an id; false for what is none.
func readID(raw []byte) (id, bool) {
	if len(raw) == 0 {
		return "", false
	}
	switch first := raw[0]; {
	case first == '"':
		if simple(raw) {
			return id(raw), true
		}
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return "", false
		}
		return id(quote(text)), true
	case first == '-' || '0' <= first && first <= '9':
		return id(raw), true
	}
	return "", false
}

// simple tells whether what stands in a JSON string is what it stands for.
func simple(b []byte) bool {
	for _, c := range b {
		if c == '\\' || c >= utf8.RuneSelf || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}

func quote(text string) []byte {
	quoted, _ := json.Marshal(text) // a string always can be
	return quoted
}

// answer writes a response: its member result or error, and what that holds. Without an id it is null.
func answer(to id, member string, value any) ([]byte, error) {
	content, err := encode(value)
	if err != nil {
		return nil, err
	}
	if to == "" {
		to = "null"
	}
	body := append(make([]byte, 0, len(content)+64), `{"jsonrpc":"2.0","id":`...)
	body = append(append(append(append(body, to...), `,"`...), member...), `":`...)
	return append(append(body, content...), '}'), nil
}
