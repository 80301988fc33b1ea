package sqlite

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

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
