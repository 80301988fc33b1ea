package push

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.uber.org/zap"

	"followup/internal/bounded"
	"followup/internal/locale"
	"followup/internal/notice"
	"followup/internal/protocol"
	"followup/internal/store"
)

// mostEach is how many simultaneous questions get a message each. More of them share one, so that a phone rings once.
const mostEach = 3

// maxChoices is the maximum number of buttons in a notification.
const maxChoices = 2

// receiver is a browser or an address that gets notifications. The service's lock guards its changing fields.
type receiver struct {
	service *Service
	send    send
	desk    *notice.Desk
	since   time.Time // older questions are not notified
	ctx     context.Context
	end     context.CancelFunc

	sub      store.Subscription
	due      []protocol.Notice   // to be joined
	messages map[string]*message // of open questions, by question id
	queue    []*message
	sending  bool
}

// send sends a message to a receiver once. It returns a permanent error if a retry cannot help.
type send func(ctx context.Context, m protocol.PushMessage) error

// message is a notification of one question, or of several.
type message struct {
	protocol.PushMessage
	open      int // its open questions
	delivered bool
}

func (r *receiver) close() {
	r.end()
	r.desk.Close()
}

// ask passes a question to the board, which decides when to notify the receiver.
func (r *receiver) ask(q asked) {
	if q.since.Before(r.since) || !r.sees(&q.item) {
		return
	}
	key := locale.Key("{0} asks you")
	if q.item.Guidance != nil {
		key = "{0} needs your help"
	}
	n := notice.Of(q.item, r.text(key, q.item.Agent))
	if r.sub.Hidden {
		n.Text, n.Choices = "", nil
	}
	if len(n.Choices) > maxChoices {
		n.Choices = n.Choices[:maxChoices]
	}
	if slices.ContainsFunc(n.Choices, func(choice string) bool { return strings.HasSuffix(choice, "…") }) {
		n.Choices = nil // an answer that is cut off is given on the page instead
	}
	r.desk.Asked(n, nil)
}

// sees reports whether the receiver may be notified of a question. Addresses only get questions for everyone.
func (r *receiver) sees(q *protocol.InboxItem) bool {
	if r.sub.Address {
		return q.To == ""
	}
	return r.service.options.Sees == nil || r.service.options.Sees(r.sub, q)
}

func (r *receiver) text(key locale.Key, args ...any) string {
	return locale.Match(r.sub.Locale).Text(key, args...)
}

// notify adds a question to the due ones. The board calls it.
func (r *receiver) notify(n protocol.Notice) {
	s := r.service
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.due = append(r.due, n); len(r.due) == 1 {
		s.options.Background.After(s.options.Gather, "push", r.join)
	}
}

// join turns the due questions into messages.
func (r *receiver) join() {
	s := r.service
	s.mu.Lock()
	defer s.mu.Unlock()
	due := r.due
	r.due = nil
	if len(due) > mostEach {
		r.enqueue(&message{PushMessage: r.summary(due)}, due)
		return
	}
	for _, n := range due {
		r.enqueue(&message{PushMessage: protocol.PushMessage{
			Tag: n.QuestionID, Title: n.Title, Text: n.Text, QuestionID: n.QuestionID, Ask: n.Ask, Choices: n.Choices,
		}}, []protocol.Notice{n})
	}
}

// summary returns one message for several questions: their number, and who asks.
func (r *receiver) summary(of []protocol.Notice) protocol.PushMessage {
	m := protocol.PushMessage{Tag: of[0].QuestionID, Title: r.text("{0} questions wait for you", len(of))}
	var titles []string
	for _, n := range of {
		if !slices.Contains(titles, n.Title) {
			titles = append(titles, n.Title)
		}
	}
	if m.Text = strings.Join(titles[:min(len(titles), mostEach)], " · "); len(titles) > mostEach {
		m.Text += " · …"
	}
	return m
}

