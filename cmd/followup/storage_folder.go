package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// storageVariable names the folder that history and import work on.
const storageVariable = "FOLLOWUP_STORAGE"

const storageHelp = `The history stands in the folder that --storage names, or else the variable FOLLOWUP_STORAGE, or else where
Visual Studio Code keeps it: Code/User/globalStorage/followup.followup in the user's configuration folder
(~/.config on Linux, ~/Library/Application Support on macOS, %AppData% on Windows). It may be in use by windows.`

// storageFlag adds --storage to a subcommand's flags.
func storageFlag(flags *pflag.FlagSet, folder *string, env func(string) string) {
	flags.StringVar(folder, "storage", env(storageVariable), "the `folder` that the history stands in")
	_ = cobra.MarkFlagDirname(flags, "storage") // the flag is there
}

// usualStorage is where the extension's global storage is in Visual Studio Code.
func usualStorage() (string, error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no configuration folder to look in (%w); name the folder with --storage", err)
	}
	return filepath.Join(config, "Code", "User", "globalStorage", "followup.followup"), nil
}

// storageFolder is the folder that was named, or else the usual one.
func storageFolder(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	return usualStorage()
}

// noHistory tells that a folder holds none.
type noHistory struct{ folder string }

func (e noHistory) Error() string {
	return fmt.Sprintf("there is no history in %s; name the folder with --storage or %s", e.folder, storageVariable)
}

func (noHistory) Is(target error) bool { return target == fs.ErrNotExist }

// openHistory opens the history in a folder, or in the usual one, for reading alone.
func openHistory(ctx context.Context, folder string) (store.Reader, error) {
	folder, err := storageFolder(folder)
	if err != nil {
		return nil, err
	}
	opened, err := sqlite.OpenReading(ctx, folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noHistory{folder}
	case err != nil:
		return nil, fmt.Errorf("the history in %s cannot be read: %w", folder, err)
	}
	return opened, nil
}

// openStorage opens the store in a folder, or in the usual one; a new one is begun where there is none.
func openStorage(ctx context.Context, folder string) (store.Store, error) {
	folder, err := storageFolder(folder)
	if err != nil {
		return nil, err
	}
	opened, report, err := sqlite.Open(ctx, folder, store.Options{Owner: uuid.NewString()})
	if err != nil {
		return nil, fmt.Errorf("the history in %s cannot be opened: %w", folder, err)
	}
	if report.SetAside != "" {
		return nil, errors.Join(
			fmt.Errorf("the history in %s was damaged (%w); the damaged file was kept as %s", folder, report.Damage, report.SetAside),
			opened.Close())
	}
	return opened, nil
}
