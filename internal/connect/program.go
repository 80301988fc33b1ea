package connect

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
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
	"golang.org/x/mod/semver"
)

// plugin is for opencode and Kilo Code.
//
//go:embed plugin.mjs
var plugin []byte

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

func (m Machine) installationName() string { return filepath.Join(m.Person, "bin", "followup.json") }

// Installed returns the build of the program at its path. It reports false if there is none.
func (m Machine) Installed() (Build, bool) {
	found, ok := m.installation()
	return found.Build, ok
}

func (m Machine) installation() (found installation, ok bool) {
	info, err := os.Stat(m.Program())
	if err != nil || !info.Mode().IsRegular() {
		return found, false
	}
	text, err := os.ReadFile(m.installationName())
	if err != nil || json.Unmarshal(text, &found) != nil || found.Size != info.Size() {
		return installation{}, true // unknown, and so older than any other
	}
	return found, true
}

// Install copies a program and its plugins to the paths that agents have, unless a newer build is there. It returns the build that is there
// then.
func (m Machine) Install(from string, build Build) (Build, error) {
	is := build
	_, err := m.installWhere(from, build, func(there installation, ok bool) bool {
		if ok && build.compare(there.Build) < 0 && m.installed() {
			is = there.Build
			return false
		}
		return true
	})
	if err != nil {
		return Build{}, fmt.Errorf("%s cannot be installed: %w", m.Program(), err)
	}
	return is, nil
}

// abandoned is the age at which a temporary file was left by a process that died.
const abandoned = 10 * time.Minute

// Renew is Install for every start: it installs only if the program is missing, unknown or older, and otherwise reads no program.
func (m Machine) Renew(from string, build Build) (renewed bool, err error) {
	return m.installWhere(from, build, func(there installation, ok bool) bool {
		return !ok || there.Hash == "" || build.Newer(there.Build)
	})
}

// installWhere installs if wanted says so. It asks again under the lock, because a program that is being replaced looks like an unknown one.
func (m Machine) installWhere(from string, build Build, wanted func(there installation, ok bool) bool) (installed bool, err error) {
	if !wanted(m.installation()) {
		return false, nil
	}
	folder := filepath.Dir(m.Program())
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return false, err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(folder, "install.lock")).Lock()
	if err != nil {
		return false, err
	}
	defer unlock()
	there, ok := m.installation()
	if !wanted(there, ok) {
		return false, nil
	}
	return true, m.install(from, build, there)
}

func (m Machine) install(from string, build Build, there installation) error {
	left, _ := filepath.Glob(m.Program() + ".*" + temporarySuffix)
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
		if err := m.replaceProgram(source); err != nil {
			return err
		}
	}
	for _, id := range plugins() {
		if m.hasPlugin(id) {
			continue
		}
		if err := replace(m.plugin(id), plugin, 0o600, nil); err != nil {
			return err
		}
	}
	text, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return replace(m.installationName(), append(text, '\n'), 0o600, nil)
}

func (m Machine) hasPlugin(agent string) bool {
	have, err := os.ReadFile(m.plugin(agent))
	return err == nil && bytes.Equal(have, plugin)
}

// replaceProgram replaces the program atomically. Windows does not replace a running program, but renames it.
func (m Machine) replaceProgram(source []byte) error {
	name := m.Program()
	if !m.windows() {
		return replace(name, source, 0o755, nil)
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
	if err := replace(name, source, 0o755, nil); err != nil {
		if renamed == nil {
			err = errors.Join(err, os.Rename(old, name))
		}
		return err
	}
	_ = os.Remove(old)
	return nil
}
