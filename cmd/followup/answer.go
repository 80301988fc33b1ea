package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"golang.org/x/term"

	"followup/internal/hubclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/terminal"
)

// answerOptions are the flags of "followup answer".
type answerOptions struct {
	plain bool
	place place
	speak locale.Tag
	level logLevel
}

// answerCommand is "followup answer": the inbox in a terminal.
func answerCommand(p process) *cobra.Command {
	o := answerOptions{level: logLevel{Level: zap.FatalLevel}} // a log would corrupt the screen
	c := &cobra.Command{
		Use:   "answer",
		Short: "Answer open questions in the terminal",
		Long: "Show the open questions in the terminal as they arrive, and answer them with keys. Other open inboxes show what you have written\n" +
			"so far. If somebody answers first elsewhere, your words are kept.\n\n" +
			"With --plain, TERM=dumb or ACCESSIBLE (for screen readers), it asks line by line. NO_COLOR turns colours off. Only a person\n" +
			"answers, so this command takes no id and no text.\n\n" +
			"Exit status: 0 done, 1 failed, 2 wrong usage, or no terminal.",
		Example: "  followup answer\n  tmux display-popup -E followup answer",
		Args: takesNone("an answer comes from a person who sees the question, not from a script; " +
			"run 'followup answer' alone to answer in this terminal, or answer in the editor or in the page of 'followup web'"),
		RunE: func(*cobra.Command, []string) error { return answerHere(p, o) },
	}
	flags := c.Flags()
	flags.BoolVar(&o.plain, "plain", false, "ask line by line")
	wordsLogFlag(c, &o.level)
	placeFlags(c, &o.place, p.env)
	localeFlag(c, flags, &o.speak, "messages", p.env)
	return c
}

func answerHere(p process, o answerOptions) error {
	speak := o.speak
	if !isTerminal(p.stdin) || !isTerminal(p.stdout) {
		return wrongUsage("%s", speak.Text("standard input and output must be a terminal; followup inbox --json lists the open questions"))
	}
	log := newWordsLog(p, "followup answer", o.level)
	hub, folder, err := o.place.settle(p, speak, log, "")
	if err == nil && hub == nil {
		_, err = readStorageFolder(o.place.storage, p.env)
	}
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(context.Background(), ending...)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // a missing reader becomes a write error
	var router rpc.Router
	shows := terminal.New(terminal.Options{
		In: p.stdin, Out: p.stdout, Environment: os.Environ(), Locale: speak, Forget: p.forgetTyped,
	}, &router)
	linked := watchLink(hub)
	own := p.reach(log).Dial(&router, hub)
	defer own.End()
	own.Client = "followup answer"
	reached, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	own.Hung = func(words string) { fail(errors.New(words)) }
	if err := own.Greet(ctx, protocol.InitializationOptions{Locale: string(speak), StorageFolder: folder}); err != nil {
		return err
	}
	if err := untilLinked(ctx, p, linked); err != nil {
		return err
	}
	_, err = rpc.Call(reached, own.Conn, protocol.InboxStatus, protocol.None{})
	switch {
	case reached.Err() != nil:
		err = context.Cause(reached)
	case err != nil:
		err = plainError(err)
	case o.plain || p.env("TERM") == "dumb" || p.env("ACCESSIBLE") != "":
		err = shows.ShowLines(ctx, own.Conn)
	default:
		err = shows.ShowScreen(ctx, own.Conn)
	}
	var by signalled
	if errors.As(err, &by) || err == nil && errors.As(context.Cause(ctx), &by) {
		return by.status()
	}
	return err
}

// isTerminal reports whether a stream of the process is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// forgetTyped drops keys that the user typed before the question was shown.
func (p process) forgetTyped() {
	if file, ok := p.stdin.(*os.File); ok && isTerminal(file) && foreground(file) {
		dropTyped(file)
	}
}

// watchLink returns the states of the link to a hub. A new state replaces one that has not been received yet.
func watchLink(hub *hubclient.Options) <-chan hubclient.State {
	if hub == nil {
		return nil
	}
	states := make(chan hubclient.State, 1)
	hub.StateChanged = func(now hubclient.State) {
		select {
		case <-states:
		default:
		}
		states <- now
	}
	return states
}

// untilLinked waits for the first link to a hub, and prints why it takes long. After that, the inbox shows problems of the link.
func untilLinked(ctx context.Context, p process, states <-chan hubclient.State) error {
	for last := ""; states != nil; {
		select {
		case <-ctx.Done():
			return nil // the inbox shows the problem
		case now := <-states:
			switch {
			case now.State == protocol.HubConnected:
				return nil
			case now.State == protocol.HubRefused:
				return errors.New(now.Problem)
			case now.Away != "" && now.Away != last:
				last = now.Away
				fmt.Fprintln(p.stderr, now.Away)
			}
		}
	}
	return nil
}
