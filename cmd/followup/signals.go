package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// ending are the signals that end a process.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// signalled is the cause when a signal ends a command.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return s.String() }

// status returns the exit status that shells use for a signal.
func (s signalled) status() status {
	if number, ok := s.Signal.(syscall.Signal); ok {
		return status(exitSignal + int(number))
	}
	return exitFailed
}

// Is makes errors.Is treat it as a cancellation, too.
func (signalled) Is(target error) bool { return target == context.Canceled }

// untilSignal returns a context that the first of the signals ends, as its cause. It ignores signals that the process was started
// to ignore, as by nohup. The second signal ends the process at once.
func untilSignal(parent context.Context, signals ...os.Signal) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	came := make(chan os.Signal, 1)
	for _, s := range signals {
		if !signal.Ignored(s) {
			signal.Notify(came, s)
		}
	}
	go func() {
		select {
		case s := <-came:
			cancel(signalled{s})
		case <-ctx.Done():
		}
		signal.Stop(came)
	}()
	return ctx, func() { cancel(nil) }
}

// interruptible returns a command whose context ends when the user interrupts the process. SIGPIPE becomes a write error, so that
// the command can clean up.
func interruptible(run func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		ctx, stop := untilSignal(context.Background(), os.Interrupt)
		defer stop()
		signal.Ignore(syscall.SIGPIPE)
		return run(ctx, args)
	}
}
