// Package waits bounds the waits of tests: if something hangs, the test fails with its name, and the others run. Only tests import
// it.
package waits

import (
	"errors"
	"os/exec"
	"testing"
	"time"
)

// Patience is the maximum wait. It is only reached if something is broken.
const Patience = 2 * time.Minute

// For receives from a channel, or waits for it to close, in the test's own goroutine.
func For[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(Patience):
		t.Fatal("it was waited for in vain")
		panic("unreachable")
	}
}

// Until polls a condition that has no notification.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for late := time.After(Patience); !holds(); {
		select {
		case <-look.C:
		case <-late:
			t.Fatal("it never came to this: ", what)
		}
	}
}

// Ended waits for the end of a process, and returns the result of its Wait, which must not be called elsewhere. A process that does
// not end is killed.
func Ended(t testing.TB, command *exec.Cmd) error {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(Patience):
		_ = command.Process.Kill()
		t.Errorf("it does not end: %q", command.Args)
		return errors.New("it did not end by itself")
	}
}
