//go:build !windows && !darwin

package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// watchReader calls gone when nobody can read any more what is written to a pipe or a socket: a shell between us and whoever reads does
// not tell that by its end.
func watchReader(out *os.File, gone func()) {
	fd := int32(out.Fd())
	go func() {
		for {
			watched := []unix.PollFd{{Fd: fd}} // errors are always told
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
