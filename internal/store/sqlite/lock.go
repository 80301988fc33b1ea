package sqlite

import (
	"errors"
	"fmt"
	"os"

	"followup/internal/filelock"
	"followup/internal/store"
)

// tryLock is filelock.TryLock; on a closed file: store.ErrClosed.
func tryLock(f *os.File, exclusive bool) (bool, error) {
	locked, err := filelock.TryLock(f, exclusive)
	return locked, closedFile(err)
}

// withHandle runs a system call on an open file, which is not closed meanwhile. On a closed one: store.ErrClosed.
func withHandle(f *os.File, call func(handle uintptr) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return closedFile(err)
	}
	var result error
	if err := raw.Control(func(handle uintptr) { result = call(handle) }); err != nil {
		return closedFile(err)
	}
	return result
}

func closedFile(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("%w: %w", store.ErrClosed, err)
	}
	return err
}
