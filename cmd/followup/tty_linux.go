package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped discards unread input of a terminal, on a best-effort basis.
func dropTyped(terminal *os.File) {
	_ = unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
