package main

import "os"

// watchParent calls gone once when the process pid is no more. A wait on Windows cannot be taken back; stop only makes it
// go unheard.
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
