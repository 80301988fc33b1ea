//go:build !windows && !darwin

package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// watchReader calls gone when the reading end of a pipe or socket is closed. A shell between this process and the reader may
// survive the reader.
func watchReader(out *os.File, gone func()) {
	fd := int32(out.Fd())
	go func() {
		for {
			watched := []unix.PollFd{{Fd: fd}} // errors are always reported
			_, err := unix.Poll(watched, -1)
			switch {
			case errors.Is(err, unix.EINTR):
				continue
			case err == nil && watched[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0:
				gone()
			}
			return
		}
	}()
}
