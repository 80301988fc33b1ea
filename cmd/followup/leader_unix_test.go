//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// leaderArgument makes the test binary lead the session of a terminal, and run the command behind it there.
const leaderArgument = "lead-a-terminal"

func init() {
	if len(os.Args) > 2 && os.Args[1] == leaderArgument {
		os.Exit(lead(os.Args[2:]))
	}
}

// lead runs a command, forwards signals to it, and ends with its status once the third file has ended. When the leader of a session
// ends, Linux hangs up its terminal, and drops written data that has not reached the other end (tty_ldisc_hangup,
// pty_flush_buffer). So the leader waits until the test has read the data.
func lead(args []string) int {
	came := make(chan os.Signal, 9)
	signal.Notify(came, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)
	read := os.NewFile(3, "read")
	syscall.CloseOnExec(3)
	command := exec.Command(args[0], args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := command.Start(); err != nil {
		return exitFailed
	}
	go func() {
		for s := range came {
			if s == syscall.SIGTERM { // the others come from the terminal, and to both
				_ = command.Process.Signal(s)
			}
		}
	}()
	_ = command.Wait() // its status says it
	_, _ = io.Copy(io.Discard, read)
	return command.ProcessState.ExitCode()
}
