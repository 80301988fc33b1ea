package terminal

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/archive"
	"followup/internal/form"
	"followup/internal/inboxclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// model is the state of both views: the open questions, and the card of the question being answered.
type model struct {
	*inboxclient.Inbox
	speak   locale.Tag
	sidecar *rpc.Conn
	lines   bool   // the view is lines
	cursor  string // the id of the question that the keys are at
	closed  string // the id of the question that was closed here last; its closing change has not arrived yet
	card    *card  // nil while no question is shown
	note    string
	// typed has what the user had typed on requests for permission that they left, by id: it is in no draft.
	typed map[string]string
	// unsent are the user's words on closed questions that they left.
	unsent []string
}

func (m *model) change(change protocol.InboxChange) (moved bool) {
	at := max(0, slices.Index(m.ids(), m.cursor))
	m.Apply(change)
	delete(m.Items, m.closed)
	if c := m.card; c != nil && c.Over == nil {
		item := m.Items[c.Item.QuestionID]
		switch {
		case item == c.Item && item.State != protocol.ItemStreaming: // the change is about others
		case item != nil:
			moved = item.State != c.Item.State
			c.take(item)
		case !c.Sending:
			moved = true
			c.Close(outcomeOf(c.Item.QuestionID, change))
		}
	}
	if now := m.ids(); !slices.Contains(now, m.cursor) {
		m.cursor = ""
		if len(now) > 0 {
			m.cursor = now[min(at, len(now)-1)]
		}
		moved = moved || m.card == nil
	}
	for id, words := range m.typed {
		if m.Items[id] == nil {
			delete(m.typed, id)
			m.keep(words)
		}
	}
	m.count()
	return moved
}

// keep keeps words that were not sent.
func (m *model) keep(words string) {
	if words != "" {
		m.unsent = append(m.unsent, words)
	}
}

// others returns the other open questions in their order.
func (m *model) others() []*protocol.InboxItem {
	return slices.DeleteFunc(m.Open(), func(item *protocol.InboxItem) bool { return m.card != nil && item.QuestionID == m.card.Item.QuestionID })
}

// count updates the number of other questions on the card.
func (m *model) count() {
	if m.card != nil {
		m.card.others = len(m.others())
	}
}

// following returns the question after the shown one, of those that can be answered, if any; nil if there is no other one.
func (m *model) following() *protocol.InboxItem {
	all := m.others()
	if pending := slices.DeleteFunc(slices.Clone(all), func(item *protocol.InboxItem) bool { return item.State != protocol.ItemPending }); len(pending) > 0 {
		all = pending
	}
	if len(all) == 0 {
		return nil
	}
	return all[max(0, slices.IndexFunc(all, func(item *protocol.InboxItem) bool { return item.Order > m.card.Item.Order }))]
}

// putAway closes the card. What the user has typed on it stays.
func (m *model) putAway() {
	switch c := m.card; {
	case c.Over != nil:
		m.keep(c.Unsent(*c.Over))
	case c.Item.Payload.Approval != nil:
		m.typed[c.Item.QuestionID] = c.Words
	}
	m.card = nil
}

// outcomeOf returns how a change closes a question. A question that is removed was withdrawn.
func outcomeOf(id string, change protocol.InboxChange) *protocol.ItemOutcome {
	for _, item := range change.Items {
		if item.QuestionID == id && item.Outcome != nil {
			return item.Outcome
		}
	}
	return &protocol.ItemOutcome{Outcome: protocol.OutcomeWithdrawn}
}

func (m *model) ids() (all []string) {
	for _, item := range m.Open() {
		all = append(all, item.QuestionID)
	}
	return all
}

// show opens a question's card, and stops its timer.
func (m *model) show(item *protocol.InboxItem) {
	m.cursor, m.card, m.note = item.QuestionID, newCard(m.speak, item, m.lines), ""
	if words := m.typed[item.QuestionID]; words != "" {
		m.card.Write(words)
		m.card.sync()
	}
	delete(m.typed, item.QuestionID)
	m.count()
	if item.Timer != nil {
		go func() { // an answer also stops it, so ignore errors
			_, _ = rpc.Call(context.Background(), m.sidecar, protocol.QuestionTouch, protocol.QuestionParams{QuestionID: item.QuestionID})
		}()
	}
}

// sent is the result of an action.
type sent struct {
	id     string
	result protocol.CloseResult
	note   locale.Key // if it is accepted
	err    error
}

// send carries out the user's action on a question.
func (m *model) send(ctx context.Context, id string, a form.Action) (s sent) {
	s.id, s.note = id, "Sent."
	switch {
	case a.Dismiss:
		s.note = "Dismissed."
		s.result, s.err = rpc.Call(ctx, m.sidecar, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
	case a.Answer != nil:
		a.Answer.QuestionID = id
		s.result, s.err = rpc.Call(ctx, m.sidecar, protocol.QuestionAnswer, *a.Answer)
	case a.Reply != nil:
		a.Reply.QuestionID = id
		s.result, s.err = rpc.Call(ctx, m.sidecar, protocol.QuestionReply, *a.Reply)
	default:
		s.result, s.err = rpc.Call(ctx, m.sidecar, protocol.QuestionDecide, *a.Decide)
	}
	return s
}

// sent shows the result of an action.
func (m *model) sent(s sent) (moved bool) {
	if m.card == nil || m.card.Item.QuestionID != s.id {
		return false
	}
	m.card.Sending = false
	if s.err != nil {
		why, no := refused(s.err)
		if !no {
			why = s.err.Error()
		}
		m.card.Note = archive.Inline(why)
		return false
	}
	m.closed = s.id
	delete(m.Items, s.id)
	delete(m.typed, s.id)
	defer m.count()
	switch unsent := m.card.Unsent(s.result.Outcome); {
	case !s.result.Accepted:
		m.card.Close(&s.result.Outcome)
	case unsent == "":
		m.card, m.note = nil, m.speak.Text(s.note)
	case m.lines:
		m.card, m.note = nil, m.speak.Text(s.note)+"\n"+m.notSent(unsent)
	default: // the words stay on the screen
		m.card.Close(&s.result.Outcome)
		m.card.ended = m.speak.Text(s.note)
	}
	return true
}

// notSent returns words that were not sent, with a heading.
func (m *model) notSent(words string) string {
	return m.speak.Text(wordsNotSent) + "\n  " + strings.ReplaceAll(shown(words), "\n", "\n  ")
}

// refused returns why the sidecar rejects an answer, in the user's language.
func refused(err error) (why string, ok bool) {
	var wrong *jsonrpc2.Error
	if errors.As(err, &wrong) && (wrong.Code == protocol.CodeRefused || wrong.Code == protocol.CodeUnknown) {
		return wrong.Message, true
	}
	return "", false
}
