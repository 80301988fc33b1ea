package relay

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// begin queues messages for a new link: first those that restore its state, then the unanswered ones.
func (r *relay) begin(link Link) {
	r.links++
	r.link, r.at, r.hung = link, 0, false
	r.remove(func(e *entry) bool {
		gone := e.own != nil && !e.again
		if gone {
			delete(r.byID, e.id)
		}
		return gone
	})
	if r.links > 1 {
		before := r.before()
		for _, e := range before {
			if e.id != "" {
				r.byID[e.id] = e
			}
		}
		r.entries = slices.Concat(before, r.resumes(), r.entries)
	}
	r.at = 0
	signal(r.wake)
}

// before returns the messages that restore the peer's state on a new link.
func (r *relay) before() (before []*entry) {
	again := func(what string) func(json.RawMessage, *jsonrpc2.Error) {
		return func(_ json.RawMessage, failed *jsonrpc2.Error) {
			if failed != nil {
				r.Log.Warn("what was set up is not restored", zap.String("what", what), zap.Int64("code", failed.Code), zap.String("message", failed.Message))
			}
		}
	}
	for _, o := range r.sessions {
		before = append(before, r.askAgain("", o.body, again("a session")))
	}
	if r.subscribed {
		before = append(before, r.ask(protocol.InboxSubscribe.Method, protocol.None{}, r.resubscribed))
	}
	r.remove(func(e *entry) bool {
		request, is := settings[e.method]
		return is && !request // the latest of its kind, or an older one
	})
	for _, s := range r.settings {
		if settings[s.method] {
			before = append(before, r.askAgain(s.method, s.body, again(s.method)))
		} else {
			before = append(before, &entry{method: s.method, body: s.body})
		}
	}
	return before
}

// next returns the next message for the link; nil if there is none. A notification counts as sent then.
func (r *relay) next(link int) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if link != r.links {
		return nil
	}
	if r.at >= len(r.entries) {
		signal(r.sent)
		return nil
	}
	may := func(e *entry) bool { return !r.held(cmp.Or(e.stream, e.about)) }
	i := slices.IndexFunc(r.entries[r.at:], may)
	if i < 0 {
		return nil
	}
	e := r.entries[r.at+i]
	copy(r.entries[r.at+1:], r.entries[r.at:r.at+i]) // held entries come later
	r.entries[r.at], e.sent = e, link
	if of := r.streams[e.stream]; of != nil && of.sent != link {
		of.sent, of.since = link, time.Now()
	}
	if e.id == "" && e.of == nil && e.stream == "" {
		r.entries = slices.Delete(r.entries, r.at, r.at+1)
	} else {
		r.at++
	}
	return e.body
}

// heard handles a message of the other end.
func (r *relay) heard(body []byte) {
	head, err := rpc.ReadHead(body)
	if err != nil {
		r.Log.Warn("the peer sent data that is not a message", zap.Error(err))
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	own := r.Own[head.Method]
	switch {
	case head.Response:
		r.answered(head, body)
	case own != nil:
		var notification struct {
			Params json.RawMessage `json:"params"`
		}
		if json.Unmarshal(body, &notification) == nil {
			own(notification.Params)
		}
	case !r.passes(head.Method) || head.ID != nil:
	case head.Method == protocol.InboxDidChange.Method:
		r.didChange(body)
	default:
		r.post(body)
	}
}

// answered forwards a response.
func (r *relay) answered(head rpc.Head, body []byte) {
	e := r.byID[string(head.ID)]
	if e == nil { // it was cancelled
		return
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *jsonrpc2.Error `json:"error"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		r.Log.Warn("an answer cannot be read", zap.Error(err))
		return
	}
	r.drop(e)
	signal(r.sent)
	if e.own != nil {
		e.own(answer.Result, answer.Error)
		return
	}
	switch {
	case answer.Error == nil && e.method == protocol.StreamEnd.Method:
		r.streamEnded(e, body, answer.Result)
		return
	case answer.Error == nil:
		r.learn(e, answer.Result)
	case r.Reword != nil:
		r.refuse(head.ID, r.Reword(answer.Error))
		return
	}
	r.post(body)
}

// learn records messages that a new link must get too.
func (r *relay) learn(e *entry, result json.RawMessage) {
	switch e.method {
	case protocol.SessionOpen.Method:
		var of protocol.SessionOpenResult
		if json.Unmarshal(result, &of) == nil {
			r.closed(of.Session)
			r.sessions = append(r.sessions, opened{of.Session, e.body})
		}
	case protocol.SessionClose.Method:
		var request struct {
			Params protocol.SessionParams `json:"params"`
		}
		if json.Unmarshal(e.body, &request) == nil {
			r.closed(request.Params.Session)
			for id, of := range r.streams {
				if of.session == request.Params.Session {
					r.forgetStream(id)
				}
			}
		}
	case protocol.InboxSubscribe.Method:
		r.didSubscribe(result)
	default:
		if settings[e.method] {
			r.set(e.method, e.body)
		}
	}
}

func (r *relay) closed(session string) {
	r.sessions = slices.DeleteFunc(r.sessions, func(o opened) bool { return o.session == session })
}
