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

// notifyContext is signal.NotifyContext without the signals that the process was started to ignore, as by nohup.
func notifyContext(parent context.Context, signals ...os.Signal) (ctx context.Context, stop context.CancelFunc) {
	if signals = slices.DeleteFunc(slices.Clone(signals), signal.Ignored); len(signals) == 0 { // an empty list would mean all
		return context.WithCancel(parent)
	}
	return signal.NotifyContext(parent, signals...)
}

// endingSignals receives the signals that end a process, except those that it was started to ignore, as by nohup.
func endingSignals() chan os.Signal {
	came := make(chan os.Signal, 1)
	for _, s := range ending {
		if !signal.Ignored(s) {
			signal.Notify(came, s)
		}
	}
	return came
}

// untilSignal returns a context that ends with the first such signal. The second one ends the process at once.
func untilSignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	came := endingSignals()
	signal.Ignore(syscall.SIGPIPE) // a missing reader becomes a write error
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
