//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// foreground tells that a terminal's job control lets us read it: a job in the background would be stopped.
func foreground(terminal *os.File) bool {
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp() // where it is not our controlling terminal, it stops nobody
}
