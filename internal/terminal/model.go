package terminal

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// model is what both views show: the open questions, and the card of the one that is being answered.
type model struct {
	speak   locale.Tag
	sidecar *rpc.Conn
	inbox   *inbox
	begun   bool   // the snapshot has arrived
	cursor  string // the id of the question that the keys are at
	card    *card  // nil while none is open
	note    string
	failed  error
}

// The messages of the sidecar.
type (
	begunMsg   protocol.Inbox
	changedMsg protocol.InboxChange
	failedMsg  struct{ error }
	sentMsg    struct {
		id     string
		result protocol.CloseResult
		note   string // if the answer is accepted
		err    error
	}
)

func newModel(speak locale.Tag, sidecar *rpc.Conn) model {
	return model{speak: speak, sidecar: sidecar, inbox: newInbox()}
}

// update applies a message of the sidecar, and reports whether something moved that the user may be about to act on.
func (m *model) update(msg tea.Msg) (moved bool) {
	switch msg := msg.(type) {
	case begunMsg:
		m.begun = true
		m.inbox.begin(protocol.Inbox(msg))
		m.change(protocol.InboxChange{})
	case changedMsg:
		return m.change(protocol.InboxChange(msg))
	case sentMsg:
		return m.sent(msg)
	}
	return false
}

func (m *model) change(change protocol.InboxChange) (moved bool) {
	at := max(0, slices.Index(m.ids(), m.cursor))
	for _, closed := range m.inbox.apply(change) {
		if m.card != nil && m.card.item.QuestionID == closed.QuestionID && !m.card.sending {
			m.card.close(closed)
			moved = true
		}
	}
	if m.card != nil && m.card.over == nil {
		if item := m.inbox.items[m.card.item.QuestionID]; item != nil {
			moved = moved || item.State != m.card.item.State
			m.card.take(item)
		}
	}
	if now := m.ids(); !slices.Contains(now, m.cursor) {
		m.cursor = ""
		if len(now) > 0 {
			m.cursor = now[min(at, len(now)-1)]
		}
		moved = moved || m.card == nil
	}
	return moved
}

func (m *model) ids() (all []string) {
	for _, item := range m.inbox.open() {
		all = append(all, item.QuestionID)
	}
	return all
}

// open opens a question's card. The command stops the question's timer.
func (m *model) open(item *protocol.InboxItem) tea.Cmd {
	m.cursor, m.card, m.note = item.QuestionID, newCard(m.speak, item), ""
	if item.Timer == nil {
		return nil
	}
	return func() tea.Msg { // an answer stops it, too, so an error does not matter
		_, _ = rpc.Call(context.Background(), m.sidecar, protocol.QuestionTouch, protocol.QuestionParams{QuestionID: item.QuestionID})
		return nil
	}
}

func (m *model) send(a action) tea.Cmd {
	id, sent := m.card.item.QuestionID, sentMsg{id: m.card.item.QuestionID, note: m.speak.Text("Sent.")}
	m.card.sending = true
	return func() tea.Msg {
		ctx := context.Background()
		switch {
		case a.dismiss:
			sent.note = m.speak.Text("Dismissed.")
			sent.result, sent.err = rpc.Call(ctx, m.sidecar, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
		case a.answer != nil:
			a.answer.QuestionID = id
			sent.result, sent.err = rpc.Call(ctx, m.sidecar, protocol.QuestionAnswer, *a.answer)
		case a.reply != nil:
			a.reply.QuestionID = id
			sent.result, sent.err = rpc.Call(ctx, m.sidecar, protocol.QuestionReply, *a.reply)
		default:
			sent.result, sent.err = rpc.Call(ctx, m.sidecar, protocol.QuestionDecide, *a.decide)
		}
		return sent
	}
}

func (m *model) sent(msg sentMsg) (moved bool) {
	if m.card == nil || m.card.item.QuestionID != msg.id {
		return false
	}
	m.card.sending = false
	switch why, no := refused(msg.err); {
	case no:
		m.card.note = archive.Inline(why)
		return false
	case msg.err != nil:
		m.card.note = archive.Inline(msg.err.Error())
		return false
	case !msg.result.Accepted:
		closed := *m.card.item
		closed.Outcome = &msg.result.Outcome
		m.card.close(closed)
	default:
		m.card, m.note = nil, msg.note
	}
	return true
}

// refused returns why the sidecar does not accept an answer, in the user's language.
func refused(err error) (why string, ok bool) {
	var wrong *jsonrpc2.Error
	if errors.As(err, &wrong) && (wrong.Code == protocol.CodeRefused || wrong.Code == protocol.CodeUnknown) {
		return wrong.Message, true
	}
	return "", false
}
