package relay

import (
	"encoding/json"
	"time"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// streamKey identifies a stream: its id is unique in its session.
type streamKey struct{ session, id string }

// A stream's pieces are kept until its end is answered, and a new link is sent them again. Their offsets make repetition harmless.
type stream struct {
	sent   int       // the newest link that got a piece
	since  time.Time // when that link got the first piece
	broken int       // how many links in a row broke soon after that
	cut    bool      // it is no longer sent
}

// suspect reports whether the last link broke soon after it got a piece.
func (s *stream) suspect() bool { return s != nil && s.broken > 0 && !s.cut }

// maxBroken is how many short links in a row a stream may break before it is assumed to crash the other end.
const maxBroken = 3

// piece returns a notification's stream, if it has one. It returns false for a stream that is no longer sent.
func (r *relay) piece(head rpc.Head) (key streamKey, wanted bool) {
	switch head.Method {
	case protocol.StreamAppend.Method, protocol.StreamAppendToolInput.Method, protocol.StreamResume.Method:
	default:
		return key, true
	}
	var of protocol.StreamParams
	if json.Unmarshal(head.Params, &of) != nil || of.StreamID == "" {
		return key, true
	}
	key = streamKey{of.Session, of.StreamID}
	if head.Method == protocol.StreamResume.Method { // the whole stream follows
		r.remove(func(e *entry) bool { return e.stream == key })
	}
	if r.streams[key] == nil {
		r.streams[key] = &stream{}
	}
	return key, !r.streams[key].cut || head.Method == protocol.StreamResume.Method
}

// subject returns the stream that a request ends, or the session that it closes, without an id, or neither.
func subject(head rpc.Head) streamKey {
	var of protocol.StreamEndParams
	switch ended := head.Method == protocol.StreamEnd.Method; {
	case !ended && head.Method != protocol.SessionClose.Method || json.Unmarshal(head.Params, &of) != nil:
		return streamKey{}
	case ended:
		return streamKey{of.Session, of.StreamID}
	}
	return streamKey{session: of.Session}
}

// resumes returns messages that announce to a new link the streams that an earlier link got.
func (r *relay) resumes() (entries []*entry) {
	for key, of := range r.streams {
		if of.sent == 0 {
			continue
		}
		body := r.message(protocol.StreamResume.Method, protocol.StreamParams{Session: key.session, StreamID: key.id})
		entries = append(entries, &entry{method: protocol.StreamResume.Method, body: body, about: key})
	}
	return entries
}

// held reports whether a stream must wait while another one that may have broken the link is sent alone.
func (r *relay) held(key streamKey) bool {
	of := r.streams[key]
	if !of.suspect() || of.sent == r.links {
		return false
	}
	for _, other := range r.streams {
		if left := r.Steady - time.Since(other.since); other.suspect() && other.sent == r.links && left > 0 {
			time.AfterFunc(left, func() { signal(r.wake) })
			return true
		}
	}
	return false
}

// blame counts a broken link against the streams that were sent just before. A stream that breaks too many links in a row is
// given up, since it may crash the other end.
func (r *relay) blame() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, of := range r.streams {
		switch {
		case of.sent != r.links:
		case time.Since(of.since) > r.Steady:
			of.broken = 0
		default:
			of.broken++
		}
		if of.broken >= maxBroken && !of.cut {
			of.cut = true
			r.Log.Error("gave up a stream that seems to crash the other end", zap.String("stream", key.id), zap.Int("times", of.broken))
			r.remove(func(e *entry) bool { return e.stream == key })
		}
	}
}

// streamEnded forwards the response to a stream's end, and drops the stream's pieces.
func (r *relay) streamEnded(e *entry, body []byte, result json.RawMessage) {
	var end protocol.StreamEndResult
	if key := e.about; key.id != "" {
		if of := r.streams[key]; of != nil && of.cut && json.Unmarshal(result, &end) == nil {
			end.Truncated = true
			r.respond(json.RawMessage(e.id), end, nil)
			body = nil
		}
		r.forgetStream(key)
	}
	if body != nil {
		r.out.Send(body)
	}
}

func (r *relay) forgetStream(key streamKey) {
	delete(r.streams, key)
	r.remove(func(e *entry) bool { return e.stream == key })
}
