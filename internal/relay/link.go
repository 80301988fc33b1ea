package relay

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// begin queues messages for a new link: first those that restore the peer's state, then the unanswered ones.
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
	r.remove(func(e *entry) bool {
		request, is := settings[e.method]
		return is && !request // r.state has the latest of each
	})
	for _, s := range r.state {
		switch request, setting := settings[s.method]; {
		case s.method == protocol.InboxSubscribe.Method:
			before = append(before, r.askAgain("", s.body, r.resubscribed))
		case setting && !request:
			before = append(before, &entry{method: s.method, body: s.body})
		default:
			before = append(before, r.askAgain(s.method, s.body, func(_ json.RawMessage, failed *jsonrpc2.Error) {
				if failed != nil {
					r.Log.Warn("could not restore the peer's state", zap.String("method", s.method), zap.Int64("code", failed.Code), zap.String("message", failed.Message))
				}
			}))
		}
	}
	return before
}

// next returns the next message for the link, or nil. It marks a notification as sent.
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
	copy(r.entries[r.at+1:], r.entries[r.at:r.at+i]) // held entries are sent later
	r.entries[r.at] = e
	if e.sent != 0 && e.sent != link && e.method == protocol.QuestionAsk.Method {
		e.body = repeated(e.body)
	}
	e.sent = link
	if of := r.streams[e.stream]; of != nil && of.sent != link {
		of.sent, of.since = link, time.Now()
	}
	if e.id == "" && e.of == nil && e.stream == (streamKey{}) {
		r.entries = slices.Delete(r.entries, r.at, r.at+1)
	} else {
		r.at++
	}
	return e.body
}

// repeated returns question/ask without "new": an earlier link may have got it.
func repeated(body []byte) []byte {
	var request, params map[string]json.RawMessage
	if json.Unmarshal(body, &request) != nil || json.Unmarshal(request["params"], &params) != nil || params["new"] == nil {
		return body
	}
	delete(params, "new")
	request["params"], _ = json.Marshal(params) // both were just parsed
	body, _ = json.Marshal(request)
	return body
}

// heard handles a message from the other end.
func (r *relay) heard(body []byte) {
	head, err := rpc.ReadHead(body)
	if err != nil {
		r.Log.Warn("the peer sent data that is not a message", zap.Error(err))
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case head.Response:
		r.answered(head, body)
	case head.Method == Outside.Method:
		r.outside(head.Params)
	case !r.passes(head.Method) || head.ID != nil:
	case head.Method == protocol.InboxDidChange.Method:
		r.didChange(head, body)
	default:
		r.out.Send(body)
	}
}

// outside shows a desktop notification, which may take a while.
func (r *relay) outside(params json.RawMessage) {
	var p OutsideParams
	if r.Outside != nil && json.Unmarshal(params, &p) == nil {
		go r.Outside(p)
	}
}

// answered forwards a response.
func (r *relay) answered(head rpc.Head, body []byte) {
	e := r.byID[string(head.ID)]
	if e == nil { // its request was cancelled
		return
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *jsonrpc2.Error `json:"error"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		r.Log.Warn("could not parse a response", zap.Error(err))
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
	r.out.Send(body)
}

// learn records messages that every new link must get too.
func (r *relay) learn(e *entry, result json.RawMessage) {
	switch e.method {
	case protocol.SessionOpen.Method:
		var of protocol.SessionOpenResult
		if json.Unmarshal(result, &of) == nil {
			r.keepState(of.Session, e.method, e.body)
		}
	case protocol.SessionClose.Method:
		r.forgetState(e.about.session)
		for key := range r.streams {
			if key.session == e.about.session {
				r.forgetStream(key)
			}
		}
	case protocol.InboxSubscribe.Method:
		r.keepState(e.method, e.method, e.body)
		r.didSubscribe(result)
	default:
		if settings[e.method] {
			r.keepState(e.method, e.method, e.body)
		}
	}
}

// helloID is the id of the handshake.
const helloID = `"hello"`

// Greet performs the handshake on a new link, and closes the link if ctx ends meanwhile. If the other end refuses, the error is a *jsonrpc2.Error.
func Greet(ctx context.Context, link Link, hello protocol.InitializeParams) (result protocol.InitializeResult, err error) {
	defer context.AfterFunc(ctx, link.CloseNow)() // a read may ignore ctx
	body, err := rpc.Message(json.RawMessage(helloID), protocol.Initialize.Method, hello)
	if err != nil {
		return result, err
	}
	if err := link.Write(ctx, body); err != nil {
		return result, err
	}
	for {
		body, err := link.Read(ctx)
		if err != nil {
			return result, err
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
			return result, nil //nolint:nilerr // the response is not a result
		}
		if answer.Error != nil {
			return result, answer.Error
		}
		return answer.Result, link.Write(ctx, []byte(`{"jsonrpc":"2.0","method":"`+protocol.Initialized.Method+`","params":{}}`))
	}
}
