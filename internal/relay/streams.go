package relay

import (
	"encoding/json"

	"go.uber.org/zap"

	"followup/internal/protocol"
)

// A stream's pieces are kept until its end is answered, and a new link is sent them again. Their offsets make repeats harmless.
type stream struct {
	session string
	sent    int  // the newest link that was sent a piece
	broken  int  // how many short links in a row broke after a piece was sent
	cut     bool // it is not sent any more
}

// maxBroken is how many short links in a row a stream may break before it is taken for what crashes the other end.
const maxBroken = 3

// piece returns the id of the stream that a notification belongs to, or an empty string. It reports false for a stream that is not sent any more.
func (r *relay) piece(method string, body []byte) (id string, wanted bool) {
	switch method {
	case protocol.StreamAppend.Method, protocol.StreamAppendToolInput.Method, protocol.StreamResume.Method:
	default:
		return "", true
	}
	var message struct {
		Params protocol.StreamResumeParams `json:"params"`
	}
	if json.Unmarshal(body, &message) != nil || message.Params.StreamID == "" {
		return "", true
	}
	id = message.Params.StreamID
	if method == protocol.StreamResume.Method { // all of it follows
		r.remove(func(e *entry) bool { return e.stream == id })
	}
	if r.streams[id] == nil {
		r.streams[id] = &stream{session: message.Params.Session}
	}
	return id, !r.streams[id].cut || method == protocol.StreamResume.Method
}

// resumes announces to a new link the streams that an earlier one was sent.
func (r *relay) resumes() (entries []*entry) {
	for id, of := range r.streams {
		if of.sent == 0 {
			continue
		}
		body, err := json.Marshal(map[string]any{
			"jsonrpc": "2.0", "method": protocol.StreamResume.Method, "params": protocol.StreamResumeParams{Session: of.session, StreamID: id},
		})
		if err == nil {
			entries = append(entries, &entry{method: protocol.StreamResume.Method, body: body})
		}
	}
	return entries
}

// blame counts a broken link against the streams that it was sent. One that breaks every link is given up, since it may crash the other end.
func (r *relay) blame(short bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, of := range r.streams {
		switch {
		case !short:
			of.broken = 0
		case of.sent == r.links:
			of.broken++
		}
		if of.broken >= maxBroken && !of.cut {
			of.cut = true
			r.Log.Error("a stream is given up: the other end did not survive it", zap.String("stream", id), zap.Int("times", of.broken))
			r.remove(func(e *entry) bool { return e.stream == id })
		}
	}
}

// streamEnded hands on the end of a stream, and forgets its pieces.
func (r *relay) streamEnded(e *entry, body []byte, result json.RawMessage) {
	var request struct {
		Params protocol.StreamEndParams `json:"params"`
	}
	var end protocol.StreamEndResult
	if json.Unmarshal(e.body, &request) == nil {
		id := request.Params.StreamID
		if of := r.streams[id]; of != nil && of.cut && json.Unmarshal(result, &end) == nil {
			end.Truncated = true
			r.reply(json.RawMessage(e.id), end)
			body = nil
		}
		r.forgetStream(id)
	}
	if body != nil {
		r.post(body)
	}
}

func (r *relay) forgetStream(id string) {
	delete(r.streams, id)
	r.remove(func(e *entry) bool { return e.stream == id })
}
