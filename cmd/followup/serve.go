package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/desktop"
	"followup/internal/protocol"
	"followup/internal/push"
	"followup/internal/reach"
	"followup/internal/relay"
)

// serveCommand is "followup serve": the sidecar.
func serveCommand(p process) *cobra.Command {
	level := logLevel{Level: zap.DebugLevel} // the editor filters its output channel
	var alone bool
	var notified notifying
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the sidecar of an editor",
		Long: "Speak JSON-RPC 2.0 on standard input and output, framed as in the Language Server Protocol, and log JSON lines on standard error. An\n" +
			"editor starts this command.\n\n" +
			"Exit status: 0 shut down, 1 the input ended without a shutdown, or failed, 2 wrong usage.",
		Example: "  followup serve --log-level warn",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			address, err := notified.address(p.env, "")
			switch {
			case err != nil && notified.isGiven():
				return err
			case err != nil: // a wrong variable must not disable the editor's inbox
				newLog(p, level).Error("could not notify the address", zap.Error(err))
				address = push.Address{}
			case alone && address.URL != "":
				return wrongUsage("--alone and --notify cannot be combined")
			}
			return serve(p, level, alone, address)
		},
	}
	logFlag(c, &level)
	notified.flags(c)
	c.Flags().BoolVar(&alone, "alone", false, "keep the inbox in this process, for a debugger; use a storage folder of its own")
	return c
}

// showOutside shows a desktop notification and plays a sound, on the machine of this process. It ignores a missing desktop.
func showOutside(log *zap.Logger, p relay.OutsideParams) {
	if p.Sound {
		if err := desktop.Chime(); err != nil {
			log.Debug("could not play a sound", zap.Error(err))
		}
	}
	if p.Show {
		if err := desktop.Notify(p.Title, p.Text); err != nil {
			log.Debug("could not show a desktop notification", zap.Error(err))
		}
	}
}

// errParentGone is the cause when the editor's process has exited.
var errParentGone = errors.New("the parent process has exited")

func serve(p process, level logLevel, alone bool, notified push.Address) error {
	log := newLog(p, level)
	ctx, end := context.WithCancelCause(context.Background())
	defer end(nil)
	relayed := reach.Relay{
		Reach: p.reach(log), Alone: alone,
		Outside: func(notice relay.OutsideParams) { showOutside(log, notice) },
		Greeted: func(hello *protocol.InitializeParams) {
			if hello.ProcessID > 0 {
				context.AfterFunc(ctx, watchParent(hello.ProcessID, func() { end(errParentGone) }))
			}
			hello.InitializationOptions.StorageFolder = editorStorage(p, log, hello.InitializationOptions)
			log.Info("connected", zap.String("client", hello.ClientInfo.Name), zap.String("clientVersion", hello.ClientInfo.Version),
				zap.String("locale", hello.InitializationOptions.Locale))
			if folder := hello.InitializationOptions.StorageFolder; notified.URL != "" && folder != "" {
				notified.Locale = hello.InitializationOptions.Locale
				context.AfterFunc(ctx, notifyWhile(p, log, folder, notified))
			}
		},
	}
	err := relayed.Serve(ctx, p.stdin, p.stdout)
	if err == nil {
		err = context.Cause(ctx)
	}
	switch {
	case errors.Is(err, relay.ErrExit):
		log.Warn(err.Error())
	case err != nil:
		log.Error("ending", zap.Error(err))
	default:
		log.Info("ending")
		return nil
	}
	return status(exitFailed)
}

// editorStorage returns where an editor's inbox is kept; empty if only in memory.
func editorStorage(p process, log *zap.Logger, o protocol.InitializationOptions) string {
	if o.StorageFolder != "" || o.EditorFolder == "" {
		return o.StorageFolder
	}
	folder, err := writtenStorageFolder(p.env(storageVariable), p.env)
	if err != nil {
		log.Warn("using the editor's own folder, where agents do not find the inbox", zap.Error(err))
		return o.EditorFolder
	}
	return folder
}
