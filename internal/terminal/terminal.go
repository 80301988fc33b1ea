package terminal

import (
	"context"
	"errors"
	"io"
	"sync"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Options are what an inbox in a terminal runs on. Only main touches the process.
type Options struct {
	// In and Out are the terminal.
	In  io.Reader
	Out io.Writer
	// Environment are the variables that tell what the terminal can show, as NAME=value.
	Environment []string
	// Locale is the user's language.
	Locale locale.Tag
	// Forget drops what was typed and not read yet; nil where that cannot be. Only Lines need it.
	Forget func()
}

// Inbox is one that a terminal shows.
type Inbox struct {
	options Options
	mu      sync.Mutex
	take    func(protocol.InboxChange) // nil before it is shown
}

// New makes an inbox, and has it hear what the router is told.
func New(o Options, router *rpc.Router) *Inbox {
	b := &Inbox{options: o}
	rpc.OnNotification(router, protocol.InboxDidChange, func(_ context.Context, change protocol.InboxChange) error {
		b.mu.Lock()
		take := b.take
		b.mu.Unlock()
		take(change)
		return nil
	})
	return b
}

// subscribe begins to hear changes; those that come before the snapshot is taken up wait for it.
func (b *Inbox) subscribe(ctx context.Context, sidecar *rpc.Conn, begin func(protocol.Inbox), take func(protocol.InboxChange)) error {
	begun := make(chan struct{})
	b.mu.Lock()
	b.take = func(change protocol.InboxChange) {
		<-begun
		take(change)
	}
	b.mu.Unlock()
	defer close(begun)
	snapshot, err := rpc.Call(ctx, sidecar, protocol.InboxSubscribe, protocol.None{})
	if err == nil {
		begin(snapshot)
	}
	return err
}

// lined is what is open, for Lines.
type lined struct {
	mu      sync.Mutex
	inbox   *inbox
	closed  map[string]protocol.InboxItem // since they were last asked for
	changed chan struct{}                 // closed and made anew with every change
	stop    map[string]context.CancelCauseFunc
}

// ShowLines has what is open answered by lines, one question after the other, until the user leaves or ctx ends.
func (b *Inbox) ShowLines(ctx context.Context, sidecar *rpc.Conn) error {
	open := &lined{inbox: newInbox(), closed: map[string]protocol.InboxItem{}, changed: make(chan struct{}), stop: map[string]context.CancelCauseFunc{}}
	if err := b.subscribe(ctx, sidecar, func(snapshot protocol.Inbox) { open.inbox.begin(snapshot) }, open.apply); err != nil {
		return err
	}
	lines := NewLines(b.options, sidecar)
	var last int // the order of the question that was asked last
	for waits := false; ; {
		item, count, changed := open.next(last)
		if item == nil {
			if !waits {
				waits = true
				lines.print("\n%s\n", lines.speak.Text(answerWaiting))
			}
			select {
			case <-ctx.Done():
				return nil
			case <-changed:
			case line, more := <-lines.asked():
				lines.reading = !more
				if !more || line == "/quit" {
					return nil
				}
			}
			continue
		}
		waits = false
		if count > 1 {
			lines.print("\n%s", lines.speak.Text("Open questions: {0}", count))
		}
		last = item.Order
		asking, end := context.WithCancelCause(ctx)
		open.stopping(item.QuestionID, end)
		err := lines.Ask(asking, item)
		end(nil)
		switch {
		case ctx.Err() != nil:
			return nil //nolint:nilerr // the user has ended it, by a signal
		case errors.Is(err, errQuit):
			return nil
		case errors.Is(err, errElsewhere):
			lines.elsewhere(ctx, open.outcome(item))
		case errors.Is(err, errNext):
		case err != nil:
			return err
		default:
			lines.print("%s\n", lines.speak.Text("Sent."))
			open.gone(ctx, item.QuestionID)
		}
	}
}

// errElsewhere ends the asking of a question that was closed somewhere else.
var errElsewhere = errors.New("the question was closed elsewhere")

// elsewhere tells that a question is over. What the user was typing is theirs, and goes to no other question.
func (l *Lines) elsewhere(ctx context.Context, item protocol.InboxItem) {
	l.print("\n%s\n", l.speak.Text("It was closed elsewhere: {0}", said(l.speak, item)))
	l.print("%s", l.speak.Text("Press Enter to go on."))
	line, err := l.next(ctx)
	if err == nil && line != "" {
		l.print("%s\n  %s\n", l.speak.Text("Your words, which were not sent:"), line)
	}
}

// next is the pending question behind the last one, or else the first, and how many are open.
func (o *lined) next(last int) (found *protocol.InboxItem, count int, changed <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := o.inbox.open()
	for _, item := range all {
		if item.State == protocol.ItemPending && (found == nil || found.Order <= last && item.Order > last) {
			found = item
		}
	}
	return found, len(all), o.changed
}

// stopping has the asking of a question end when it is closed.
func (o *lined) stopping(id string, end context.CancelCauseFunc) {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.stop)
	if o.inbox.items[id] == nil {
		end(errElsewhere)
		return
	}
	o.stop[id] = end
}

func (o *lined) apply(change protocol.InboxChange) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, item := range o.inbox.apply(change) {
		o.closed[item.QuestionID] = item
		if end := o.stop[item.QuestionID]; end != nil {
			end(errElsewhere)
		}
	}
	close(o.changed)
	o.changed = make(chan struct{})
}

// outcome is a question as it was closed.
func (o *lined) outcome(item *protocol.InboxItem) protocol.InboxItem {
	o.mu.Lock()
	defer o.mu.Unlock()
	closed, known := o.closed[item.QuestionID]
	if !known {
		return *item
	}
	delete(o.closed, item.QuestionID)
	return closed
}

// gone waits until a question that was answered here is no longer told as open.
func (o *lined) gone(ctx context.Context, id string) {
	for {
		o.mu.Lock()
		open, changed := o.inbox.items[id] != nil, o.changed
		delete(o.closed, id)
		o.mu.Unlock()
		if !open {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}
