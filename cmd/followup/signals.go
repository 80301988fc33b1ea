package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// ending are the signals that end a process.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// signalled is the cause of an end by a signal.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return s.String() }

// status is the exit status of a process that a signal ended, as shells have it.
func (s signalled) status() status {
	if number, ok := s.Signal.(syscall.Signal); ok {
		return status(exitSignal + int(number))
	}
	return exitFailed
}

// notifyContext is signal.NotifyContext without those signals that the process was started to ignore, as by nohup.
func notifyContext(parent context.Context, signals ...os.Signal) (ctx context.Context, stop context.CancelFunc) {
	if signals = slices.DeleteFunc(slices.Clone(signals), signal.Ignored); len(signals) == 0 { // none would mean all
		return context.WithCancel(parent)
	}
	return signal.NotifyContext(parent, signals...)
}

// endingSignals takes the signals that end a process, but for those that it was started to ignore, as by nohup.
func endingSignals() chan os.Signal {
	came := make(chan os.Signal, 1)
	for _, s := range ending {
		if !signal.Ignored(s) {
			signal.Notify(came, s)
		}
	}
	return came
}

// untilSignal is a context that ends with the signals that end a process; the second one ends it at once.
func untilSignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	came := endingSignals()
	signal.Ignore(syscall.SIGPIPE) // that nobody reads the answer is an error of writing it
	go func() {
		select {
		case s := <-came:
			signal.Stop(came)
			cancel(signalled{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(came)
		cancel(nil)
	}
}
