package rpc

import (
	"encoding/json"
	"errors"

	"github.com/sourcegraph/jsonrpc2"
)

// The library decodes and encodes a message several times on its way, which costs more than all else for one that holds an
// agent's text. So it is given a request without its params, and what is answered does not go through it.

// envelope is what the library needs of a request.
type envelope struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method"`
}

// response is a result on its way.
type response struct {
	Version string      `json:"jsonrpc"`
	ID      jsonrpc2.ID `json:"id"`
	Result  any         `json:"result"`
}

// split takes the params out of a request; everything else is left whole. Its error is that body is no JSON.
func split(body []byte) (rest []byte, params json.RawMessage, err error) {
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	err = json.Unmarshal(body, &message)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, nil, err
	case err != nil, message.Method == nil, message.Result != nil, message.Error != nil:
		return body, nil, nil
	}
	rest, err = json.Marshal(envelope{"2.0", message.ID, *message.Method})
	return rest, message.Params, err
}
