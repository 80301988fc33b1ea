// Package person finds a person's one storage folder, which is the same in every process: an editor's, an agent's, a terminal's.
package person

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
)

// Machine has the inputs for finding the folder.
type Machine struct {
	// OS is a GOOS; if empty, this machine's.
	OS string
	// Env returns environment variables.
	Env func(name string) string
	// Home returns the user's home folder if the environment does not. If nil, the system is asked.
	Home func() (string, error)
}

// errNoHome is the error for a user without a home folder.
var errNoHome = errors.New("there is no home folder to store anything in")

// elsewhereName is a file in the default folder with the path of the folder in use.
const elsewhereName = "elsewhere"

// Folder returns the folder, which need not exist: ~/.local/share/followup, or ~/Library/Application Support/Followup on macOS, or
// %LocalAppData%\Followup on Windows. If XDG_DATA_HOME (https://specifications.freedesktop.org/basedir-spec) named another one at
// its first use, all processes use that one from then on, since many agents start processes without the variable.
func (m Machine) Folder() (string, error) {
	folder, _, err := m.find()
	return folder, err
}

// Settle is Folder for a process that will write there: if the folder is not the default, it records it for others.
func (m Machine) Settle() (string, error) {
	folder, word, err := m.find()
	if err != nil || word == "" {
		return folder, err
	}
	// Creating a link is atomic, and the first one wins. If it fails, processes without the variable use the default
	// folder; there is no better place for this record.
	_ = os.MkdirAll(filepath.Dir(word), 0o700)
	_ = os.Symlink(folder, word)
	folder, _, err = m.find()
	return folder, err
}

// Elsewhere returns the file in the default folder that names the folder in use, or "" if no such file exists.
func (m Machine) Elsewhere() string {
	home, err := m.HomeFolder()
	name := filepath.Join(home, ".local", "share", "followup", elsewhereName)
	if _, missing := os.Readlink(name); err != nil || missing != nil {
		return ""
	}
	return name
}

// find returns the folder, and the file that should record it if none does.
func (m Machine) find() (folder, word string, err error) {
	system := cmp.Or(m.OS, runtime.GOOS)
	if system == "windows" {
		if local := m.Env("LOCALAPPDATA"); filepath.IsAbs(local) {
			return filepath.Join(local, "Followup"), "", nil
		}
	}
	home, err := m.HomeFolder()
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
		return usual, "", nil // the default is in use
	}
	return filepath.Join(named, "followup"), word, nil
}

// dataHome returns the user's XDG_DATA_HOME, or an empty string. A snap replaces the variable, and keeps the user's in another one.
func (m Machine) dataHome() string {
	named := m.Env("XDG_DATA_HOME")
	if strings.Contains(named, "/snap/") {
		named = m.Env("XDG_DATA_HOME_VSCODE_SNAP_ORIG")
	}
	if !filepath.IsAbs(named) {
		return "" // the specification says to ignore relative paths
	}
	return filepath.Clean(named)
}

// HomeFolder returns the user's home folder from the environment or the system.
func (m Machine) HomeFolder() (string, error) {
	variable := "HOME"
	if cmp.Or(m.OS, runtime.GOOS) == "windows" {
		variable = "USERPROFILE"
	}
	home := m.Env(variable)
	if !filepath.IsAbs(home) {
		var err error
		if home, err = m.known(); err != nil {
			return "", fmt.Errorf("%w: %w", errNoHome, err)
		}
	}
	if !filepath.IsAbs(home) {
		return "", errNoHome
	}
	return filepath.Clean(home), nil
}

// known returns the home folder from the system.
func (m Machine) known() (string, error) {
	if m.Home != nil {
		return m.Home()
	}
	current, err := user.Current()
	if err != nil {
		return "", err
	}
	return current.HomeDir, nil
}
