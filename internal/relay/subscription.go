package relay

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// After a reconnect, the peer gets the new link's snapshot as changes: new questions, and the outcomes of questions that
// have closed.

// change is the part of a snapshot or a change that a relay parses; the rest is forwarded.
type change struct {
	Removed []string          `json:"removed"`
	Items   []json.RawMessage `json:"items"`
	More    int               `json:"more"`
	Storage *protocol.Storage `json:"storage"`
}

// didSubscribe handles the snapshot that the peer requested.
func (r *relay) didSubscribe(result json.RawMessage) {
	var snapshot change
	if json.Unmarshal(result, &snapshot) == nil {
		r.subscribed, r.missing, r.storage = true, nil, nil
		clear(r.open)
		clear(r.sought)
		r.note(snapshot)
	}
}

// resubscribed handles the snapshot of a new link.
func (r *relay) resubscribed(result json.RawMessage, failed *jsonrpc2.Error) {
	var members map[string]json.RawMessage
	var snapshot change
	if failed != nil {
		r.Log.Warn("could not resubscribe to the inbox", zap.Error(failed))
		return
	}
	if err := errors.Join(json.Unmarshal(result, &members), json.Unmarshal(result, &snapshot)); err != nil {
		r.Log.Warn("could not parse the inbox", zap.Error(err))
		return
	}
	r.missing = map[string]bool{}
	for id := range r.open {
		r.missing[id] = true
	}
	if snapshot.Storage == nil { // replaces the reason why nothing changed, which the peer still shows
		snapshot.Storage = &protocol.Storage{Saved: true}
		members["storage"] = json.RawMessage(`{"saved":true}`)
	}
	r.note(snapshot)
	r.tellChange(members)
	r.lookFor(snapshot)
}

// didChange handles a change of the inbox.
func (r *relay) didChange(head rpc.Head, body []byte) {
	var now change
	switch err := json.Unmarshal(head.Params, &now); {
	case !r.subscribed:
	case err != nil:
		r.Log.Warn("could not parse a change of the inbox", zap.Error(err))
	default:
		r.note(now)
		r.out.Send(body)
		r.lookFor(now)
	}
}

// lookFor requests the outcomes of questions that are missing from a complete snapshot, also of calls that were still arriving,
// since they may have been answered meanwhile.
func (r *relay) lookFor(now change) {
	if r.missing == nil || now.More > 0 {
		return
	}
	for id := range r.missing {
		r.sought[id] = true
		r.add(r.ask(protocol.HistoryGet.Method, protocol.QuestionParams{QuestionID: id}, func(result json.RawMessage, failed *jsonrpc2.Error) {
			r.learnEnd(id, result, failed)
		}))
	}
	r.missing = nil
}

// learnEnd sends the peer the outcome of a question that closed while there was no link. If the history does not have it, the question was deleted.
func (r *relay) learnEnd(id string, result json.RawMessage, failed *jsonrpc2.Error) {
	if !r.sought[id] { // it was sent meanwhile
		return
	}
	raw := r.open[id]
	delete(r.sought, id)
	delete(r.open, id)
	var ended protocol.HistoryEntry
	var item protocol.InboxItem
	change := protocol.InboxChange{Removed: []string{id}}
	if failed == nil && json.Unmarshal(result, &ended) == nil && ended.Outcome.Outcome != "" && json.Unmarshal(raw, &item) == nil {
		item.State, item.Outcome, item.Draft = protocol.ItemClosed, &ended.Outcome, nil
		change = protocol.InboxChange{Items: []protocol.InboxItem{item}}
	}
	r.tellChange(change)
}

// note records what was sent to the peer.
func (r *relay) note(now change) {
	for _, id := range now.Removed {
		delete(r.open, id)
		delete(r.missing, id)
		delete(r.sought, id)
	}
	for _, raw := range now.Items {
		var item struct {
			QuestionID string             `json:"questionId"`
			State      protocol.ItemState `json:"state"`
		}
		if json.Unmarshal(raw, &item) != nil {
			continue
		}
		delete(r.missing, item.QuestionID)
		delete(r.sought, item.QuestionID)
		if item.State == protocol.ItemClosed {
			delete(r.open, item.QuestionID)
		} else {
			r.open[item.QuestionID] = withoutDraft(raw)
		}
	}
	if now.Storage != nil {
		r.storage = now.Storage
	}
}

// withoutDraft returns an item without its draft, which may be large and is only needed while the question is open.
func withoutDraft(raw json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if !bytes.Contains(raw, []byte(`"draft":`)) || json.Unmarshal(raw, &members) != nil {
		return raw
	}
	delete(members, "draft")
	without, err := json.Marshal(members)
	if err != nil {
		return raw
	}
	return without
}

func (r *relay) tellChange(params any) {
	r.out.Send(r.message(protocol.InboxDidChange.Method, params))
}
