//go:build unix

package transcript

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// pipe makes a named pipe.
func pipe(path string) error { return syscall.Mkfifo(path, 0o600) }

// device makes a device without end, like /dev/zero. It requires the superuser.
func device(path string) error {
	return unix.Mknod(path, unix.S_IFCHR|0o600, int(unix.Mkdev(1, 5)))
}
