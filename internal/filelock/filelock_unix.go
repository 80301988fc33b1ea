//go:build unix

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// TryLock takes a lock on a file for as long as it stays open, shared or exclusive in place of the one it has, and reports
// whether it got it. Without it, the file has no lock.
func TryLock(f *os.File, exclusive bool) (bool, error) {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	switch err := flock(f, how|unix.LOCK_NB); {
	case errors.Is(err, unix.EWOULDBLOCK):
		return false, nil
	default:
		return err == nil, err
	}
}

func flock(f *os.File, how int) error {
	return withHandle(f, func(handle uintptr) error {
		for {
			if err := unix.Flock(int(handle), how); !errors.Is(err, unix.EINTR) {
				return err
			}
		}
	})
}
