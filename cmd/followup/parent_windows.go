package main

import "os"

// watchParent calls gone once when the process pid ends, unless stop is called first. Windows cannot cancel the wait, so stop only
// suppresses the call.
func watchParent(pid int, gone func()) (stop func()) {
	done := make(chan struct{})
	go func() {
		if process, err := os.FindProcess(pid); err == nil {
			_, _ = process.Wait()
		}
		select {
		case <-done:
		default:
			gone()
		}
	}()
	return func() { close(done) }
}
