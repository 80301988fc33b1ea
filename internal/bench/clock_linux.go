package main

import (
	"syscall"
	"time"
)

// clock is the name, to the peers, of what used measures.
const clock = "cpu"

// used returns the processor time of this process, including its garbage collector. Unlike elapsed time, it hardly depends on what
// else the machine does.
func used() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
