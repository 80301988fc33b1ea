//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped discards unread input of a terminal, on a best-effort basis.
func dropTyped(terminal *os.File) {
	_ = unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCFLUSH, unix.TCIFLUSH)
}
