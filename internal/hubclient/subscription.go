package hubclient

import (
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
)

// A peer that has subscribed to the inbox is told by changes alone what a new link's snapshot holds: what came, and how that ended which
// was open before.

// resubscribed takes the snapshot of a new link.
func (r *relay) resubscribed(result json.RawMessage, failed *jsonrpc2.Error) {
	var snapshot protocol.Inbox
	if failed != nil || json.Unmarshal(result, &snapshot) != nil {
		r.Log.Warn("the hub's inbox was not told again", zap.Any("error", failed))
		return
	}
	r.missing = map[string]bool{}
	for id := range r.open {
		r.missing[id] = true
	}
	if snapshot.Storage == nil {
		snapshot.Storage = &protocol.Storage{Saved: true}
	}
	r.changed(protocol.InboxChange{Items: snapshot.Items, More: snapshot.More, Storage: snapshot.Storage})
}

// changed takes a change of the hub's inbox, and hands it on.
func (r *relay) changed(change protocol.InboxChange) {
	r.note(change)
	r.tellChange(change)
	if r.missing == nil || change.More > 0 {
		return
	}
	for id := range r.missing {
		r.add(r.ask(protocol.HistoryGet.Method, protocol.QuestionParams{QuestionID: id}, func(result json.RawMessage, failed *jsonrpc2.Error) {
			r.learnEnd(id, result, failed)
		}))
	}
	r.missing = nil
}

// learnEnd tells the peer how a question ended while there was no link. Where the history does not tell, it is not there any more.
func (r *relay) learnEnd(id string, result json.RawMessage, failed *jsonrpc2.Error) {
	item, known := r.open[id]
	if !known { // told meanwhile
		return
	}
	var ended protocol.HistoryEntry
	change := protocol.InboxChange{Removed: []string{id}}
	if failed == nil && json.Unmarshal(result, &ended) == nil && ended.Outcome.Outcome != "" {
		item.State, item.Outcome, item.Draft = protocol.ItemClosed, &ended.Outcome, nil
		change = protocol.InboxChange{Items: []protocol.InboxItem{item}}
	}
	r.note(change)
	r.tellChange(change)
}

// note keeps what the peer is told.
func (r *relay) note(change protocol.InboxChange) {
	for _, id := range change.Removed {
		delete(r.open, id)
		delete(r.missing, id)
	}
	for _, item := range change.Items {
		delete(r.missing, item.QuestionID)
		if item.State == protocol.ItemClosed {
			delete(r.open, item.QuestionID)
		} else {
			item.Draft = nil // it is only wanted while the question is open
			r.open[item.QuestionID] = item
		}
	}
}

func (r *relay) tellChange(change protocol.InboxChange) {
	r.tell(map[string]any{"jsonrpc": "2.0", "method": protocol.InboxDidChange.Method, "params": change})
}
