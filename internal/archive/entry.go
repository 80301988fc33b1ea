package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
)

// Entry is a closed question of the store as the history tells it. Images are there when the store gave them. Its Markdown
// is not rendered.
func Entry(q store.Question) (protocol.HistoryEntry, error) {
	e := protocol.HistoryEntry{
		QuestionID: q.ID, Agent: q.Agent, Workspace: q.Workspace, Tool: q.Tool, Source: q.Source,
		Kind: protocol.HistoryKind(question.KindOf(q.Tool, q.Guidance != nil, q.Call)), AskedAt: millis(q.AskedAt), Collected: q.Collected,
	}
	call, err := offered(q.Call)
	if err != nil {
		return e, fmt.Errorf("question %s: %w", q.ID, err)
	}
	e.Payload, e.Error, e.Envelope = call.payload, call.wrong, call.Envelope
	if q.Guidance != nil {
		e.Guidance = &protocol.Guidance{}
		if err := json.Unmarshal(q.Guidance, e.Guidance); err != nil {
			return e, fmt.Errorf("question %s: its guidance in the store cannot be read: %w", q.ID, err)
		}
	}
	if q.Outcome == nil {
		return e, fmt.Errorf("question %s has no outcome", q.ID)
	}
	ended, err := DecodeEnded(q.Outcome.Answer, q.Outcome.Images)
	if err != nil {
		return e, fmt.Errorf("question %s: %w", q.ID, err)
	}
	e.Outcome = ended.Item
	e.Outcome.At = millis(q.Outcome.ClosedAt)
	e.Images = ended.Agent.Images
	return e, nil
}

// Item is an open question of the store as the inbox tells it, without its draft; the session is its own. Its Markdown is not
// rendered.
func Item(q store.Question, s store.Session) (protocol.InboxItem, error) {
	item := protocol.InboxItem{
		QuestionID: q.ID, Session: q.Session, Agent: q.Agent, Tool: q.Tool, StreamID: q.StreamID, State: protocol.ItemPending,
		AskedAt: millis(q.AskedAt), Order: int(q.Order),
	}
	if q.State == store.Queued {
		item.State = protocol.ItemQueued
	}
	call, err := offered(q.Call)
	if err == nil && call.payload == nil {
		err = errors.New("it asks nothing")
	}
	if err == nil {
		var opened Session
		opened, err = DecodeSession(s, Session{})
		item.Workspaces = opened.Folders
	}
	if err == nil && q.Guidance != nil {
		item.Guidance = &protocol.Guidance{}
		err = json.Unmarshal(q.Guidance, item.Guidance)
	}
	if err != nil {
		return item, fmt.Errorf("question %s: %w", q.ID, err)
	}
	item.Envelope = call.Envelope
	item.Payload, item.Ask = *call.payload, call.payload.Ask()
	return item, nil
}

// millis is a time as it travels; 0 where it is not known.
func millis(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}
