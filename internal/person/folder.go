// Package person finds the one folder in which everything of a person's is kept, the same in every process: an editor's, an agent's,
// a terminal's.
package person

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
)

// Machine is what a folder is found by.
type Machine struct {
	// OS is a GOOS; empty: this one's.
	OS string
	// Env gives the variables of the environment.
	Env func(name string) string
	// Home gives the user's home folder where the environment does not; nil: what the system knows of the user.
	Home func() (string, error)
}

// ErrNoHome is that of a user without a home folder.
var ErrNoHome = errors.New("there is no home folder to keep anything in")

// elsewhereName is a file in the default folder that holds the path of the one in use.
const elsewhereName = "elsewhere"

// Folder is the folder, which need not be there: ~/.local/share/followup, or ~/Library/Application Support/Followup on macOS, or
// %LocalAppData%\Followup on Windows. Where XDG_DATA_HOME (https://specifications.freedesktop.org/basedir-spec) named another one when
// the folder was first used, it is that one for all processes from then on: many agents start theirs without the variable.
func (m Machine) Folder() (string, error) {
	folder, _, err := m.find()
	return folder, err
}

// Settle is Folder for a process that is going to write there: it leaves word for others where the folder is not the default.
func (m Machine) Settle() (string, error) {
	folder, word, err := m.find()
	if err != nil || word == "" {
		return folder, err
	}
	// A link is there whole or not at all, and the first one stays. Where none can be made, others do not find the folder without the
	// variable; there is no better place.
	_ = os.MkdirAll(filepath.Dir(word), 0o700)
	_ = os.Symlink(folder, word)
	folder, _, err = m.find()
	return folder, err
}

// find gives the folder, and the file that is to tell of it where none does.
func (m Machine) find() (folder, word string, err error) {
	system := m.OS
	if system == "" {
		system = runtime.GOOS
	}
	if system == "windows" {
		if local := m.Env("LOCALAPPDATA"); filepath.IsAbs(local) {
			return filepath.Join(local, "Followup"), "", nil
		}
	}
	home, err := m.home(system)
	if err != nil {
		return "", "", err
	}
	switch system {
	case "windows":
		return filepath.Join(home, "AppData", "Local", "Followup"), "", nil
	case "darwin", "ios":
		return filepath.Join(home, "Library", "Application Support", "Followup"), "", nil
	}
	usual := filepath.Join(home, ".local", "share", "followup")
	word = filepath.Join(usual, elsewhereName)
	if there, err := os.Readlink(word); err == nil && filepath.IsAbs(there) {
		return there, "", nil
	}
	named := m.dataHome()
	if named == "" || filepath.Join(named, "followup") == usual {
		return usual, "", nil
	}
	if _, err := os.Stat(filepath.Join(usual, "store.lock")); err == nil {
		return usual, "", nil // it is in use
	}
	return filepath.Join(named, "followup"), word, nil
}

// dataHome is the user's XDG_DATA_HOME; empty where there is none. In a snap, an editor's own is another one, and it remembers the
// user's.
func (m Machine) dataHome() string {
	named := m.Env("XDG_DATA_HOME")
	if strings.Contains(named, "/snap/") {
		named = m.Env("XDG_DATA_HOME_VSCODE_SNAP_ORIG")
	}
	if !filepath.IsAbs(named) {
		return "" // the specification has such paths ignored
	}
	return filepath.Clean(named)
}

// HomeFolder is the user's home folder, as the environment or the system knows it.
func (m Machine) HomeFolder() (string, error) {
	system := m.OS
	if system == "" {
		system = runtime.GOOS
	}
	return m.home(system)
}

func (m Machine) home(system string) (string, error) {
	variable := "HOME"
	if system == "windows" {
		variable = "USERPROFILE"
	}
	if home := m.Env(variable); filepath.IsAbs(home) {
		return filepath.Clean(home), nil
	}
	known := m.Home
	if known == nil {
		known = func() (string, error) {
			current, err := user.Current()
			if err != nil {
				return "", err
			}
			return current.HomeDir, nil
		}
	}
	home, err := known()
	switch {
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrNoHome, err)
	case !filepath.IsAbs(home):
		return "", ErrNoHome
	}
	return filepath.Clean(home), nil
}
