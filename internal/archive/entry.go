package archive

import (
	"encoding/json"
	"errors"
	"fmt"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
)

// Entry returns a stored closed question as an entry of the history, with images if the store returned them. Its Markdown is not
// parsed.
func Entry(q store.Question) (protocol.HistoryEntry, error) {
	e := protocol.HistoryEntry{
		QuestionID: q.ID, Agent: q.Agent, Workspace: q.Workspace, Tool: q.Tool, Source: q.Source,
		Kind: question.KindOf(q.Tool, q.Guidance != nil, q.Call), AskedAt: store.Millis(q.AskedAt), Collected: q.Collected,
	}
	call, err := decodeCall(q.Call)
	if err != nil {
		return e, fmt.Errorf("question %s: %w", q.ID, err)
	}
	e.Payload, e.Error, e.Envelope = call.Payload, call.wrong(), call.Envelope
	if q.Guidance != nil {
		if err := json.Unmarshal(q.Guidance, &e.Guidance); err != nil {
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
	e.Outcome.At = store.Millis(q.Outcome.ClosedAt)
	e.Images = ended.Agent.Images
	return e, nil
}

// Item returns a stored open question as an item of the inbox, without its draft. Its Markdown is not parsed.
func Item(q store.Question, s store.Session) (protocol.InboxItem, error) {
	item := protocol.InboxItem{
		QuestionID: q.ID, Session: q.Session, Agent: q.Agent, Tool: q.Tool, StreamID: q.StreamID, State: protocol.ItemPending,
		AskedAt: store.Millis(q.AskedAt), Order: int(q.Order),
	}
	if q.State == store.Queued {
		item.State = protocol.ItemQueued
	}
	call, err := decodeCall(q.Call)
	if err == nil && call.Payload == nil {
		err = errors.New("its call has no question")
	}
	if err == nil && s.Document != nil {
		var opened struct{ Folders []protocol.WorkspaceFolder }
		err = json.Unmarshal(s.Document, &opened)
		item.Workspaces = opened.Folders
	}
	if err == nil && q.Guidance != nil {
		err = json.Unmarshal(q.Guidance, &item.Guidance)
	}
	if err != nil {
		return item, fmt.Errorf("question %s: %w", q.ID, err)
	}
	item.Envelope = call.Envelope
	item.Payload, item.Ask = *call.Payload, call.Payload.Ask()
	return item, nil
}

// NewFilter converts a filter and a search text of the protocol for the store.
func NewFilter(f protocol.HistoryFilter, text string) store.Filter {
	return store.Filter{
		Agents: f.Agents, Workspaces: f.Workspaces, Kinds: f.Kinds, Outcomes: f.Outcomes,
		From: store.FromMillis(f.From), To: store.FromMillis(f.To), Text: text,
	}
}
