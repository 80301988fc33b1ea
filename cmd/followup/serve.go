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
		Short: "Speak the protocol on standard input and output, for an editor",
		Long: "Speaks JSON-RPC 2.0 with the framing of the Language Server Protocol on standard input and output,\n" +
			"and logs JSON lines on standard error. docs/protocol.md has the methods.",
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
	c.Flags().DurationVar(&lease, "lease", server.DefaultLease, "how `long` a process that shares the storage folder is taken to live after it was last heard of")
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
		Connected:    func() { renewProgram(p.env, log) },
		Desktop:      ownDesktop{},
		Lease:        lease,
		NewID:        newID,
	})
}
