// Package connect makes coding agents use Followup: it finds those on the machine, writes what they are to be told into their
// configuration, shows and takes back what it wrote, and keeps the program at a path that stays. What is not Followup's in a user's file
// stays as it is, byte for byte.
package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"followup/internal/locale"
)

// State is how far an agent is connected.
type State string

// The states of an agent.
const (
	None      State = "none"      // nothing of Followup's is there
	Partly    State = "partly"    // something is missing, or is another version's
	Connected State = "connected" // everything is there
	Foreign   State = "foreign"   // an entry of the same name is the user's
	Broken    State = "broken"    // a file cannot be read
)

// Status is what is known of an agent.
type Status struct {
	Agent
	// Found tells whether it is on this machine.
	Found bool
	State State
	// Files are those that are Followup's in part, or would be.
	Files []string
	// Err is why the state is Foreign or Broken: a *FileError.
	Err error
}

// FileError is what is wrong with a file. The file was left as it was.
type FileError struct {
	Name string
	Err  error
}

func (e *FileError) Error() string { return e.Name + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// ForeignError tells of an entry that has the name of Followup's and is the user's.
type ForeignError struct{ At string }

func (e *ForeignError) Error() string { return e.At + " is not Followup's" }

// Look tells of an agent; it changes nothing.
func (m Machine) Look(a Agent) Status {
	s := Status{Agent: a, Found: m.found(a), State: None}
	there, missing := 0, 0
	for _, p := range m.partsOf(a) {
		s.Files = append(s.Files, p.name)
		f, err := readFile(p.name)
		var d *document
		if err == nil {
			d, err = newDocument(p.format, f.text)
		}
		if err != nil {
			s.State, s.Err = Broken, &FileError{p.name, err}
			return s
		}
		for _, each := range p.pieces {
			switch stands, err := m.stands(d, each); {
			case err != nil:
				s.State, s.Err = Foreign, &FileError{p.name, err}
				var shape *ShapeError
				if errors.As(err, &shape) {
					s.State = Broken
				}
				return s
			case each.kind == listed || each.kind == setting || each.kind == unwanted: // a user may do without
			case stands == absent:
				missing++
			case stands == old:
				there++
				missing++
			default:
				there++
			}
		}
	}
	switch {
	case there > 0 && missing == 0 && m.installed():
		s.State = Connected
	case there > 0:
		s.State = Partly
	}
	return s
}

// installed tells whether what agents are told of is there.
func (m Machine) installed() bool {
	names := []string{m.Program()}
	for _, id := range plugins() {
		names = append(names, m.plugin(id))
	}
	for _, name := range names {
		if _, err := os.Stat(name); err != nil {
			return false
		}
	}
	return true
}

// Change is what becomes of a file.
type Change struct {
	// Name is the file's, as the agent names it; links are followed.
	Name string
	// Before and After are its texts.
	Before, After []byte
	// Created and Removed tell that it is not there before, or after.
	Created, Removed bool
	// Backup is where it is kept as it was; empty: nowhere.
	Backup string
	// Beyond are the settings that connecting adds besides Followup's own entry.
	Beyond []Setting

	file     file
	record   fileRecord
	backedUp bool // just now
}

// Setting is one that connecting adds for Followup.
type Setting struct {
	// At is its place in the file.
	At string
	// Value is what it is set to; of a hook, what that runs.
	Value string
	// Why says what it is for.
	Why locale.Key
}

// backupSuffix ends the name of a file's backup, which stands beside it.
const backupSuffix = ".before-followup"

// Plan tells what connecting an agent would change. With replace, the user's own entries of the same name give way. An error is a
// *FileError; then nothing is to be changed.
func (m Machine) Plan(a Agent, replace bool) ([]Change, error) {
	known := m.record(a)
	var changes []Change
	for _, p := range m.partsOf(a) {
		c, err := m.plan(p, known.file(p.name), replace)
		if err != nil {
			return nil, &FileError{p.name, err}
		}
		if c != nil {
			changes = append(changes, *c)
		}
	}
	return changes, nil
}

func (m Machine) plan(p part, known *fileRecord, replace bool) (*Change, error) {
	f, err := readFile(p.name)
	if err != nil {
		return nil, err
	}
	d, err := newDocument(p.format, f.text)
	if err != nil {
		return nil, err
	}
	record := fileRecord{Name: p.name, Existed: f.exists, Before: sum(f.text)}
	if known != nil && known.Before != record.Before { // else whoever connected it was killed before this file's turn
		record = *known
		if known.After != sum(f.text) { // the bytes from before are not to be had any more without what the user did since
			record.Before = ""
		}
	}
	var beyond []Setting
	for _, each := range p.pieces {
		if each.kind == setting && each.at[0] == "env" && m.Env(fmt.Sprint(each.at[1])) != "" {
			continue // the user has set it in the environment, which the file would override
		}
		at, there, err := m.locate(d, each)
		var foreign *ForeignError
		if errors.As(err, &foreign) && replace {
			user, _ := d.get(each.at)
			record.Replaced = append(record.Replaced, addition{each.at, user})
			if err = d.take(each.at); err == nil {
				at, there, err = m.locate(d, each)
			}
		}
		if err != nil {
			return nil, err
		}
		switch {
		case each.kind == unwanted:
			if there {
				err = errors.Join(m.takeElement(d, at, each.value), d.takeEmpty(record.Made))
			}
		case !there:
			err = d.put(at, each.value)
			if each.kind == listed || each.kind == setting {
				record.Added = append(record.Added, addition{each.at, plain(each.value)})
			}
			if each.why != "" {
				beyond = append(beyond, Setting{each.at.String(), m.shown(each.value), each.why})
			}
		case each.kind == entry || each.kind == element:
			before := d.text
			err = m.fill(d, at, each.value)
			if each.why == connectForApprovals && !bytes.Equal(before, d.text) {
				beyond = append(beyond, Setting{each.at.String(), m.shown(each.value), each.why})
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if bytes.Equal(d.text, f.text) && f.exists {
		return nil, nil
	}
	record.Made = append(record.Made, d.made...)
	record.After = sum(d.text)
	before := f.text
	if record.Before != sum(before) { // it was connected before
		before, _ = os.ReadFile(f.target + backupSuffix)
	}
	record.Patch = ""
	if patch := diff.Diff("before", before, "after", d.text); record.Before == sum(before) && utf8.Valid(patch) {
		record.Patch = string(patch)
	}
	if _, err := os.Stat(filepath.Dir(f.target)); errors.Is(err, fs.ErrNotExist) {
		record.Folder = filepath.Dir(f.target)
	}
	c := &Change{Name: p.name, Before: f.text, After: d.text, Created: !f.exists, Beyond: beyond, file: f, record: record}
	if f.exists && record.Existed { // what Followup made needs no backup
		c.Backup = f.target + backupSuffix
	}
	return c, nil
}

// shown returns a value as people read it: of a hook, the command that runs Followup.
func (m Machine) shown(value any) string {
	switch value := value.(type) {
	case object:
		for _, field := range value {
			if shown := m.shown(field.value); m.names(shown) {
				return shown
			}
		}
	case []any:
		for _, each := range value {
			if shown := m.shown(each); m.names(shown) {
				return shown
			}
		}
	}
	return fmt.Sprint(value)
}

// Apply makes changes: all of them, or none where one fails.
func (m Machine) Apply(a Agent, changes []Change) error {
	before, after := m.record(a), m.record(a)
	for _, c := range changes {
		after.keep(c.record)
	}
	if err := m.keep(a, after); err != nil { // first, so that it can be taken back also where this process is killed
		return err
	}
	for i := range changes {
		c := &changes[i]
		err := c.apply(before.file(c.Name) != nil)
		if err == nil {
			continue
		}
		err = &FileError{c.Name, err}
		for _, done := range slices.Backward(changes[:i]) {
			err = errors.Join(err, done.undo())
		}
		if c.backedUp {
			_ = os.Remove(c.Backup)
		}
		return errors.Join(err, m.keep(a, before))
	}
	return nil
}

func (c *Change) apply(connected bool) error {
	if c.Backup != "" {
		if _, err := os.Stat(c.Backup); !connected || errors.Is(err, fs.ErrNotExist) { // else it is there from before the first change
			if err := replace(c.Backup, c.Before, c.file.mode, nil); err != nil {
				return err
			}
			c.backedUp = true
		}
	}
	return c.file.write(c.After)
}

// undo is for a change whose sibling failed.
func (c Change) undo() error {
	f, err := readFile(c.Name)
	if err == nil && !bytes.Equal(f.text, c.After) {
		err = errChanged
	}
	switch {
	case err != nil:
		return &FileError{c.Name, err}
	case c.Created:
		return f.remove()
	case c.backedUp:
		_ = os.Remove(c.Backup)
	}
	return f.write(c.Before)
}
