//go:build !windows

package main

import (
	"errors"
	"syscall"
)

// isReaderGone reports whether a write failed because the reader of a pipe is gone.
func isReaderGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
