package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"golang.org/x/term"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/terminal"
)

// answerOptions are the flags of "followup answer".
type answerOptions struct {
	plain           bool
	storage, locale string
	level           logLevel
}

// answerCommand is "followup answer": the inbox in a terminal.
func answerCommand(p process) *cobra.Command {
	o := answerOptions{level: logLevel{zap.FatalLevel}} // a log would stand in the screen
	c := &cobra.Command{
		Use:   "answer",
		Short: "Show the open questions in the terminal, and answer them",
		Long: "Shows what is open in the terminal as it comes, and has it answered by keys: suggestions, several choices, your own words. What\n" +
			"you begin stands in every other open inbox too, and where somebody answers there first your words are kept. With --plain,\n" +
			"where TERM is dumb, and where ACCESSIBLE is set, as for a screen reader, it asks line by line. NO_COLOR is heeded.\n\n" +
			"Exit status: 0 left, 1 it could not be shown, 2 wrong usage, or no terminal.",
		Example: "  followup answer\n  tmux display-popup -E followup answer",
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return answerHere(p, o) },
	}
	flags := c.Flags()
	flags.BoolVar(&o.plain, "plain", false, "ask line by line")
	flags.Var(&o.level, "log-level", "the least `level` that is logged: debug, info, warn, error or fatal")
	oneOf(c, "log-level", "debug", "info", "warn", "error", "fatal")
	storageFlag(flags, &o.storage, p.env)
	localeFlag(c, flags, &o.locale, "what is shown", p.env)
	return c
}

func answerHere(p process, o answerOptions) error {
	speak := locale.Match(o.locale)
	if !isTerminal(p.stdin) || !isTerminal(p.stdout) {
		return wrongUsage("%s", speak.Text(locale.AnswerNoTerminal))
	}
	folder, err := writtenStorageFolder(o.storage, p.env)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	log := newLog(p, o.level.Level)
	defer func() { _ = log.Sync() }()
	var router rpc.Router
	shows := terminal.New(terminal.Options{
		In: p.stdin, Out: p.stdout, Environment: os.Environ(), Locale: speak, Forget: p.forgetTyped,
	}, &router)
	own := startOwnSidecar(p, log, &router)
	defer own.end()
	if err := own.greet(ctx, protocol.InitializationOptions{Locale: string(speak), StorageFolder: folder}); err != nil {
		return err
	}
	if o.plain || p.env("TERM") == "dumb" || p.env("ACCESSIBLE") != "" {
		err = shows.ShowLines(ctx, own.conn)
	} else {
		err = shows.ShowScreen(ctx, own.conn)
	}
	var by signalled
	if err == nil && errors.As(context.Cause(ctx), &by) {
		return by.status()
	}
	return err
}

// isTerminal tells whether a stream of the process is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// forgetTyped drops what was typed before it could have been meant.
func (p process) forgetTyped() {
	if file, ok := p.stdin.(*os.File); ok && isTerminal(file) && foreground(file) {
		dropTyped(file)
	}
}
