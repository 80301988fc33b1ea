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
	for _, p := range a.parts(m) {
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
			case each.kind == listed || each.kind == setting: // a user may do without
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
	for _, id := range pluggable {
		names = append(names, m.plugin(id))
	}
	for _, name := range names {
		if _, err := os.Stat(name); err != nil {
			return false
		}
	}
	return true
}

// standing is how a piece stands in a file.
type standing int

const (
	absent standing = iota
	old             // it is there, and has to be changed
	current
)

// stands tells how a piece stands in a document.
func (m Machine) stands(d *document, p piece) (standing, error) {
	trial := *d
	trial.made = nil
	before := trial.text
	at, there, err := m.locate(&trial, p)
	if err != nil || !there {
		return absent, err
	}
	if p.kind == entry || p.kind == element {
		if err := m.fill(&trial, at, p.value); err != nil {
			return absent, err
		}
	}
	if bytes.Equal(before, trial.text) {
		return current, nil
	}
	return old, nil
}

// locate finds a piece: where it is, or, if it is not there, where it goes. An error is a *ForeignError or a *ShapeError.
func (m Machine) locate(d *document, p piece) (at path, there bool, err error) {
	for n := 1; n < len(p.at); n++ {
		if value, ok := d.get(p.at[:n]); ok && value != nil && !holds(value, p.at[n]) {
			return nil, false, &ShapeError{p.at[:n].String()}
		}
	}
	value, there := d.get(p.at)
	there = there && value != nil
	switch p.kind {
	case entry:
		if there && !m.mine(value) {
			return nil, false, &ForeignError{p.at.String()}
		}
		return p.at, there, nil
	case setting:
		return p.at, there, nil
	}
	elements, isList := value.([]any)
	if there && !isList {
		return nil, false, &ShapeError{p.at.String()}
	}
	i := slices.IndexFunc(elements, func(each any) bool {
		if p.kind == listed {
			return each == p.value
		}
		return m.mine(each)
	})
	if there = i >= 0; !there {
		i = len(elements)
	}
	return append(slices.Clone(p.at), i), there, nil
}

// telling are the members of an entry that say what is run, and when. What else stands there may be the user's choice.
var telling = []string{"command", "args", "bash", "powershell", "type", "matcher"}

// limits are a call's. They may be the user's choice, but for agents whose server is told in its arguments when to answer at the latest.
var limits = []string{"timeout", "tool_timeout_sec"}

// fill makes what stands at a path have what it has to have.
func (m Machine) fill(d *document, at path, want any) error {
	there, _ := d.get(at)
	switch want := want.(type) {
	case object:
		fields, ok := there.(map[string]any)
		if !ok {
			return d.put(at, want)
		}
		hooks, _ := fields["hooks"].([]any)
		shared := slices.ContainsFunc(hooks, func(each any) bool { return !m.mine(each) })
		for _, field := range want {
			to := append(slices.Clone(at), field.name)
			value, ok := d.get(to)
			list, isList := field.value.([]any)
			var err error
			switch {
			case !ok:
				err = d.put(to, field.value)
			case field.name == "matcher" && shared: // it says when the user's own hook is run, too
			case slices.Contains(telling, field.name), slices.Contains(limits, field.name) && want.has("args", ownLimit):
				if !same(value, field.value) {
					err = d.put(to, field.value)
				}
			case isList && holdsObjects(list):
				err = m.fillList(d, to, list)
			}
			if err != nil {
				return err
			}
		}
	default:
		if !same(there, want) {
			return d.put(at, want)
		}
	}
	return nil
}

// fillList fills the one element of a list that names Followup.
func (m Machine) fillList(d *document, at path, want []any) error {
	value, _ := d.get(at)
	elements, ok := value.([]any)
	if !ok {
		return &ShapeError{at.String()}
	}
	i := slices.IndexFunc(elements, m.mine)
	if i < 0 {
		i = len(elements)
		return d.put(append(slices.Clone(at), i), want[0])
	}
	return m.fill(d, append(slices.Clone(at), i), want[0])
}

func holdsObjects(list []any) bool {
	return slices.ContainsFunc(list, func(each any) bool {
		_, is := each.(object)
		return is
	})
}

func same(read, want any) bool { return fmt.Sprint(read) == fmt.Sprint(plain(want)) }

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

	file     file
	record   fileRecord
	backedUp bool // just now
}

// backupSuffix ends the name of a file's backup, which stands beside it.
const backupSuffix = ".before-followup"

