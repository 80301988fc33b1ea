// Package terminal shows the inbox in a terminal. Two views share the open questions (inboxclient) and the answer in progress
// (form): a screen with keys, and lines for screen readers and for terminals that cannot show a screen. It is a client of a
// sidecar and does not touch the process. Agents' texts go through archive.Plain, so that they cannot control the terminal.
package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"followup/internal/inboxclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Options configure an inbox in a terminal. Only main touches the process.
type Options struct {
	// In and Out are the terminal.
	In  io.Reader
	Out io.Writer
	// Environment has the environment variables that describe the terminal's abilities, as NAME=value.
	Environment []string
	// Locale is the user's language.
	Locale locale.Tag
	// Forget drops typed input that was not read yet. If nil, nothing is dropped. Only ShowLines needs it.
	Forget func()
}

// Inbox is an inbox in a terminal.
type Inbox struct {
	options Options
	open    *inboxclient.Inbox
}

// New returns an inbox that receives the router's changes.
func New(o Options, router *rpc.Router) *Inbox { return &Inbox{o, inboxclient.New(router)} }

// ShowScreen shows the open questions on the whole terminal, until the user leaves or ctx ends.
func (b *Inbox) ShowScreen(ctx context.Context, sidecar *rpc.Conn) error {
	s := newScreen(model{Inbox: b.open, speak: b.options.Locale, sidecar: sidecar})
	program := tea.NewProgram(s, tea.WithInput(b.options.In), tea.WithOutput(b.options.Out), tea.WithEnvironment(b.options.Environment),
		tea.WithContext(ctx), tea.WithoutSignalHandler())
	go func() {
		change, err := s.Subscribe(ctx, sidecar)
		if err != nil {
			program.Send(failedMsg{err})
			return
		}
		for program.Send(changedMsg(change)); ctx.Err() == nil; program.Send(changedMsg(change)) {
			change = <-s.Changes
		}
	}()
	_, err := program.Run()
	if ctx.Err() != nil {
		err = nil // the user ended it with a signal
	}
	return errors.Join(err, s.failed, s.leave(ctx, b.options.Out))
}

// ShowLines asks the open questions line by line, one by one, until the user leaves or ctx ends.
func (b *Inbox) ShowLines(ctx context.Context, sidecar *rpc.Conn) error {
	l := NewLines(b.options, sidecar)
	l.Inbox = b.open
	if err := l.run(ctx); ctx.Err() == nil && !errors.Is(err, errUnanswered) {
		return err
	}
	return nil
}

// lastSave bounds saving the draft at the end.
const lastSave = 2 * time.Second

// leave saves the user's unsent words. It prints those on closed questions.
func (s *screen) leave(ctx context.Context, out io.Writer) (err error) {
	if c := s.card; c != nil && c.Changed {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastSave)
		defer cancel()
		_, err = rpc.Call(last, s.sidecar, protocol.QuestionSaveDraft, s.draft())
		if _, closed := refused(err); closed {
			err = nil
			c.Close(&protocol.ItemOutcome{})
		}
	}
	if s.card != nil {
		s.putAway()
	}
	if words := strings.Join(s.unsent, "\n\n"); words != "" {
		_, wrong := fmt.Fprintln(out, s.notSent(words))
		err = cmp.Or(err, wrong)
	}
	if ctx.Err() != nil {
		return nil //nolint:nilerr // as in ShowScreen
	}
	return err
}
