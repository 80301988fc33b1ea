package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// foreground is true: Windows has no jobs in the background of a console.
func foreground(*os.File) bool { return true }

// dropTyped drops what was typed on a console and not read yet, as far as it can.
func dropTyped(console *os.File) { _ = windows.FlushConsoleInputBuffer(windows.Handle(console.Fd())) }
