package connect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"followup/internal/locale"
)

// LinkState is what is at the place of the link by which terminals find the program.
type LinkState string

// The states of the link.
const (
	LinkAbsent  LinkState = "absent"
	LinkOurs    LinkState = "linked"  // it leads to the program
	LinkForeign LinkState = "foreign" // a file or a link of the user's
)

// Link is the link by which terminals find the program.
type Link struct {
	// Name is its path in the user's own folder of programs. It is empty on Windows, which has no such folder.
	Name  string
	State LinkState
	// OnPath reports whether its folder is on the PATH.
	OnPath bool
	// Other is the first other program of this name on the PATH, if any. The one that only an editor's terminals have does not count.
	Other string
}

// Offered reports whether connect offers to create the link: nothing is at its place, and terminals do not find the program yet.
func (l Link) Offered() bool { return l.Name != "" && l.State == LinkAbsent && l.Other == "" }

// unpacked matches the folder into which an editor's extension unpacks its program. An update removes it.
var unpacked = regexp.MustCompile(`^[0-9a-f]{16}$`)

// IsUnpacked reports whether a program is one that an editor's extension has unpacked for itself.
func IsUnpacked(program string) bool {
	return unpacked.MatchString(filepath.Base(filepath.Dir(program)))
}

// Link returns the state of the link. See https://specifications.freedesktop.org/basedir-spec for its folder.
func (m Machine) Link() Link {
	if m.Windows() {
		return Link{State: LinkAbsent}
	}
	folder := filepath.Join(m.Home, ".local", "bin")
	l := Link{Name: filepath.Join(folder, "followup"), State: LinkAbsent}
	if _, err := os.Lstat(l.Name); err == nil {
		l.State = LinkForeign
	}
	if to, err := os.Readlink(l.Name); err == nil && to == m.Program() {
		l.State = LinkOurs
	}
	for _, each := range filepath.SplitList(m.Env("PATH")) {
		if !filepath.IsAbs(each) {
			continue
		}
		if filepath.Clean(each) == folder || sameFile(each, folder) {
			l.OnPath = true
			continue
		}
		name := filepath.Join(each, "followup")
		info, err := os.Stat(name)
		if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && l.Other == "" && !IsUnpacked(name) {
			l.Other = name
		}
	}
	return l
}

const notLinked locale.Key = "{0} exists and is not Followup's link, so it was not changed."

// AddLink creates the link, and never replaces anything.
func (m Machine) AddLink() error {
	l := m.Link()
	if l.State == LinkAbsent {
		if err := os.MkdirAll(filepath.Dir(l.Name), 0o755); err != nil {
			return refusal(l.Name, err)
		}
		if err := os.Symlink(m.Program(), l.Name); err != nil && !errors.Is(err, fs.ErrExist) {
			return refusal(l.Name, err)
		}
		l = m.Link() // another process may have been faster
	}
	if l.State != LinkOurs {
		return locale.Refuse(notLinked, l.Name)
	}
	return nil
}

// RemoveLink removes the link if it leads to the program.
func (m Machine) RemoveLink() error {
	l := m.Link()
	if l.State != LinkOurs {
		return nil
	}
	return refusal(l.Name, os.Remove(l.Name))
}

// PathAdvice returns the line that puts the link's folder on the PATH of the user's shell, and the file it belongs in.
func (m Machine) PathAdvice() (line, file string) {
	const export = `export PATH="$HOME/.local/bin:$PATH"`
	switch shell := filepath.Base(m.Env("SHELL")); {
	case shell == "fish":
		return "fish_add_path ~/.local/bin", "~/.config/fish/config.fish"
	case strings.HasSuffix(shell, "zsh"):
		return export, "~/.zshrc"
	case shell == "bash":
		return export, "~/.bashrc"
	}
	return export, "~/.profile"
}
