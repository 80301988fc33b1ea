package persistence

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"followup/internal/archive"
	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/session"
	"followup/internal/store"
)

// entry returns the part of a conversation that the store does not have.
func (p *Persister) entry(c *conversation.Conversation, of map[*conversation.Record]bool) *entry {
	e := &entry{conversation: c, at: c.Changed(), row: row(c)}
	for _, r := range slices.SortedFunc(maps.Keys(of), func(a, b *conversation.Record) int { return a.Order - b.Order }) {
		if r.Whole() && !r.Durable {
			e.records = append(e.records, &written{record: r, as: *r, wrong: r.Error(), workspace: c.Workspace()})
		}
	}
	return e
}

// change returns an entry in the store's form; an empty change if it cannot be encoded. It is slow, and called without the lock.
func (e *entry) change() store.Change {
	change := store.Change{Sessions: []store.Session{e.row}} // always, since the store drops sessions without questions
	for _, w := range e.records {
		if err := w.addTo(&change); err != nil {
			e.unencodable = fmt.Errorf("question %s: %w", w.as.ID, err)
			return store.Change{}
		}
	}
	return change
}

// document is a session in the store.
type document struct {
	Agent string `json:"agent,omitempty"`
	Key   string `json:"key,omitempty"`
	conversation.Settings
	// Mistakes is the number of invalid calls since the last valid one. Limit is how many cause a request for guidance.
	Mistakes int               `json:"mistakes,omitempty"`
	Limit    int               `json:"limit"`
	Clock    session.Clock     `json:"clock,omitzero"` // of the pending question
	Aliases  map[string]string `json:"aliases,omitempty"`
}

// row returns a conversation in the store's form.
func row(c *conversation.Conversation) store.Session {
	body, _ := json.Marshal(document{ // only strings and numbers
		c.Agent, c.Key, c.Settings, c.State.Mistakes.Count(), c.State.Limit, c.State.Clock, c.Aliases,
	})
	return store.Session{ID: c.ID, Document: body, Closed: c.Closed}
}

// fromRow returns the conversation of a stored question. Its session may have no document.
func fromRow(row store.Session, q store.Question) (*conversation.Conversation, error) {
	d := document{Agent: q.Agent, Limit: conversation.DefaultMistakeLimit, Settings: conversation.Settings{
		Locale: locale.English, ResultTag: protocol.ResultTagAnswer, Closed: row.Closed,
	}}
	if row.Document != nil {
		if err := json.Unmarshal(row.Document, &d); err != nil {
			return nil, fmt.Errorf("a session in the store cannot be read: %w", err)
		}
	}
	c := &conversation.Conversation{ID: row.ID, Agent: d.Agent, Key: d.Key, Aliases: d.Aliases, Settings: d.Settings}
	c.State, _ = session.Restore(session.Kept{Mistakes: d.Mistakes, Limit: d.Limit})
	c.State.Clock = d.Clock // of a question that is loaded next
	return c, nil
}

// addTo adds a question to a change.
func (w *written) addTo(change *store.Change) error {
	r := &w.as
	row, err := w.row()
	if err != nil {
		return err
	}
	change.Questions = append(change.Questions, row)
	if to := r.Callback; to != nil {
		change.Callbacks = append(change.Callbacks, store.Callback{QuestionID: r.ID, URL: to.URL, Secret: to.Secret, Private: to.Private})
	}
	switch {
	case r.Outcome != nil:
		return w.addOutcome(change)
	case r.Draft == nil:
		return nil
	}
	draft, err := archive.EncodeDraft(*r.Draft)
	if err != nil {
		return err
	}
	draft.QuestionID = r.ID
	change.Drafts = append(change.Drafts, draft)
	return nil
}

func (w *written) row() (store.Question, error) {
	r := &w.as
	call, err := archive.EncodeCall(r.Call, w.wrong)
	if err != nil {
		return store.Question{}, err
	}
	row := store.Question{
		ID: r.ID, Session: r.Conversation.ID, Tool: r.Tool, StreamID: r.StreamID, CallID: r.CallID, State: store.State(r.State),
		Call: call, Text: archive.SearchText(r.Call), AskedAt: r.AskedAt, Deadline: r.Deadline,
		Agent: r.Conversation.Agent, Workspace: w.workspace, To: r.Call.To,
	}
	if r.Outcome != nil { // the same change closes it
		row.State = store.Held
	}
	if r.Guidance != nil {
		if row.Guidance, err = json.Marshal(r.Guidance); err != nil {
			return row, err
		}
	}
	if r.GuidedBy != nil {
		row.GuidedBy = r.GuidedBy.ID
	}
	return row, nil
}

func (w *written) addOutcome(change *store.Change) error {
	r := &w.as
	answer, err := archive.EncodeEnded(archive.Ended{Item: *r.Outcome, Agent: r.Answer})
	if err != nil {
		return err
	}
	images, err := archive.DecodeImages(r.Answer.Images)
	if err != nil {
		return err
	}
	change.Outcomes = append(change.Outcomes, store.Outcome{
		QuestionID: r.ID, Outcome: r.Outcome.Outcome, Provenance: r.Outcome.Provenance,
		Answer: answer, Text: archive.AnswerText(r.Call, *r.Outcome), Images: images, ImageCount: len(images),
		ClosedAt: time.UnixMilli(r.Outcome.At),
	})
	if r.Collected || r.Uncollectable() {
		change.Collected = append(change.Collected, r.ID)
	}
	return nil
}

// fromQuestion returns a stored question. It fails if this program cannot have written the row.
func fromQuestion(c *conversation.Conversation, q store.Question) (*conversation.Record, error) {
	call, err := archive.DecodeCall(q.Tool, q.Call)
	if err != nil {
		return nil, err
	}
	switch asks := call.Asks(); {
	case q.State == store.Held && call.Err == nil:
		return nil, errors.New("it is held, but its call is valid")
	case q.State != store.Held && q.State != store.Closed && !asks:
		return nil, errors.New("its call has no question")
	}
	r := conversation.StoredRecord(c)
	r.ID, r.Tool, r.StreamID, r.CallID, r.Call, r.AskedAt = q.ID, q.Tool, q.StreamID, q.CallID, call, q.AskedAt
	r.Deadline, r.Order, r.Collected = q.Deadline, int(q.Order), q.Collected
	if q.Guidance != nil {
		err = json.Unmarshal(q.Guidance, &r.Guidance)
	}
	return r, err
}
