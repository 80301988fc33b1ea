package relay

import (
	"bytes"
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
)

// After a reconnect, the snapshot of the new link reaches the peer as changes: what is new, and how a question ended that was open before.

// change is what a relay reads of a snapshot or a change; the rest is passed as it is.
type change struct {
	Removed []string          `json:"removed"`
	Items   []json.RawMessage `json:"items"`
	More    int               `json:"more"`
	Storage *protocol.Storage `json:"storage"`
}

// didSubscribe takes the snapshot that the peer asked for.
func (r *relay) didSubscribe(result json.RawMessage) {
	var snapshot change
	if json.Unmarshal(result, &snapshot) == nil {
		r.subscribed, r.missing, r.storage = true, nil, nil
		clear(r.open)
		clear(r.sought)
		r.note(snapshot)
	}
}

// resubscribed takes the snapshot of a new link.
func (r *relay) resubscribed(result json.RawMessage, failed *jsonrpc2.Error) {
	var members map[string]json.RawMessage
	var snapshot change
	if failed != nil || json.Unmarshal(result, &members) != nil || json.Unmarshal(result, &snapshot) != nil {
		r.Log.Warn("the inbox was not told again", zap.Any("error", failed))
		return
	}
	r.missing = map[string]bool{}
	for id := range r.open {
		r.missing[id] = true
	}
	if snapshot.Storage == nil { // the peer was told why nothing changes
		snapshot.Storage = &protocol.Storage{Saved: true}
		members["storage"] = json.RawMessage(`{"saved":true}`)
	}
	r.note(snapshot)
	r.tellChange(members)
	r.lookFor(snapshot)
}

// didChange takes a change of the inbox.
func (r *relay) didChange(body []byte) {
	var told struct {
		Params change `json:"params"`
	}
	switch err := json.Unmarshal(body, &told); {
	case !r.subscribed:
	case err != nil:
		r.Log.Warn("a change of the inbox cannot be read", zap.Error(err))
	default:
		r.note(told.Params)
		r.post(body)
		r.lookFor(told.Params)
	}
}

// lookFor asks how the questions ended that a whole snapshot does not have any more. A call that was still arriving may have been answered
// too, by the time that there is a link again.
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

// learnEnd tells the peer how a question ended while there was no link. If the history does not know it, it is gone.
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

// note keeps what the peer is told.
func (r *relay) note(told change) {
	for _, id := range told.Removed {
		delete(r.open, id)
		delete(r.missing, id)
		delete(r.sought, id)
	}
	for _, raw := range told.Items {
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
	if told.Storage != nil {
		r.storage = told.Storage
	}
}

// withoutDraft returns an item without what the user has begun, which may be large and is only wanted while the question is open.
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
	r.tell(map[string]any{"jsonrpc": "2.0", "method": protocol.InboxDidChange.Method, "params": params})
}
