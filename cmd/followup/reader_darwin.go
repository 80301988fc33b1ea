package main

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// watchReader calls gone when nobody can read any more what is written to a pipe or a socket: a shell between us and whoever reads does
// not tell that by its end. This system's poll is not woken by that, and its kqueue is.
func watchReader(out *os.File, gone func()) {
	info, err := out.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return
	}
	queue, err := unix.Kqueue()
	if err != nil {
		return
	}
	unix.CloseOnExec(queue)
	// What can be read here is nothing to us, and is told once: the end of it is that of the other side.
	watched := make([]unix.Kevent_t, 1)
	unix.SetKevent(&watched[0], int(out.Fd()), unix.EVFILT_READ, unix.EV_ADD|unix.EV_CLEAR)
	go func() {
		defer func() { _ = unix.Close(queue) }()
		for told := make([]unix.Kevent_t, 1); ; {
			n, err := unix.Kevent(queue, watched, told, nil)
			switch {
			case errors.Is(err, unix.EINTR):
				continue
			case err != nil || n == 1 && told[0].Flags&unix.EV_ERROR != 0:
				return
			case n == 1 && told[0].Flags&unix.EV_EOF != 0:
				gone()
				return
			}
			watched = nil // it is known by now
		}
	}()
}
