package main

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// isReaderGone reports whether a write failed because the reader of a pipe is gone.
func isReaderGone(err error) bool {
	return errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, windows.ERROR_BROKEN_PIPE)
}

// watchReader does nothing: Windows does not report that a pipe's reader has gone. watchParent notices it instead.
func watchReader(*os.File, func()) {}
