package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Options configure an inbox in a terminal. Only main touches the process.
type Options struct {
	// In and Out are the terminal.
	In  io.Reader
	Out io.Writer
	// Environment has the variables that say what the terminal can show, as NAME=value.
	Environment []string
	// Locale is the user's language.
	Locale locale.Tag
	// Forget drops what was typed and not read yet. If nil, nothing is dropped. Only Lines need it.
	Forget func()
}

// Inbox is an inbox that a terminal shows.
type Inbox struct {
	options Options
	changes chan protocol.InboxChange
}

// New returns an inbox that receives the router's changes.
func New(o Options, router *rpc.Router) *Inbox {
	b := &Inbox{options: o, changes: make(chan protocol.InboxChange)}
	rpc.OnNotification(router, protocol.InboxDidChange, func(ctx context.Context, change protocol.InboxChange) error {
		select {
		case b.changes <- change:
		case <-ctx.Done():
		}
		return nil
	})
	return b
}

// ShowScreen shows the open questions on the whole terminal, until the user leaves or ctx ends.
func (b *Inbox) ShowScreen(ctx context.Context, sidecar *rpc.Conn) error {
	s := newScreen(b.options.Locale, sidecar)
	err := b.show(ctx, s, &s.model, tea.WithInput(b.options.In), tea.WithOutput(b.options.Out), tea.WithEnvironment(b.options.Environment))
	return errors.Join(err, s.leave(ctx, b.options.Out))
}

// ShowLines asks the open questions line by line, one after the other, until the user leaves or ctx ends.
func (b *Inbox) ShowLines(ctx context.Context, sidecar *rpc.Conn) error {
	l := NewLines(b.options, sidecar)
	return b.show(ctx, l, &l.model, withoutTerminal...)
}

// show subscribes to the inbox and runs a program until it ends.
func (b *Inbox) show(ctx context.Context, shows tea.Model, m *model, options ...tea.ProgramOption) error {
	program := tea.NewProgram(shows, append(options, tea.WithContext(ctx), tea.WithoutSignalHandler())...)
	go func() {
		snapshot, err := rpc.Call(ctx, m.sidecar, protocol.InboxSubscribe, protocol.None{})
		if err != nil {
			program.Send(failedMsg{err})
			return
		}
		program.Send(begunMsg(snapshot))
		for change := range b.changes {
			program.Send(changedMsg(change))
		}
	}()
	_, err := program.Run()
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the user has ended it, by a signal
	}
	return errors.Join(err, m.failed)
}

// lastSave bounds the saving at the end.
const lastSave = 2 * time.Second

// leave saves what the user was writing, or prints it if the question is closed.
func (s *screen) leave(ctx context.Context, out io.Writer) error {
	if s.card == nil || !s.card.changed {
		return nil
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastSave)
	defer cancel()
	_, err := rpc.Call(last, s.sidecar, protocol.QuestionSaveDraft, s.draft())
	if _, closed := refused(err); closed {
		err = nil
		if words := s.card.words(); words != "" {
			_, err = fmt.Fprintf(out, "%s\n%s\n", s.speak.Text(wordsNotSent), shown(words))
		}
	}
	if ctx.Err() != nil {
		return nil //nolint:nilerr // as in show
	}
	return err
}
