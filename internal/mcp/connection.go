package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"followup/internal/charset"
)

// maxLine is the maximum length of a line in bytes. Longer lines are skipped. Tests lower it.
var maxLine = sdk.DefaultMaxLineLength

const (
	// maxDepth is the maximum nesting of objects and arrays, as in the library.
	maxDepth = 1000
	// maxBatch is the maximum number of messages in a batch.
	maxBatch = 1000
	// batchVersion is the only version of the protocol with batches:
	// https://modelcontextprotocol.io/specification/2025-06-18/changelog
	batchVersion = "2025-03-26"
)

// connection implements the library's transport over lines, and is its only connection. The library's own transport closes the connection,
// and with it every waiting call, at the first invalid line, and never responds to a batch that has a notification. This one
// responds to such a line with an error (https://www.jsonrpc.org/specification#error_object) and continues.
type connection struct {
	log      *zap.Logger
	incoming chan jsonrpc.Message
	ended    error // the reason why incoming was closed
	closing  sync.Once
	closed   chan struct{}
	// batches reports whether the session's version of the protocol has batches.
	batches atomic.Bool

	writing sync.Mutex
	out     io.Writer // one message per call

	mu    sync.Mutex
	calls map[jsonrpc.ID]*batch // unanswered calls, with the lines that contained them
}

// batch collects the responses to the calls of one line (https://www.jsonrpc.org/specification#batch).
type batch struct {
	array     bool // otherwise the line is one message
	responses [][]byte
	open      int // unanswered calls, plus one while they are registered
}

func newConnection(out io.Writer, log *zap.Logger) *connection {
	return &connection{
		log: log, out: out, incoming: make(chan jsonrpc.Message), closed: make(chan struct{}), calls: map[jsonrpc.ID]*batch{},
	}
}

// Connect implements the library's Transport.
func (c *connection) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// SessionID implements the library's Connection: standard input has no sessions.
func (c *connection) SessionID() string { return "" }

// Close unblocks Read. It does not close the input, where a read may be blocked, nor the output, which may still have to write
// the last responses.
func (c *connection) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return nil
}

// Read returns the next message, and io.EOF after Close or at the end of the input.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case message, ok := <-c.incoming:
		if ok {
			return message, nil
		}
		return nil, c.ended
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write sends a message. It holds back a response to a batched call until the batch is complete.
func (c *connection) Write(_ context.Context, message jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	response, is := message.(*jsonrpc.Response)
	if !is {
		return c.writeLine(data)
	}
	c.mu.Lock()
	b := c.calls[response.ID]
	delete(c.calls, response.ID)
	c.mu.Unlock()
	return c.settle(b, data)
}

// settle adds a response to a batch, unless it is nil, and writes the batch if it is complete.
func (c *connection) settle(b *batch, response []byte) error {
	c.mu.Lock()
	if response != nil {
		b.responses = append(b.responses, response)
	}
	b.open--
	complete := b.open == 0 && len(b.responses) > 0
	c.mu.Unlock()
	switch {
	case !complete:
		return nil
	case !b.array:
		return c.writeLine(b.responses[0])
	}
	line := append([]byte{'['}, bytes.Join(b.responses, []byte{','})...)
	return c.writeLine(append(line, ']'))
}

func (c *connection) writeLine(data []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(data, '\n'))
	return err
}

// read reads lines until the input ends, and passes their messages to Read.
func (c *connection) read(from io.Reader) {
	defer close(c.incoming)
	for in := bufio.NewReader(from); c.ended == nil; {
		l, err := readLine(in)
		c.ended = errors.Join(c.receive(l), err)
	}
}

// line is one line of the input.
type line struct {
	text []byte
	outline
	long bool // longer than maxLine; the text is empty
}

func readLine(in *bufio.Reader) (l line, err error) {
	for {
		part, err := in.ReadSlice('\n')
		l.scan(part)
		if l.long = l.long || len(l.text)+len(part) > maxLine; l.long {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l, err
		}
	}
}