// enqueue queues a message, and starts the worker if necessary. The caller holds the lock.
func (r *receiver) enqueue(m *message, of []protocol.Notice) {
	m.open = len(of)
	for _, n := range of {
		r.messages[n.QuestionID] = m
	}
	if r.queue = append(r.queue, m); !r.sending {
		r.sending = true
		r.service.options.Background.Go("push", r.work)
	}
}

// closed removes a closed question from the due ones and from its message. The board calls it.
func (r *receiver) closed(id string) {
	r.service.mu.Lock()
	defer r.service.mu.Unlock()
	r.due = slices.DeleteFunc(r.due, func(n protocol.Notice) bool { return n.QuestionID == id })
	if m := r.messages[id]; m != nil {
		delete(r.messages, id)
		m.open--
		r.takeBack(m)
	}
}

// takeBack replaces a delivered message whose questions are all closed. Browsers require a notification for each push,
// so the replacement is silent; browsers that would ring again get none. The caller holds the lock.
func (r *receiver) takeBack(m *message) {
	if m.open > 0 || !m.delivered || !r.sub.Silent {
		return
	}
	over := protocol.PushMessage{Tag: m.Tag, Title: m.Title, Text: r.text("No answer is needed any more."), Over: true}
	r.enqueue(&message{PushMessage: over}, nil)
}

// work sends the queued messages.
func (r *receiver) work() {
	s := r.service
	for {
		s.mu.Lock()
		if len(r.queue) == 0 || r.ctx.Err() != nil {
			r.sending = false
			s.mu.Unlock()
			return
		}
		m := r.queue[0]
		r.queue = r.queue[1:]
		s.mu.Unlock()
		err := r.deliver(m)
		if errors.Is(err, errClosed) || r.ctx.Err() != nil {
			continue
		}
		r.record(err)
		s.mu.Lock()
		m.delivered = err == nil && !m.Over
		r.takeBack(m)
		s.mu.Unlock()
	}
}

// errClosed ends the retries of a message whose questions are closed.
var errClosed = errors.New("the question is closed")

// deliver sends a message until the receiver accepts it, or its questions are closed.
func (r *receiver) deliver(m *message) error {
	return r.service.public.Retry(r.ctx, func() error {
		r.service.mu.Lock()
		closed := m.open == 0 && !m.Over
		r.service.mu.Unlock()
		if closed {
			return backoff.Permanent(errClosed)
		}
		return r.send(r.ctx, m.PushMessage)
	}, r.fails)
}

// testTag is the tag of tests.
const testTag = "test"

// test returns the message of Service.Test.
func (r *receiver) test() protocol.PushMessage {
	text := locale.Key("Notifications reach this browser.")
	if r.sub.Address {
		text = "Notifications of Followup reach this address."
	}
	return protocol.PushMessage{Tag: testTag, Title: "Followup", Text: r.text(text)}
}

// fails records a failed attempt that will be retried. It does not store it, since the message is still due after a restart.
func (r *receiver) fails(err error) {
	r.service.mu.Lock()
	defer r.service.mu.Unlock()
	r.sub.LastAt, r.sub.Problem = time.Now(), err.Error()
}

// record stores the outcome of a delivery. It removes a browser that has unsubscribed.
func (r *receiver) record(err error) {
	s := r.service
	if errors.Is(err, errGone) {
		s.options.Log.Info("a browser has unsubscribed", zap.String("person", r.sub.Person))
		s.remove(context.Background(), r)
		return
	}
	s.mu.Lock()
	r.sub.LastAt, r.sub.Problem = time.Now(), ""
	if err != nil {
		r.sub.Problem = bounded.Text(err.Error())
	}
	now, current := r.sub, s.receivers[r.sub.ID] == r
	s.mu.Unlock()
	if err != nil {
		s.options.Log.Warn("a push message was not delivered", zap.Error(err))
	}
	in, _ := s.options.Store(r.ctx)
	if in == nil || !current {
		return
	}
	save := s.save
	if now.Address {
		save = s.remember
	}
	if err := save(r.ctx, in, now); err != nil {
		s.options.Log.Warn("the outcome of a push message is not stored", zap.Error(err))
	}
}
