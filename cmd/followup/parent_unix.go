//go:build !windows

package main

import (
	"errors"
	"syscall"
	"time"
)

// parentInterval is how often the parent is checked. The end of standard input is usually noticed sooner, except if, for example,
// a sibling holds the pipe open.
const parentInterval = time.Second

// watchParent calls gone once when the process pid ends, unless stop is called first.
func watchParent(pid int, gone func()) (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(parentInterval)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
					gone()
					return
				}
			}
		}
	}()
	return func() { close(done) }
}
