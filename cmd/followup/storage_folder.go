package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"followup/internal/person"
	"followup/internal/store"
)

// storageVariable names the folder, or the database, that everything is kept in.
const storageVariable = "FOLLOWUP_STORAGE"

const storageHelp = `Storage: the folder named by --storage or FOLLOWUP_STORAGE. The default is the folder that all editors and
agents of a user share: ~/.local/share/followup on Linux (or $XDG_DATA_HOME/followup), ~/Library/Application
Support/Followup on macOS, %LocalAppData%\Followup on Windows. A PostgreSQL database can take its place:
postgres://USER@HOST/NAME or service=NAME, with the password in ~/.pgpass, a service file or PGPASSWORD.`

// storageFlag adds --storage to a subcommand's flags.
func storageFlag(flags *pflag.FlagSet, folder *string, env func(string) string) {
	flags.StringVar(folder, "storage", env(storageVariable), "use the storage in `DIR`, or in a PostgreSQL database")
	_ = cobra.MarkFlagDirname(flags, "storage") // the flag is there
}

// storageFolder is the folder that was named, or else the person's.
func storageFolder(named string, env func(string) string) (string, error) {
	return orPerson(named, person.Machine{Env: env}.Folder)
}

// writtenStorageFolder is storageFolder for those who write there.
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

// absolute resolves a folder's name against the working directory. The address of a database stays as it is, and so does what is
// neither: opening it tells.
func absolute(place string) (string, error) {
	if store.IsDatabase(place) || store.CheckPlace(place) != nil {
		return place, nil //nolint:nilerr // see above
	}
	return filepath.Abs(place)
}

// noHistory tells that a folder holds none.
type noHistory struct{ folder string }

func (e noHistory) Error() string {
	return fmt.Sprintf("there is no history in %s; name the folder with --storage or %s", e.folder, storageVariable)
}

func (noHistory) Is(target error) bool { return target == fs.ErrNotExist }

// openHistory opens the history in a folder, or in the usual one, for reading alone.
func openHistory(ctx context.Context, named string, env func(string) string) (store.Reader, error) {
	folder, err := storageFolder(named, env)
	if err != nil {
		return nil, err
	}
	opened, err := openReader(ctx, folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noHistory{folder}
	case err != nil:
		return nil, fmt.Errorf("the history in %s cannot be read: %w", store.Redacted(folder), advised(folder, err))
	}
	return opened, nil
}

// openStorage opens the store in a folder, or in the usual one; a new one is begun where there is none.
func openStorage(ctx context.Context, named string, env func(string) string) (store.Store, error) {
	folder, err := writtenStorageFolder(named, env)
	if err != nil {
		return nil, err
	}
	opened, report, err := openEngine(ctx, folder, store.Options{})
	if err != nil {
		return nil, notOpened(folder, err)
	}
	if report.SetAside != "" {
		return nil, errors.Join(
			fmt.Errorf("the store in %s could not be used (%w); the file was kept as %s, and what can be read of it is kept; run the command again",
				folder, report.Damage, report.SetAside),
			opened.Close())
	}
	return opened, nil
}

// notOpened tells that a store cannot be opened, why, and what to do.
func notOpened(place string, err error) error {
	return fmt.Errorf("the history in %s cannot be opened: %w", store.Redacted(place), advised(place, err))
}

// whyNotOpened opens a store that a keeper could not open, to say why; nil if it can be opened now.
func whyNotOpened(ctx context.Context, place string) error {
	opened, _, err := openEngine(ctx, place, store.Options{})
	if err != nil {
		return notOpened(place, err)
	}
	return opened.Close()
}

// What a user can do about a storage.
const (
	another  = "or name another folder with --storage or " + storageVariable
	tryLater = "try again when no other program is using it, " + another
)

// advised adds what the user can do to an error of opening a store in a folder.
func advised(place string, err error) error {
	advice := ""
	switch {
	case store.IsDatabase(place): // its errors say it
	case errors.Is(err, store.ErrNewer):
		advice = "update this program"
	case errors.Is(err, store.ErrDamaged):
		advice = "an editor with Followup or 'followup answer' sets the damaged file aside and keeps what can be read of it"
	case errors.Is(err, syscall.ENOTDIR):
		advice = "it is a file: name a folder with --storage or " + storageVariable
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		advice = "make the folder writable, " + another
	case errors.Is(err, syscall.ENOSPC):
		advice = "free some space, " + another
	case errors.Is(err, store.ErrUnavailable):
		advice = tryLater
	}
	if advice == "" {
		return err
	}
	return fmt.Errorf("%w; %s", err, advice)
}
