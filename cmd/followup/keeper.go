package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/keeper"
)

// lingerVariable sets how long a keeper stays after its last client.
const lingerVariable = "FOLLOWUP_KEEPER_LINGER"

// keeperCommand is "followup keeper".
func keeperCommand(p process) *cobra.Command {
	var asJSON bool
	var storage string
	c := &cobra.Command{
		Use:   "keeper",
		Short: "Show, stop or restart the process that keeps the inbox",
		Long: "Show the process that keeps the inbox. It starts with the first editor, agent or command that needs it, and ends a minute\n" +
			"after the last one.\n\n" +
			"Exit status: 0 done, 1 no process keeps the inbox, or it does not respond, 2 wrong usage.",
		Example: "  followup keeper\n  followup keeper restart",
		Args:    noArguments,
		RunE:    interruptible(func(ctx context.Context, _ []string) error { return showKeeper(ctx, p, storage, asJSON) }),
	}
	storageFlag(c.PersistentFlags(), &storage, p.env)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.AddCommand(
		&cobra.Command{
			Use: "stop", Short: "Stop the process that keeps the inbox", Example: "  followup keeper stop", Args: noArguments,
			Long: "Stop the process after its pending writes. The next editor, agent or command starts another one.\n" +
				"A process that does not respond for 10 s is killed.",
			RunE: interruptible(func(ctx context.Context, _ []string) error { return stopKeeper(ctx, p, storage) }),
		},
		&cobra.Command{
			Use: "restart", Short: "Stop the process that keeps the inbox, and start another one", Example: "  followup keeper restart", Args: noArguments,
			Long: "Stop the process as \"followup keeper stop\" does, and start a new one. Questions stay open, and clients reconnect.",
			RunE: interruptible(func(ctx context.Context, _ []string) error {
				if err := stopKeeper(ctx, p, storage); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
				return startKeeper(ctx, p, storage)
			}),
		},
		keeperRunCommand(p, &storage),
	)
	return c
}

// keeperRunCommand is the hidden command with which clients start a keeper.
func keeperRunCommand(p process, storage *string) *cobra.Command {
	var folder string
	c := &cobra.Command{
		Use: "run", Short: "Keep the inbox", Args: noArguments, Hidden: true,
		RunE: func(*cobra.Command, []string) error { return runKeeper(p, *storage, folder) },
	}
	c.Flags().StringVar(&folder, "folder", "", "keep the lock, socket and log in `DIR`")
	return c
}

// runKeeper keeps a place. It writes to standard output whether it has started, for the client that started it.
func runKeeper(p process, storage, folder string) error {
	report := func(line string) {
		_, _ = fmt.Fprintln(p.stdout, line)
		if file, ok := p.stdout.(*os.File); ok {
			_ = file.Close()
		}
	}
	linger := keeper.DefaultLinger
	if set, err := time.ParseDuration(p.env(lingerVariable)); err == nil {
		linger = set
	}
	to, err := keeper.OpenLog(folder)
	if err != nil {
		report(err.Error())
		return err
	}
	log := jsonLog(to, zap.InfoLevel)
	ctx, stop := untilSignal(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = keeper.Serve(ctx, keeper.Options{
		Folder: folder, Storage: storage, Build: thisBuild(), Log: log, Linger: linger, Server: hostOptions(p.env, log), Ready: func() { report("ready") },
	})
	switch {
	case errors.Is(err, keeper.ErrHeld):
		report(err.Error())
		return nil
	case err != nil:
		log.Error("the inbox cannot be kept", zap.Error(err))
		report(err.Error())
	}
	return err
}

// namedKeeper returns the client for the keeper of a named storage.
func namedKeeper(p process, named string) (keeper.Client, error) {
	folder, err := readStorageFolder(named, p.env)
	if err != nil {
		return keeper.Client{}, err
	}
	return p.reach(zap.NewNop()).Keeper(folder)
}

func showKeeper(ctx context.Context, p process, named string, asJSON bool) error {
	client, err := namedKeeper(p, named)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, keeper.Patience())
	defer cancel()
	info, err := client.Status(ctx)
	if err != nil {
		return explainKeeper(client.Folder, err)
	}
	if asJSON {
		return printJSON(p.stdout, info)
	}
	_, err = fmt.Fprintf(p.stdout, "process   %d\nversion   %s\nsince     %s\nclients   %d\nfolder    %s\n",
		info.PID, info.Version, info.Since.Local().Format(time.DateTime), info.Clients, info.Folder)
	return err
}

// stopKeeper stops the keeper, and kills it if it hangs.
func stopKeeper(ctx context.Context, p process, named string) error {
	client, err := namedKeeper(p, named)
	if err != nil {
		return err
	}
	return stopKeeperOf(ctx, client)
}

func stopKeeperOf(ctx context.Context, client keeper.Client) error {
	info, infoErr := keeper.ReadInfo(client.Folder)
	polite, cancel := context.WithTimeout(ctx, keeper.Patience())
	defer cancel()
	err := client.Stop(polite)
	if !errors.Is(err, keeper.ErrHangs) || ctx.Err() != nil || infoErr != nil {
		return explainKeeper(client.Folder, err)
	}
	stuck, err := os.FindProcess(info.PID)
	if err == nil {
		err = stuck.Kill()
	}
	if err != nil {
		return fmt.Errorf("the process %d keeps %s, does not respond, and cannot be killed: %w", info.PID, client.Folder, err)
	}
	ended, cancel := context.WithTimeout(ctx, keeper.Patience())
	defer cancel()
	return client.UntilEnded(ended, info.PID)
}

func startKeeper(ctx context.Context, p process, named string) error {
	client, err := namedKeeper(p, named)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*keeper.Patience())
	defer cancel()
	link, err := client.Connect(ctx)
	if err != nil {
		return err
	}
	link.CloseNow()
	return nil
}

// explainKeeper describes the problem with a folder's keeper.
func explainKeeper(folder string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missing("no process keeps " + folder)
	case errors.Is(err, keeper.ErrHangs):
		return fmt.Errorf("the process that keeps %s does not respond; to replace it, run: followup keeper restart", folder)
	}
	return err
}
