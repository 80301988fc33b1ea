//go:build unix

package main

import (
	"syscall"
	"time"
)

// clock is the name, to the peers, of what spent measures.
const clock = "cpu"

// used is the processor time of this process, its garbage collector's with it. Unlike the time that passes, it says little
// of what else the machine does.
func used() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
