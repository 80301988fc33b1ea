package persistence

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"time"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/conversation"
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
	"followup/internal/store"
)

// entry is what of a conversation the store does not have; nil for nothing.
func (p *Persister) entry(c *conversation.Conversation, of map[*conversation.Record]bool) *entry {
	e := &entry{conversation: c, at: c.Changed(), row: row(c)}
	for _, r := range slices.SortedFunc(maps.Keys(of), func(a, b *conversation.Record) int { return a.Order - b.Order }) {
		if r.Whole() && !r.Durable {
			e.records = append(e.records, &written{record: r, as: *r, wrong: r.Error(), workspace: c.Workspace()})
		}
	}
	if len(e.records) == 0 && !p.rowChanged(c) {
		return nil
	}
	return e
}

// change is an entry as the store takes it. It takes its time, outside of the locp.
func (p *Persister) change(e *entry) store.Change {
	change := store.Change{Sessions: []store.Session{e.row}} // always: the store drops the sessions that have no questions
	for _, w := range e.records {
		if err := w.addTo(&change); err != nil {
			p.log.DPanic("a question cannot be written down", zap.String("question", w.as.ID), zap.Error(err))
		}
	}
	return change
}

// row is a conversation as the store keeps it.
func row(c *conversation.Conversation) store.Session {
	folders, _ := archive.EncodeFolders(c.Folders) // strings
	options, _ := json.Marshal(archive.SessionOptions{
		ResultTag: c.ResultTag, Strict: c.Reading.Strict, OpaqueTags: c.Reading.OpaqueTags, Limits: c.Reading.Limits,
		Bound: c.Bound, Account: c.Account, Clock: (*archive.Clock)(clock(c.State.Clock)),
	})
	return store.Session{
		ID: c.ID, Agent: c.Agent, Key: c.Key, Folders: folders, Locale: string(c.Locale), Options: options,
		Mistakes: c.State.Mistakes.Count(), Limit: c.State.Limit, Guidance: c.State.Guidance.ID, Closed: c.Closed,
	}
}

// clock is a clock as it is kept; nil for none.
func clock(c session.Clock) *session.Clock {
	if c.ID == "" {
		return nil
	}
	return &c
}

// rowChanged tells whether the store has a conversation as it is.
func (p *Persister) rowChanged(c *conversation.Conversation) bool {
	last, known := p.rows[c]
	return !known || !reflect.DeepEqual(row(c), last)
}

// rowStates maps the states of whole questions to the store's. One that has its outcome at once is written as held, and closed
// by the same change.
var rowStates = map[protocol.ItemState]store.State{
	protocol.ItemPending: store.Pending, protocol.ItemQueued: store.Queued, protocol.ItemHeld: store.Held,
	protocol.ItemClosed: store.Held,
}

// itemStates maps the store's states of open questions to the protocol's.
var itemStates = map[store.State]protocol.ItemState{
	store.Pending: protocol.ItemPending, store.Queued: protocol.ItemQueued, store.Held: protocol.ItemHeld,
}

// addTo adds all of a question.
func (w *written) addTo(change *store.Change) error {
	r := &w.as
	row, err := w.row()
	if err != nil {
		return err
	}
	change.Questions = append(change.Questions, row)
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
		ID: r.ID, Session: r.Conversation.ID, Tool: r.Tool, StreamID: r.StreamID, CallID: r.CallID, State: rowStates[r.State],
		Call: call, Text: archive.SearchText(r.Call), AskedAt: r.AskedAt, Deadline: r.Deadline,
		Agent: r.Conversation.Agent, Workspace: w.workspace, To: r.Call.To,
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
		QuestionID: r.ID, Outcome: question.Outcome(r.Outcome.Outcome), Provenance: question.Provenance(r.Outcome.Provenance),
		Answer: answer, Text: archive.AnswerText(r.Call, *r.Outcome), Images: images, ImageCount: len(images),
		ClosedAt: time.UnixMilli(r.Outcome.At),
	})
	if r.Collected || r.Uncollectable() {
		change.Collected = append(change.Collected, r.ID)
	}
	return nil
}

// fromRow is a conversation as it was left.
func fromRow(row store.Session) (*conversation.Conversation, error) {
	c := &conversation.Conversation{ID: row.ID, Agent: row.Agent, Key: row.Key}
	if err := setOptions(c, row); err != nil {
		return nil, err
	}
	open := c.State.Clock // of a question that is read next
	c.State, _ = session.Restore(session.Kept{Mistakes: row.Mistakes, Limit: row.Limit})
	c.State.Clock = open
	return c, nil
}

// setOptions takes over the options that the store has.
func setOptions(c *conversation.Conversation, row store.Session) error {
	folders, err := archive.DecodeFolders(row.Folders)
	if err != nil {
		return err
	}
	options, err := archive.DecodeOptions(row.Options)
	if err != nil {
		return err
	}
	c.Folders, c.Locale, c.ResultTag = folders, locale.Tag(row.Locale), cmp.Or(options.ResultTag, protocol.ResultTagAnswer)
	c.Reading = dialect.Options{Strict: options.Strict, OpaqueTags: options.OpaqueTags, Limits: options.Limits}
	c.State.Limit, c.Closed, c.Bound = row.Limit, row.Closed, options.Bound
	c.Account = options.Account
	if c.State.Clock = (session.Clock{}); options.Clock != nil {
		c.State.Clock = session.Clock(*options.Clock)
	}
	return nil
}

// fromQuestion is what was asked, as the store has it. Its error says that the row cannot be one that was written here.
func fromQuestion(c *conversation.Conversation, q store.Question) (*conversation.Record, error) {
	call, err := archive.DecodeCall(q.Tool, q.Call)
	if err != nil {
		return nil, err
	}
	switch asks := call.Followup != nil || call.Questionnaire != nil; {
	case q.State == store.Held && call.Err == nil:
		return nil, errors.New("it is held, and nothing is wrong with it")
	case q.State != store.Held && q.State != store.Closed && !asks:
		return nil, errors.New("it asks nothing")
	}
	r := conversation.Recalled(c)
	r.ID, r.Tool, r.StreamID, r.CallID, r.Call, r.AskedAt = q.ID, q.Tool, q.StreamID, q.CallID, call, q.AskedAt
	r.Deadline, r.Order, r.Collected = q.Deadline, int(q.Order), q.Collected
	if q.Guidance != nil {
		r.Guidance = &protocol.Guidance{}
		err = json.Unmarshal(q.Guidance, r.Guidance)
	}
	return r, err
}
