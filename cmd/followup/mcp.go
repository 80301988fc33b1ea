package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/mcp"
	"followup/internal/rpc"
)

// mcpCommand is "followup mcp": the way in for agents that speak the Model Context Protocol.
func mcpCommand(p process) *cobra.Command {
	level := logLevel{Level: zap.WarnLevel}
	var at place
	var language, to string
	var limit time.Duration
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Ask for an agent that speaks the Model Context Protocol",
		Long: "Speaks the Model Context Protocol on standard input and output, for an agent that starts it: its tools put questions to the user,\n" +
			"in whichever editor or browser the inbox is open. It needs no editor that runs; a question stays until it is answered.\n" + hubHelp,
		Example: "  followup mcp\n  followup mcp --limit 24h",
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 0 {
				return wrongUsage("the limit must not be negative")
			}
			o := mcp.Options{Locale: locale.Match(language)}
			if c.Flags().Changed("limit") {
				o.Limit = &limit
			}
			return serveMCP(p, level, &at, to, o)
		},
	}
	logFlag(c, &level)
	c.Flags().DurationVar(&limit, "limit", 0, "after how `long` a call is answered though the user has not, by default well before the agent gives up; 0: never")
	placeFlags(c, &at, p.env)
	toFlag(c.Flags(), &to)
	localeFlag(c, c.Flags(), &language, "what agents are told", p.env)
	return c
}

// serveMCP runs a sidecar without an editor, and the agent's server beside it.
func serveMCP(p process, level logLevel, at *place, to string, o mcp.Options) error {
	log := newLog(p, level)
	defer func() { _ = log.Sync() }()
	hub, err := at.hub(o.Locale, log, to)
	if err != nil {
		return err
	}
	if hub != nil {
		o.Hub = &mcp.Hub{To: to, Machine: machine(log)}
	} else if o.StorageFolder, err = writtenStorageFolder(at.storage, p.env); err != nil { // a call tells it
		log.Error("nothing can be kept", zap.Error(err))
	}
	ctx, stop := notifyContext(context.Background(), ending...)
	defer stop()

	own := startOwnSidecar(p, log, &rpc.Router{}, hub)
	defer own.end()
	o.In, o.Out, o.Log, o.Version, o.Env = p.stdin, p.stdout, log, version(), p.env
	o.Sidecar = own.conn
	o.Parent = os.Getppid()
	o.Folder, err = os.Getwd()
	if err != nil {
		log.Warn("the working folder is not known", zap.Error(err))
	}
	err = mcp.Serve(ctx, o)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// machine is what this one is called: at a hub, agents of many machines ask.
func machine(log *zap.Logger) string {
	name, err := os.Hostname()
	if err != nil {
		log.Warn("the machine has no name", zap.Error(err))
	}
	return name
}
