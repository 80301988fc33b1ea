package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// foreground returns true: Windows consoles have no background jobs.
func foreground(*os.File) bool { return true }

// dropTyped discards unread input of a console.
func dropTyped(console *os.File) { _ = windows.FlushConsoleInputBuffer(windows.Handle(console.Fd())) }
