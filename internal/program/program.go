// Package program installs the program at a path that never changes: agents' configurations name it, and keepers run from it, while an update
// removes an extension's own program.
package program

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
	"golang.org/x/mod/semver"

	"followup/internal/atomicfile"
)

// plugin is for opencode and Kilo Code.
//
//go:embed plugin.mjs
var plugin []byte

// Place is where a person's programs are installed.
type Place struct {
	// OS is a GOOS. Empty means this one.
	OS string
	// Person is the folder of internal/person.
	Person string
}

// Windows reports whether the place is on Windows.
func (p Place) Windows() bool {
	return p.OS == "windows" || p.OS == "" && runtime.GOOS == "windows"
}

// Program returns the path at which agents start Followup. It is the same for all versions.
func (p Place) Program() string {
	name := "followup"
	if p.Windows() {
		name += ".exe"
	}
	return filepath.Join(p.Person, "bin", name)
}

// Pluggable are the agents that have a plugin. It is one file, which finds the program beside itself and the agent in its own name.
var Pluggable = []string{"opencode", "kilo"}

// Approving ends the names of plugins that bring requests for permission into the inbox, too.
const Approving = "-approvals"

// Plugins returns the names of the plugin.
func Plugins() (names []string) {
	for _, id := range Pluggable {
		names = append(names, id, id+Approving)
	}
	return names
}

// Plugin returns the path of a plugin.
func (p Place) Plugin(name string) string { return filepath.Join(p.Person, "bin", name+".js") }

// HasPlugin reports whether a plugin is there, as this build has it.
func (p Place) HasPlugin(name string) bool {
	have, err := os.ReadFile(p.Plugin(name))
	return err == nil && bytes.Equal(have, plugin)
}

// Complete reports whether the program and its plugins are there, of whatever build.
func (p Place) Complete() bool {
	_, err := os.Stat(p.Program())
	for _, name := range Plugins() {
		_, missing := os.Stat(p.Plugin(name))
		err = errors.Join(err, missing)
	}
	return err == nil
}

// Build identifies a build of the program.
type Build struct {
	// Version is a semantic version, or "dev".
	Version string `json:"version"`
	// Time is that of its commit. Zero means unknown.
	Time time.Time `json:"time,omitzero"`
}

// compare returns a negative number if b is older than other. If a build has no version, the times decide.
func (b Build) compare(other Build) int {
	if ours, theirs := "v"+b.Version, "v"+other.Version; semver.IsValid(ours) && semver.IsValid(theirs) {
		if order := semver.Compare(ours, theirs); order != 0 {
			return order
		}
	}
	return b.Time.Compare(other.Time)
}

// installation describes the program in bin. It is written after the program.
type installation struct {
	Build
	Size int64  `json:"size"`
	Hash string `json:"hash"`
}

// Newer reports whether b is newer than another build.
func (b Build) Newer(than Build) bool { return b.compare(than) > 0 }

func (p Place) installationName() string { return filepath.Join(p.Person, "bin", "followup.json") }

// Installed returns the build of the program at its path. It reports false if there is none.
func (p Place) Installed() (Build, bool) {
	found, ok := p.installation()
	return found.Build, ok
}

func (p Place) installation() (found installation, ok bool) {
	info, err := os.Stat(p.Program())
	if err != nil || !info.Mode().IsRegular() {
		return found, false
	}
	text, err := os.ReadFile(p.installationName())
	if err != nil || json.Unmarshal(text, &found) != nil || found.Size != info.Size() {
		return installation{}, true // unknown, and so older than any other
	}
	return found, true
}

// Install copies a program and its plugins to the paths that agents have, unless a newer build is there. It returns the build that is there
// then.
func (p Place) Install(from string, build Build) (Build, error) {
	is := build
	_, err := p.installWhere(from, build, func(there installation, ok bool) bool {
		if ok && build.compare(there.Build) < 0 && p.Complete() {
			is = there.Build
			return false
		}
		return true
	})
	if err != nil {
		return Build{}, fmt.Errorf("%s cannot be installed: %w", p.Program(), err)
	}
	return is, nil
}

// abandoned is the age at which a temporary file was left by a process that died.
const abandoned = 10 * time.Minute

// Renew is Install for every start: it installs only if the program is missing, unknown or older, and otherwise reads no program.
func (p Place) Renew(from string, build Build) (renewed bool, err error) {
	return p.installWhere(from, build, func(there installation, ok bool) bool {
		return !ok || there.Hash == "" || build.Newer(there.Build)
	})
}

// installWhere installs if wanted says so. It asks again under the lock, because a program that is being replaced looks like an unknown one.
func (p Place) installWhere(from string, build Build, wanted func(there installation, ok bool) bool) (installed bool, err error) {
	if !wanted(p.installation()) {
		return false, nil
	}
	folder := filepath.Dir(p.Program())
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return false, err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(folder, "install.lock")).Lock()
	if err != nil {
		return false, err
	}
	defer unlock()
	there, ok := p.installation()
	if !wanted(there, ok) {
		return false, nil
	}
	return true, p.install(from, build, there)
}

func (p Place) install(from string, build Build, there installation) error {
	left, _ := filepath.Glob(p.Program() + ".*" + atomicfile.Suffix)
	for _, name := range left { // by a process that was killed
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(name)
		}
	}
	source, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	hash := sha256.Sum256(source)
	now := installation{build, int64(len(source)), hex.EncodeToString(hash[:])}
	if there.Hash != now.Hash {
		if err := p.replaceProgram(source); err != nil {
			return err
		}
	}
	for _, id := range Plugins() {
		if p.HasPlugin(id) {
			continue
		}
		if err := atomicfile.Write(p.Plugin(id), plugin, 0o600, nil); err != nil {
			return err
		}
	}
	text, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return atomicfile.Write(p.installationName(), append(text, '\n'), 0o600, nil)
}

// replaceProgram replaces the program atomically. Windows does not replace a running program, but renames it.
func (p Place) replaceProgram(source []byte) error {
	name := p.Program()
	if !p.Windows() {
		return atomicfile.Write(name, source, 0o755, nil)
	}
	aside, err := filepath.Glob(name + ".old-*")
	if err != nil {
		return err
	}
	for _, old := range aside {
		_ = os.Remove(old) // fails for those that still run
	}
	old := fmt.Sprintf("%s.old-%d", name, time.Now().UnixNano())
	renamed := os.Rename(name, old)
	if renamed != nil && !errors.Is(renamed, fs.ErrNotExist) {
		return renamed
	}
	if err := atomicfile.Write(name, source, 0o755, nil); err != nil {
		if renamed == nil {
			err = errors.Join(err, os.Rename(old, name))
		}
		return err
	}
	_ = os.Remove(old)
	return nil
}

// Files returns the paths of what Install and Renew have written, whether it exists or not.
func (p Place) Files() (names []string) {
	folder := filepath.Dir(p.Program())
	names = []string{p.Program(), p.installationName(), filepath.Join(folder, "install.lock")}
	for _, id := range Plugins() {
		names = append(names, p.Plugin(id))
	}
	for _, name := range names {
		left, _ := filepath.Glob(name + ".*" + atomicfile.Suffix) // by a process that was killed
		names = append(names, left...)
	}
	aside, _ := filepath.Glob(p.Program() + ".old-*")
	return append(names, aside...)
}
