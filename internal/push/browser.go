package push

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/notice"
	"followup/internal/protocol"
	"followup/internal/store"
)

// mostEach is how many questions that are due at the same time have a message each. More of them share one, so that a phone rings once.
const mostEach = 3

// maxChoices is how many buttons a notification has.
const maxChoices = 2

// browser is one that is notified. The service's lock guards what changes.
type browser struct {
	service *Service
	desk    *notice.Desk
	since   time.Time // older questions are the user's to find
	ctx     context.Context
	end     context.CancelFunc

	sub      store.Subscription
	due      []protocol.Notice   // to be joined
	messages map[string]*message // of open questions, by their ids
	queue    []*message
	sending  bool
}

// message is a notification of one question, or of several.
type message struct {
	protocol.PushMessage
	open      int // of its questions
	delivered bool
}

func (b *browser) close() {
	b.end()
	b.desk.Close()
}

// ask has the board decide about a question.
func (b *browser) ask(q asked) {
	if q.since.Before(b.since) || b.service.options.Sees != nil && !b.service.options.Sees(b.sub, q.item.To) {
		return
	}
	key := locale.Key("{0} asks you")
	if q.item.Guidance != nil {
		key = "{0} needs your help"
	}
	n := notice.Of(q.item, b.text(key, q.item.Agent))
	if b.sub.Hidden {
		n.Text, n.Choices = "", nil
	}
	if len(n.Choices) > maxChoices {
		n.Choices = n.Choices[:maxChoices]
	}
	if slices.ContainsFunc(n.Choices, func(choice string) bool { return strings.HasSuffix(choice, "…") }) {
		n.Choices = nil // an answer that cannot be read whole is given on the page
	}
	b.desk.Asked(n, nil)
}

func (b *browser) text(key locale.Key, args ...any) string {
	return locale.Match(b.sub.Locale).Text(key, args...)
}

// notify is called when the browser is to be notified of a question.
func (b *browser) notify(n protocol.Notice) {
	s := b.service
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.due = append(b.due, n); len(b.due) == 1 {
		s.options.Background.After(s.options.Gather, "push", b.join)
	}
}

// join makes messages of what is due.
func (b *browser) join() {
	s := b.service
	s.mu.Lock()
	defer s.mu.Unlock()
	due := b.due
	b.due = nil
	if len(due) > mostEach {
		b.enqueue(&message{PushMessage: b.summary(due)}, due)
		return
	}
	for _, n := range due {
		b.enqueue(&message{PushMessage: protocol.PushMessage{
			Tag: n.QuestionID, Title: n.Title, Text: n.Text, QuestionID: n.QuestionID, Ask: n.Ask, Choices: n.Choices,
		}}, []protocol.Notice{n})
	}
}

// summary is the message of several questions: their number, and who asks.
func (b *browser) summary(of []protocol.Notice) protocol.PushMessage {
	m := protocol.PushMessage{Tag: of[0].QuestionID, Title: b.text("{0} questions wait for you", len(of))}
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

// enqueue sends a message behind those before. The caller holds the lock.
func (b *browser) enqueue(m *message, of []protocol.Notice) {
	m.open = len(of)
	for _, n := range of {
		b.messages[n.QuestionID] = m
	}
	if b.queue = append(b.queue, m); !b.sending {
		b.sending = true
		b.service.options.Background.Go("push", b.work)
	}
}

// closed is called when a question closes that the browser was to be notified of.
func (b *browser) closed(id string) {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	b.due = slices.DeleteFunc(b.due, func(n protocol.Notice) bool { return n.QuestionID == id })
	if m := b.messages[id]; m != nil {
		delete(b.messages, id)
		m.open--
		b.takeBack(m)
	}
}

// takeBack has a message replaced that was delivered, and whose questions are all closed. Browsers demand a notification for each push, so
// one that says so takes its place, without a sound; browsers that would ring again are left alone. The caller holds the lock.
func (b *browser) takeBack(m *message) {
	if m.open > 0 || !m.delivered || !b.sub.Silent {
		return
	}
	over := protocol.PushMessage{Tag: m.Tag, Title: m.Title, Text: b.text("No answer is needed any more."), Over: true}
	b.enqueue(&message{PushMessage: over}, nil)
}

// work sends what is queued.
func (b *browser) work() {
	s := b.service
	for {
		s.mu.Lock()
		if len(b.queue) == 0 || b.ctx.Err() != nil {
			b.sending = false
			s.mu.Unlock()
			return
		}
		m := b.queue[0]
		b.queue = b.queue[1:]
		s.mu.Unlock()
		err := b.deliver(m)
		if errors.Is(err, errClosed) || b.ctx.Err() != nil {
			continue
		}
		b.record(err)
		s.mu.Lock()
		m.delivered = err == nil && !m.Over
		b.takeBack(m)
		s.mu.Unlock()
	}
}

// errClosed ends the sending of a message whose questions are closed.
var errClosed = errors.New("the question is closed")

// deliver sends a message until the push service takes it, or it is of no use any more.
func (b *browser) deliver(m *message) error {
	s := b.service
	pauses := &backoff.ExponentialBackOff{InitialInterval: s.options.First, MaxInterval: 10 * time.Minute, Multiplier: 2, RandomizationFactor: 0.5}
	_, err := backoff.Retry(b.ctx, func() (none struct{}, _ error) {
		s.mu.Lock()
		closed := m.open == 0 && !m.Over
		s.mu.Unlock()
		if closed {
			return none, backoff.Permanent(errClosed)
		}
		return none, b.send(b.ctx, m.PushMessage)
	}, backoff.WithBackOff(pauses), backoff.WithMaxElapsedTime(s.options.Limit))
	return err
}

// test is a message that says that messages arrive.
func (b *browser) test() protocol.PushMessage {
	return protocol.PushMessage{Tag: "test", Title: "Followup", Text: b.text("Notifications reach this browser.")}
}

// record keeps how a delivery went. A browser that is gone is removed.
func (b *browser) record(err error) {
	s := b.service
	if errors.Is(err, errGone) {
		s.options.Log.Info("a browser has unsubscribed", zap.String("person", b.sub.Person))
		s.remove(context.Background(), b)
		return
	}
	s.mu.Lock()
	b.sub.LastAt, b.sub.Problem = s.options.Now(), ""
	if err != nil {
		b.sub.Problem = problemOf(err)
	}
	now, current := b.sub, s.browsers[b.sub.ID] == b
	s.mu.Unlock()
	if err != nil {
		s.options.Log.Warn("a push message was not delivered", zap.Error(err))
	}
	in, _ := s.options.Store(b.ctx)
	if in == nil || !current {
		return
	}
	if err := s.save(b.ctx, in, now); err != nil {
		s.options.Log.Warn("the outcome of a push message is not stored", zap.Error(err))
	}
}