// Plan tells what connecting an agent would change. With replace, the user's own entries of the same name give way. An error is a
// *FileError; then nothing is to be changed.
func (m Machine) Plan(a Agent, replace bool) ([]Change, error) {
	known := m.record(a)
	var changes []Change
	for _, p := range a.parts(m) {
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
	for _, each := range p.pieces {
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
		case !there:
			err = d.put(at, each.value)
			if each.kind == listed || each.kind == setting {
				record.Added = append(record.Added, addition{each.at, plain(each.value)})
			}
		case each.kind == entry || each.kind == element:
			err = m.fill(d, at, each.value)
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
	if _, err := os.Stat(filepath.Dir(f.target)); errors.Is(err, fs.ErrNotExist) {
		record.Folder = filepath.Dir(f.target)
	}
	c := &Change{Name: p.name, Before: f.text, After: d.text, Created: !f.exists, file: f, record: record}
	if f.exists {
		c.Backup = f.target + backupSuffix
	}
	return c, nil
}

// PlanBack tells what taking an agent's connection back would change. Where nothing else has changed since, files become what they were.
func (m Machine) PlanBack(a Agent) ([]Change, error) {
	known := m.record(a)
	parts := a.parts(m)
	for _, r := range known.Files { // the agent's folder may have been another one
		if !slices.ContainsFunc(parts, func(p part) bool { return p.name == r.Name }) {
			if p, ok := samePart(parts, r.Name); ok {
				parts = append(parts, p)
			}
		}
	}
	var changes []Change
	for _, p := range parts {
		c, err := m.planBack(p, known.file(p.name))
		if err != nil {
			return nil, &FileError{p.name, err}
		}
		if c != nil {
			changes = append(changes, *c)
		}
	}
	return changes, nil
}

func (m Machine) planBack(p part, known *fileRecord) (*Change, error) {
	f, err := readFile(p.name)
	if err != nil || !f.exists {
		return nil, err
	}
	c := &Change{Name: p.name, Before: f.text, file: f}
	if known != nil && known.After == sum(f.text) && known.Before != "" {
		if !known.Existed {
			c.Removed = true
			return c, nil
		}
		backup, err := os.ReadFile(f.target + backupSuffix)
		if err == nil && sum(backup) == known.Before {
			c.After, c.Backup = backup, f.target+backupSuffix
			return c, nil
		}
	}
	d, err := newDocument(p.format, f.text)
	if err != nil {
		return nil, err
	}
	if known == nil {
		known = &fileRecord{Existed: true}
	}
	if err := m.takeBack(d, p, *known); err != nil {
		return nil, err
	}
	if bytes.Equal(d.text, f.text) {
		return nil, nil
	}
	if rest := bytes.TrimSpace(d.text); !known.Existed && (len(rest) == 0 || string(rest) == "{}") {
		c.Removed = true
		return c, nil
	}
	c.After = d.text
	return c, nil
}

// takeBack takes what is Followup's out of a document.
func (m Machine) takeBack(d *document, p part, known fileRecord) error {
	for _, each := range slices.Backward(p.pieces) {
		at, there, err := m.locate(d, each)
		switch {
		case err != nil || !there: // it is the user's now
			continue
		case each.kind == entry:
			err = d.take(at)
			for _, replaced := range known.Replaced {
				if err == nil && slices.Equal(replaced.At, each.at) {
					err = d.put(replaced.At, ordered(replaced.Value))
				}
			}
		case each.kind == element:
			err = m.takeElement(d, at, each.value)
		case slices.ContainsFunc(known.Added, func(a addition) bool { return slices.Equal(a.At, each.at) }):
			value, _ := d.get(at)
			if each.kind == listed || same(value, each.value) {
				err = d.take(at)
			}
		}
		if err != nil {
			return err
		}
	}
	for _, made := range slices.Backward(known.Made) {
		value, there := d.get(made)
		fields, isObject := value.(map[string]any)
		elements, isList := value.([]any)
		if there && (isObject && len(fields) == 0 || isList && len(elements) == 0) {
			if err := d.take(made); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeElement removes an element of a list, or of what it holds only Followup's where it holds another's, too.
func (m Machine) takeElement(d *document, at path, want any) error {
	wanted, _ := want.(object)
	for _, field := range wanted {
		to := append(slices.Clone(at), field.name)
		value, _ := d.get(to)
		elements, ok := value.([]any)
		if _, nested := field.value.([]any); !nested || !ok || len(elements) < 2 {
			continue
		}
		if i := slices.IndexFunc(elements, m.mine); i >= 0 {
			return d.take(append(to, i))
		}
	}
	return d.take(at)
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

// ApplyBack makes the changes of PlanBack, and forgets the agent.
func (m Machine) ApplyBack(a Agent, changes []Change) error {
	known := m.record(a)
	for _, c := range changes {
		var err error
		if c.Removed {
			err = c.file.remove()
			if known := known.file(c.Name); known != nil && known.Folder != "" {
				_ = os.Remove(known.Folder) // unless something else is there by now
			}
		} else {
			err = c.file.write(c.After)
		}
		if err != nil {
			return &FileError{c.Name, err}
		}
		if c.Backup != "" {
			_ = os.Remove(c.Backup) // it is the file itself again
		}
	}
	return m.forget(a)
}
