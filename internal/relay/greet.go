package relay

import (
	"context"
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// helloID is the id of the handshake.
const helloID = `"hello"`

// Greet shakes hands over a new link. It returns the other end's result or its refusal; err is why the link has ended.
func Greet(ctx context.Context, link Link, hello protocol.InitializeParams) (result *protocol.InitializeResult, refused *jsonrpc2.Error, err error) {
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": json.RawMessage(helloID), "method": protocol.Initialize.Method, "params": hello,
	})
	if err != nil {
		return nil, nil, err
	}
	if err := link.Write(ctx, body); err != nil {
		return nil, nil, err
	}
	for {
		body, err := link.Read(ctx)
		if err != nil {
			return nil, nil, err
		}
		head, wrong := rpc.ReadHead(body)
		if wrong != nil || !head.Response || string(head.ID) != helloID {
			continue
		}
		var answer struct {
			Result protocol.InitializeResult `json:"result"`
			Error  *jsonrpc2.Error           `json:"error"`
		}
		if err := json.Unmarshal(body, &answer); err != nil {
			return &protocol.InitializeResult{}, nil, nil //nolint:nilerr // the response is not a result
		}
		if answer.Error != nil {
			return nil, answer.Error, nil
		}
		return &answer.Result, nil, link.Write(ctx, []byte(`{"jsonrpc":"2.0","method":"`+protocol.Initialized.Method+`","params":{}}`))
	}
}
