package sqlite

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// writeBackLog has the system begin to bring the write-ahead log to the disk.
func (s *Store) writeBackLog() { _ = s.withLog(writeBack) } // flushLog tells what does not work

// writeBack begins to bring what was written to a file to the disk, and waits for nothing.
func writeBack(f *os.File) error {
	return withHandle(f, func(handle uintptr) error {
		return unix.SyncFileRange(int(handle), 0, 0, unix.SYNC_FILE_RANGE_WRITE)
	})
}

// flush brings what was written to a file to the disk.
func flush(f *os.File) error {
	return withHandle(f, func(handle uintptr) error {
		for {
			if err := unix.Fdatasync(int(handle)); !errors.Is(err, unix.EINTR) {
				return err
			}
		}
	})
}
