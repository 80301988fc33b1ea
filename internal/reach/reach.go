// Package reach connects a process to the keeper of a storage, which it finds, starts or runs itself, or to a team's hub.
package reach

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"go.uber.org/zap"

	"followup/internal/keeper"
	"followup/internal/person"
	"followup/internal/program"
	"followup/internal/server"
	"followup/internal/store"
)

// Reach is how a process finds and starts keepers, and connects to hubs.
type Reach struct {
	Env func(string) string
	Log *zap.Logger
	// Program is the path of the program that is started as a keeper. If empty, this process keeps the inbox itself.
	Program string
	Build   program.Build
	// Installs reports whether the keeper of the person's folder runs the program at the path in agents'
	// configurations. That program is installed or updated first, since an update removes the extension's own program.
	Installs bool
	// Joins connects only to a keeper that runs, and starts none.
	Joins bool
	// Host are the options of a keeper in this process.
	Host server.Options
}

// Keeper returns the client of the keeper of a folder or a database.
func (r Reach) Keeper(place string) (keeper.Client, error) {
	folder, err := KeeperFolder(place, r.Env)
	return keeper.Client{Folder: folder, Build: r.Build, Log: r.Log, Commands: func(folder string) (commands [][]string) {
		for _, program := range r.keeperPrograms(folder) {
			commands = append(commands, []string{program, "keeper", "run", "--storage", place, "--folder", folder})
		}
		return commands
	}}, err
}

// keeperPrograms returns the programs that can keep a folder, best first.
func (r Reach) keeperPrograms(folder string) []string {
	own := []string{r.Program}
	person, err := person.Machine{Env: r.Env}.Folder()
	if err != nil || !r.Installs || folder != person && filepath.Dir(folder) != filepath.Join(person, databasesName) {
		return own
	}
	place := program.Place{Person: person}
	renewed, err := place.Renew(r.Program, r.Build)
	switch {
	case err != nil:
		r.Log.Warn("the keeper runs from the program of its client, since none can be installed", zap.String("program", r.Program), zap.Error(err))
		return own
	case renewed:
		r.Log.Info("the program is installed", zap.String("program", place.Program()))
	}
	return append([]string{place.Program()}, own...)
}

// databasesName is the folder, in the person's folder, with those of the keepers of databases.
const databasesName = "databases"

// KeeperFolder returns where a keeper has its lock, socket and log: the folder itself, or for a database a folder in the person's
// folder.
func KeeperFolder(place string, env func(string) string) (string, error) {
	if !store.IsDatabase(place) {
		return place, nil
	}
	own, err := person.Machine{Env: env}.Folder()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(place))
	return filepath.Join(own, databasesName, hex.EncodeToString(sum[:12])), nil
}

// IsKept reports whether a keeper runs for a place.
func IsKept(place string, env func(string) string) bool {
	folder, err := KeeperFolder(place, env)
	return err == nil && (keeper.Client{Folder: folder}).Running()
}
