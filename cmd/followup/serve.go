package main

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/desktop"
	"followup/internal/server"
)

// serveCommand is "followup serve": the sidecar itself.
func serveCommand(p process) *cobra.Command {
	level := logLevel{Level: zap.DebugLevel} // the editor's output channel has a level of its own
	var lease time.Duration
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the sidecar of an editor",
		Long: "Speak JSON-RPC 2.0 on standard input and output, framed as in the Language Server Protocol, and log JSON lines on standard error. An\n" +
			"editor starts this command; docs/protocol.md has the methods.\n\n" +
			"Exit status: 0 shut down, 1 the input ended without a shutdown, or failed, 2 wrong usage.",
		Example: "  followup serve --log-level warn",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if lease <= 0 {
				return wrongUsage("the lease must be longer than nothing")
			}
			if ended := serve(p, level, lease); ended != 0 {
				return status(ended)
			}
			return nil
		},
	}
	logFlag(c, &level)
	c.Flags().DurationVar(&lease, "lease", server.DefaultLease, "count a silent process that shares the storage as dead after `DURATION`")
	return c
}

// ownDesktop is the desktop that this process runs on.
type ownDesktop struct{}

func (ownDesktop) Notify(title, text string) error { return desktop.Notify(title, text) }
func (ownDesktop) Chime() error                    { return desktop.Chime() }

func serve(p process, level logLevel, lease time.Duration) int {
	log := newLog(p, level)
	defer func() { _ = log.Sync() }()
	return server.Serve(context.Background(), server.Options{
		In: p.stdin, Out: p.stdout, Log: log, Version: version(), PID: os.Getpid(),
		WatchParent:  watchParent,
		OpenStore:    openEngine,
		PersonFolder: func() (string, error) { return writtenStorageFolder(p.env(storageVariable), p.env) },
		Env:          p.env,
		Connected: func() {
			if p.env(storageVariable) == "" { // or this process is apart from what the user's agents use
				renewProgram(p.env, log)
			}
		},
		Desktop: ownDesktop{},
		Lease:   lease,
		NewID:   newID,
	})
}
