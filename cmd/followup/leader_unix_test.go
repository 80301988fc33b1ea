//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// leaderArgument makes the test binary lead a terminal's session, and run the command in its further arguments there.
const leaderArgument = "lead-a-terminal"

func init() {
	if len(os.Args) > 2 && os.Args[1] == leaderArgument {
		os.Exit(lead(os.Args[2:]))
	}
}

// lead runs a command, forwards signals to it, and exits with its status once the third file has ended. When the leader of a
// session exits, Linux hangs up its terminal, and drops written data that the other end has not read (tty_ldisc_hangup,
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
			if s == syscall.SIGTERM { // the terminal sends the other signals to both
				_ = command.Process.Signal(s)
			}
		}
	}()
	_ = command.Wait() // the status has it
	_, _ = io.Copy(io.Discard, read)
	return command.ProcessState.ExitCode()
}
