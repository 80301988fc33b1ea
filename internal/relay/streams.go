package relay

import (
	"encoding/json"

	"followup/internal/protocol"
)

// A stream that the peer is giving is kept until its end is answered: a new link is given it again from its start.
type stream struct {
	session, id string
	passed      int // how many bytes of text outside calls the peer has been handed back
	again       int // how many of them a new link hands back once more
}

// piece returns the id of the stream that a message is a piece of; empty if it is none.
func (r *relay) piece(method string, body []byte) string {
	switch method {
	case protocol.StreamAppend.Method, protocol.StreamAppendToolInput.Method, protocol.StreamResume.Method:
	default:
		return ""
	}
	var message struct {
		Params protocol.StreamResumeParams `json:"params"`
	}
	if json.Unmarshal(body, &message) != nil || message.Params.StreamID == "" {
		return ""
	}
	id := message.Params.StreamID
	if r.streams[id] == nil {
		r.streams[id] = &stream{session: message.Params.Session, id: id}
	}
	return id
}

// resumed is what is not answered, as a new link is sent it: each stream begins by resuming it.
func (r *relay) resumed() (entries []*entry) {
	begun := map[string]bool{}
	for _, e := range r.entries {
		if of := r.streams[e.stream]; of != nil && !begun[e.stream] {
			begun[e.stream] = true
			of.again = of.passed
			if e.sent > 0 && e.method != protocol.StreamResume.Method {
				body, err := json.Marshal(map[string]any{
					"jsonrpc": "2.0", "method": protocol.StreamResume.Method,
					"params": protocol.StreamResumeParams{Session: of.session, StreamID: of.id},
				})
				if err == nil {
					entries = append(entries, &entry{method: protocol.StreamResume.Method, body: body, stream: e.stream})
				}
			}
		}
		entries = append(entries, e)
	}
	return entries
}

func (r *relay) forgetStreams(gone func(*stream) bool) {
	for id, of := range r.streams {
		if gone(of) {
			delete(r.streams, id)
		}
	}
	r.remove(func(e *entry) bool { return e.stream != "" && r.streams[e.stream] == nil })
}

// didPassText hands back text outside calls, each piece once.
func (r *relay) didPassText(body []byte) {
	var told struct {
		Params protocol.StreamDidPassTextParams `json:"params"`
	}
	if json.Unmarshal(body, &told) != nil {
		return
	}
	of := r.streams[told.Params.StreamID]
	if of == nil {
		r.post(body)
		return
	}
	again := min(of.again, len(told.Params.Text))
	of.again -= again
	of.passed += len(told.Params.Text) - again
	switch told.Params.Text = told.Params.Text[again:]; {
	case told.Params.Text == "":
	case again == 0:
		r.post(body)
	default:
		r.tell(map[string]any{"jsonrpc": "2.0", "method": protocol.StreamDidPassText.Method, "params": told.Params})
	}
}
