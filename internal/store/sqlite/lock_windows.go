package sqlite

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes a lock on a file for as long as it stays open, shared or exclusive in place of the one it has, and tells
// whether it got it. Without it, the file has no lock.
func tryLock(f *os.File, exclusive bool) (bool, error) {
	handle, place := windows.Handle(f.Fd()), new(windows.Overlapped)
	if err := windows.UnlockFileEx(handle, 0, 1, 0, place); err != nil && !errors.Is(err, windows.ERROR_NOT_LOCKED) {
		return false, err
	}
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(handle, how, 0, 1, 0, place)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// unlock gives a lock up.
func unlock(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, new(windows.Overlapped))
}
