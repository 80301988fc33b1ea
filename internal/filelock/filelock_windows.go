package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// TryLock takes a lock on a file for as long as it stays open, shared or exclusive in place of the one it has, and reports
// whether it got it. Without it, the file has no lock.
func TryLock(f *os.File, exclusive bool) (bool, error) {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := withHandle(f, func(handle uintptr) error {
		file, place := windows.Handle(handle), new(windows.Overlapped)
		// It fails if this handle has no lock: with ERROR_NOT_LOCKED, or with ERROR_LOCK_VIOLATION under Wine.
		_ = windows.UnlockFileEx(file, 0, 1, 0, place)
		return windows.LockFileEx(file, how, 0, 1, 0, place)
	})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