func (c *connection) receive(l line) error {
	text := bytes.TrimSpace(bytes.TrimPrefix(l.text, []byte("\ufeff")))
	switch {
	case l.long:
		return c.refuse(l.outline, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d MiB", maxLine>>20))
	case len(text) == 0:
		return nil
	case l.deepest > maxDepth:
		return c.refuse(l.outline, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is nested deeper than %d levels", maxDepth))
	}
	if err := charset.Check(text); err != nil {
		return c.refuse(l.outline, jsonrpc.CodeParseError, "the line must be UTF-8: "+err.Error())
	}
	if !json.Valid(text) {
		return c.refuse(l.outline, jsonrpc.CodeParseError, "the line is not JSON")
	}
	elements, b := []json.RawMessage{text}, &batch{array: text[0] == '[', open: 1}
	if b.array {
		var why string
		if elements, why = c.elements(text); why != "" {
			return c.refuse(outline{}, jsonrpc.CodeInvalidRequest, why)
		}
	}
	var accepted []jsonrpc.Message
	for _, element := range elements {
		seen := l.outline
		if b.array {
			seen = outline{}
			seen.scan(element)
		}
		message, wrong := decode(element, seen)
		if request, is := message.(*jsonrpc.Request); is && b.array && request.Method == "initialize" {
			wrong = &refusal{seen.callID(), jsonrpc.CodeInvalidRequest, "initialize cannot be in a batch"}
		}
		if wrong == nil {
			wrong = c.register(message, b)
		}
		if wrong != nil { // it becomes part of the batch's response
			b.responses = append(b.responses, c.refusal(wrong))
		} else {
			accepted = append(accepted, message)
		}
	}
	if err := c.settle(b, nil); err != nil {
		return err
	}
	for _, message := range accepted {
		c.deliver(message)
	}
	return nil
}

// elements returns the messages of a batch, or the reason for refusing it.
func (c *connection) elements(text []byte) (all []json.RawMessage, why string) {
	if !c.batches.Load() {
		return nil, "only sessions of protocol version " + batchVersion + " have batches"
	}
	elements := json.NewDecoder(bytes.NewReader(text))
	_, _ = elements.Token() // skip the bracket; the text is valid JSON
	for elements.More() {
		if len(all) == maxBatch {
			return nil, fmt.Sprintf("a batch holds at most %d messages", maxBatch)
		}
		var element json.RawMessage
		_ = elements.Decode(&element)
		all = append(all, element)
	}
	if len(all) == 0 {
		return nil, "the batch is empty"
	}
	return all, ""
}

// register records a call, so that its response finds its batch. It refuses an id in use, since the library would not answer the second call.
func (c *connection) register(message jsonrpc.Message, in *batch) *refusal {
	request, is := message.(*jsonrpc.Request)
	if !is || !request.IsCall() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, used := c.calls[request.ID]; used { // an error response with the id would end the other call
		return &refusal{nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the id %v is in use by another request", request.ID.Raw())}
	}
	c.calls[request.ID] = in
	in.open++
	return nil
}

func (c *connection) deliver(message jsonrpc.Message) {
	if request, is := message.(*jsonrpc.Request); is && request.IsCall() && request.Method == "tools/call" {
		noteCallID(request)
	}
	select {
	case c.incoming <- message:
	case <-c.closed:
	}
}

func (c *connection) refuse(seen outline, code int, why string) error {
	return c.writeLine(c.refusal(&refusal{seen.callID(), code, why}))
}

// refusal is an error response to a message that is not passed to the library.
type refusal struct {
	id   json.RawMessage // nil if unknown
	code int
	why  string
}

// refusal returns the response to a refused message, and logs the reason.
func (c *connection) refusal(r *refusal) []byte {
	c.log.Warn("refused a message", zap.ByteString("id", r.id), zap.String("why", r.why))
	data, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"` // null if unknown
		Error   jsonrpc.Error   `json:"error"`
	}{"2.0", r.id, jsonrpc.Error{Code: int64(r.code), Message: r.why}})
	if err != nil {
		panic(err) // the id is JSON
	}
	return data
}

// decode parses one message.
func decode(text []byte, seen outline) (jsonrpc.Message, *refusal) {
	message, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, &refusal{seen.callID(), jsonrpc.CodeInvalidRequest, "the line is not one JSON-RPC message"}
	}
	if request, is := message.(*jsonrpc.Request); is && request.IsCall() {
		if number, is := request.ID.Raw().(int64); is && string(seen.id) != strconv.FormatInt(number, 10) { // the library parses it as a float64
			return nil, &refusal{seen.callID(), jsonrpc.CodeInvalidRequest, "the id is neither a string nor an integer below 2^53"}
		}
	}
	return message, nil
}

// callIDKey is the member of a call's _meta with its id, as JSON. The library does not expose the id, by which a page in the
// conversation finds its call.
const callIDKey = "followup/callId"

// noteCallID adds a call's id to its params. Params that are not an object are left alone, and the library rejects them.
func noteCallID(request *jsonrpc.Request) {
	var params, meta map[string]json.RawMessage
	if json.Unmarshal(request.Params, &params) != nil || params == nil {
		return
	}
	if raw, has := params["_meta"]; has && json.Unmarshal(raw, &meta) != nil {
		return
	}
	if meta == nil {
		meta = map[string]json.RawMessage{}
	}
	id, err := json.Marshal(request.ID.Raw())
	if err == nil {
		id, err = json.Marshal(string(id))
	}
	meta[callIDKey] = id
	if err == nil {
		params["_meta"], err = json.Marshal(meta)
	}
	if whole, wrong := json.Marshal(params); err == nil && wrong == nil {
		request.Params = whole
	}
}
