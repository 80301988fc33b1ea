package hubclient

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/cenkalti/backoff/v5"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// relay is what is to be said to the hub, and what of that it has answered. All but the constants is guarded by mu, under which the
// peer is told, too, so that it is told in order.
type relay struct {
	Options
	ctx    context.Context
	wake   chan struct{} // there may be something to send
	asked  chan struct{} // the peer wants something of the hub
	kept   chan struct{} // closed when the link is not kept any more
	pauses *backoff.ExponentialBackOff

	mu    sync.Mutex
	began bool
	hello protocol.InitializeParams
	state State
	role  protocol.Role
	pace  *pace // of the link; the goroutine's that keeps it
	links int   // how many there have been
	// entries are what is not answered, in order; each link is sent all of them.
	entries []*entry
	byID    map[string]*entry
	// sessions are the requests that have opened those of the peer's, which every link opens again.
	sessions []opened
	shows    []byte // what the peer told last of its inbox; nil for nothing
	lastID   int

	subscribed bool
	open       map[string]protocol.InboxItem // as the peer has been told of them
	missing    map[string]bool               // what was open before the snapshot that is coming, and has not come again; nil: there is none
}

// entry is a message to the hub: a request until it is answered, or a notification until it is sent.
type entry struct {
	id     string // as JSON; empty in a notification
	method string
	body   []byte
	sent   int    // the link that it was sent by; 0: none
	of     *entry // the request that it cancels
	// own takes what the hub has answered this end itself; nil in what is the peer's.
	own func(result json.RawMessage, failed *jsonrpc2.Error)
	// repeated tells that more than one link was sent it.
	repeated bool
	// again tells that the next link is sent it, too, though it is this end's own.
	again bool
}

// opened is a session that is open.
type opened struct {
	session string
	body    []byte
}

func (r *relay) add(e *entry) {
	r.entries = append(r.entries, e)
	if e.id != "" {
		r.byID[e.id] = e
	}
	signal(r.wake)
}

// drop forgets a message, and what cancels it.
func (r *relay) drop(e *entry) {
	delete(r.byID, e.id)
	r.entries = slices.DeleteFunc(r.entries, func(each *entry) bool { return each == e || each.of == e })
}

// ask asks the hub something for this end.
func (r *relay) ask(method string, params any, own func(json.RawMessage, *jsonrpc2.Error)) *entry {
	r.lastID++
	id := fmt.Sprintf(`"link %d"`, r.lastID)
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method, "params": params})
	if err != nil {
		r.Log.Error("a request cannot be written", zap.String("method", method), zap.Error(err))
	}
	return &entry{id: id, method: method, body: body, own: own}
}

// begin makes ready what a new link is sent: first what makes it as the one before, then what was not answered.
func (r *relay) begin() {
	r.links++
	for _, e := range slices.Clone(r.entries) {
		if e.own != nil && !e.again {
			r.drop(e)
		}
	}
	var before []*entry
	for _, o := range r.sessions {
		e := r.ask("", nil, func(_ json.RawMessage, failed *jsonrpc2.Error) {
			if failed != nil {
				r.Log.Warn("a session was not opened again", zap.Int64("code", failed.Code), zap.String("message", failed.Message))
			}
		})
		e.body = renamed(o.body, e.id)
		before = append(before, e)
	}
	if r.subscribed {
		before = append(before, r.ask(protocol.InboxSubscribe.Method, protocol.None{}, r.resubscribed))
		r.entries = slices.DeleteFunc(r.entries, func(e *entry) bool { return e.method == "" && e.of == nil })
		if r.shows != nil {
			before = append(before, &entry{body: r.shows})
		}
	}
	for _, e := range before {
		if e.id != "" {
			r.byID[e.id] = e
		}
	}
	r.entries = append(before, r.entries...)
	signal(r.wake)
}

// renamed is a request with another id.
func renamed(body []byte, id string) []byte {
	var request map[string]json.RawMessage
	if json.Unmarshal(body, &request) != nil {
		return body
	}
	request["id"] = json.RawMessage(id)
	again, _ := json.Marshal(request) // it was read just now
	return again
}

// next is what the link is sent next; nil for nothing. A notification is on its way then.
func (r *relay) next(link int) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if link != r.links {
		return nil
	}
	for _, e := range r.entries {
		if e.sent == link {
			continue
		}
		e.repeated = e.repeated || e.sent > 0
		e.sent = link
		if e.id == "" && e.of == nil {
			r.drop(e)
		}
		return e.body
	}
	return nil
}

// heard takes a message of the hub's.
func (r *relay) heard(body []byte) {
	head, err := rpc.ReadHead(body)
	if err != nil {
		r.Log.Warn("the hub sent what is no message", zap.Error(err))
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case head.Response:
		r.answered(head, body)
	case head.Method == protocol.InboxDidChange.Method && r.subscribed:
		var told struct {
			Params protocol.InboxChange `json:"params"`
		}
		if err := json.Unmarshal(body, &told); err != nil {
			r.Log.Warn("a change of the hub's inbox cannot be read", zap.Error(err))
			return
		}
		r.changed(told.Params)
	}
}

// answered hands on what the hub has answered.
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
		r.Log.Warn("an answer of the hub's cannot be read", zap.Error(err))
		return
	}
	r.drop(e)
	if e.own != nil {
		e.own(answer.Result, answer.Error)
		return
	}
	switch {
	case answer.Error == nil && e.repeated && answers[e.method] && r.ownOutcome(e, answer.Result):
		return
	case answer.Error == nil:
		r.learn(e, answer.Result)
	case answer.Error.Code == protocol.CodeForbidden:
		key := locale.HubNoPerson
		if r.role == protocol.RolePerson {
			key = locale.HubNoAgent
		}
		r.refuse(head.ID, rpc.Errorf(protocol.CodeForbidden, "%s", r.Locale.Text(key, r.name())))
		return
	default:
		answer.Error.Message = told(answer.Error.Message, mostWords)
		r.refuse(head.ID, answer.Error)
		return
	}
	r.pass(body)
}

// learn notes what a new link has to be told, too.
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
		}
	case protocol.InboxSubscribe.Method:
		var snapshot protocol.Inbox
		if json.Unmarshal(result, &snapshot) == nil {
			r.subscribed, r.missing = true, nil
			clear(r.open)
			r.note(protocol.InboxChange{Items: snapshot.Items})
		}
	}
}

func (r *relay) closed(session string) {
	r.sessions = slices.DeleteFunc(r.sessions, func(o opened) bool { return o.session == session })
}
