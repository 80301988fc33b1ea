// Package waits bounds what tests wait for: where something hangs, the test fails with its name, and the others are run. It is only
// imported by tests.
package waits

import (
	"errors"
	"os/exec"
	"testing"
	"time"
)

// Patience is how long anything is waited for. It is reached where something is broken.
const Patience = 2 * time.Minute

// For waits for a value of a channel, or for its end, in the test's own goroutine.
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

// Until waits until something holds that nobody tells of.
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

// Ended waits for the end of a process, and gives what its Wait does; that is called nowhere else meanwhile. One that does not end is killed.
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
