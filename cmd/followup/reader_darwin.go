package main

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// watchReader calls gone when the reading end of a pipe or socket is closed. A shell between this process and the reader may
// survive the reader. This system's poll does not report that, but its kqueue does.
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
	// Readable data is irrelevant, so it is reported once; EOF means that the other end is closed.
	watched := make([]unix.Kevent_t, 1)
	unix.SetKevent(&watched[0], int(out.Fd()), unix.EVFILT_READ, unix.EV_ADD|unix.EV_CLEAR)
	go func() {
		defer func() { _ = unix.Close(queue) }()
		for events := make([]unix.Kevent_t, 1); ; {
			n, err := unix.Kevent(queue, watched, events, nil)
			switch {
			case errors.Is(err, unix.EINTR):
				continue
			case err != nil || n == 1 && events[0].Flags&unix.EV_ERROR != 0:
				return
			case n == 1 && events[0].Flags&unix.EV_EOF != 0:
				gone()
				return
			}
			watched = nil // already registered
		}
	}()
}
