package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"followup/internal/person"
	"followup/internal/reach"
	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// storageVariable names the folder or the database of the inbox.
const storageVariable = "FOLLOWUP_STORAGE"

// storageFlag adds --storage to a subcommand's flags.
func storageFlag(flags *pflag.FlagSet, folder *string, env func(string) string) {
	flags.StringVar(folder, "storage", env(storageVariable), "keep questions and answers in `DIR`, or in a PostgreSQL database (default: "+storageVariable+
		", or else the user's folder)")
	flags.Lookup("storage").DefValue = ""
	_ = cobra.MarkFlagDirname(flags, "storage") // the flag exists
	explainedIn(topicStorage, flags, "storage")
}

// storageFolder returns the named folder, otherwise the person's.
func storageFolder(named string, env func(string) string) (string, error) {
	return orPerson(named, person.Machine{Env: env}.Folder)
}

// noFolder is the error for a folder that was named and does not exist.
type noFolder string

func (f noFolder) Error() string {
	return fmt.Sprintf("there is no folder %s; check --storage and %s", string(f), storageVariable)
}

// readStorageFolder is storageFolder for commands that only read: a folder that was named and does not exist is a noFolder error,
// since its name is probably a typo.
func readStorageFolder(named string, env func(string) string) (string, error) {
	folder, err := storageFolder(named, env)
	if err != nil || named == "" || store.IsDatabase(folder) {
		return folder, err
	}
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return "", noFolder(folder)
	}
	return folder, nil
}

// writtenStorageFolder is storageFolder for commands that write there.
func writtenStorageFolder(named string, env func(string) string) (string, error) {
	return orPerson(named, person.Machine{Env: env}.Settle)
}

func orPerson(named string, folder func() (string, error)) (string, error) {
	if named != "" {
		return absolute(named)
	}
	found, err := folder()
	if err != nil {
		return "", fmt.Errorf("%w; name a folder with --storage", err)
	}
	return found, nil
}

// absolute resolves a folder's name against the working directory. Addresses of databases are returned as they are, and other
// addresses are an error.
func absolute(place string) (string, error) {
	if err := store.CheckPlace(place); err != nil {
		return "", usageError{error: err}
	}
	if store.IsDatabase(place) {
		return place, nil
	}
	return filepath.Abs(place)
}

// missing is the error for a folder without a keeper.
type missing string

func (m missing) Error() string { return string(m) }

func (missing) Is(target error) bool { return target == fs.ErrNotExist }

// openStorage opens the store in the named or the default folder, and creates it if it does not exist.
func openStorage(ctx context.Context, named string, env func(string) string) (store.Store, error) {
	folder, err := writtenStorageFolder(named, env)
	if err != nil {
		return nil, err
	}
	opened, report, err := openEngine(ctx, folder, store.Options{})
	if err != nil {
		return nil, fmt.Errorf("the store in %s cannot be opened: %w", store.Redacted(folder), err)
	}
	if report.SetAside != "" {
		return nil, errors.Join(
			fmt.Errorf("the store in %s could not be used (%w): the file was moved to %s, and its readable rows are restored; run the command again",
				folder, report.Damage, report.SetAside),
			opened.Close())
	}
	return opened, nil
}

// isStored reports whether a place has a store, a process that keeps it, or something that would make opening a store fail.
func isStored(ctx context.Context, place string, env func(string) string) bool {
	return reach.IsKept(place, env) || storeExists(ctx, place)
}

// storeExists reports whether a place has a store, or something that would make opening one fail.
func storeExists(ctx context.Context, place string) bool {
	if !store.IsDatabase(place) {
		there, err := sqlite.Exists(place)
		return there || err != nil || store.CheckPlace(place) != nil
	}
	there, err := databaseExists(ctx, place)
	return there || err != nil
}
