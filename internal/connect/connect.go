// Package connect makes coding agents use Followup: it finds the agents on the machine, adds Followup to their configuration,
// checks that they can ask, and removes it again. It preserves the rest of a user's file byte for byte.
package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"followup/internal/atomicfile"
	"followup/internal/locale"
)

// State is whether an agent is connected.
type State string

// The states of an agent.
const (
	None      State = "none"
	Partly    State = "partly"    // something is missing or outdated
	Connected State = "connected" // nothing is missing
	Foreign   State = "foreign"   // the user has an entry of the same name
	Broken    State = "broken"    // a file cannot be read
)

// Status describes an agent on this machine.
type Status struct {
	Agent
	// Found reports whether the agent is installed or configured here.
	Found bool
	State State
	// Files are the files that connect writes.
	Files []string
	// Err is the reason for Foreign or Broken: a *locale.Refusal.
	Err error
}

// Look returns the status of an agent. It changes nothing.
func (m Machine) Look(a Agent) Status {
	s := Status{Agent: a, Found: m.found(a), State: None}
	there, missing := 0, 0
	for _, p := range m.partsOf(a) {
		s.Files = append(s.Files, p.name)
		d, err := p.read()
		for _, each := range p.pieces {
			var found standing
			if err == nil {
				found, err = m.write(d, each, false)
			}
			if each.kind != entry && each.kind != element {
				continue // it is optional
			}
			if found != absent {
				there++
			}
			if found != current {
				missing++
			}
		}
		if err == nil {
			_, err = d.text()
		}
		if err != nil {
			s.State, s.Err = Broken, refusal(p.name, err)
			if refusal := new(locale.Refusal); errors.As(err, &refusal) && refusal.Key == notOurs {
				s.State = Foreign
			}
			return s
		}
	}
	switch {
	case there > 0 && missing == 0 && m.Complete():
		s.State = Connected
	case there > 0:
		s.State = Partly
	}
	return s
}

// Plan has the changes of connecting or disconnecting an agent.
type Plan struct {
	Changes []Change

	agent         Agent
	before, after record // after is empty for disconnecting
}

// collect plans the changes of an agent's files.
func (m Machine) collect(a Agent, parts []part, change func(part, *fileRecord) (*Change, error)) (Plan, error) {
	p := Plan{agent: a, before: m.record(a)}
	for _, each := range parts {
		c, err := change(each, p.before[each.name])
		if err != nil {
			return Plan{}, refusal(each.name, err)
		}
		if c != nil {
			p.Changes = append(p.Changes, *c)
		}
	}
	return p, nil
}

// Change is a planned change of a file.
type Change struct {
	// Name is the file's path, as the agent uses it. Links are followed.
	Name string
	// Before and After are the file's texts.
	Before, After []byte
	// Created and Removed report that the file does not exist before, or after. Restored reports that it regains its original content.
	Created, Removed, Restored bool
	// Backup is the path of the backup, which connecting creates and disconnecting removes; otherwise empty.
	Backup string
	// Beyond are settings that connect adds in addition to Followup's own entry.
	Beyond []Setting

	file     file
	record   *fileRecord // of connecting
	backedUp bool        // by this change
	folder   string      // the outermost folder to remove with the file
}

// Setting is a value that connect adds for Followup.
type Setting struct {
	// At is the setting's place in the file.
	At string
	// Value is the new value. For a hook, it is the command.
	Value string
	// Why is the setting's purpose.
	Why locale.Key
}

// backupSuffix ends the name of a backup, which is next to the file.
const backupSuffix = ".before-followup"

// Plan returns what connecting an agent would change. If replace is set, Followup's entry replaces a user's entry of the same
// name. An error is a *locale.Refusal.
func (m Machine) Plan(a Agent, replace bool) (Plan, error) {
	plan, err := m.collect(a, m.partsOf(a), func(p part, known *fileRecord) (*Change, error) { return m.plan(p, known, replace) })
	plan.after = maps.Clone(plan.before)
	for _, c := range plan.Changes {
		plan.after[c.Name] = c.record
	}
	return plan, err
}

func (m Machine) plan(p part, known *fileRecord, replace bool) (*Change, error) {
	f, err := readFile(p.name)
	if err != nil {
		return nil, err
	}
	d, err := parse(p.name, f.text)
	if err != nil {
		return nil, err
	}
	record := &fileRecord{Existed: f.exists}
	if !f.exists {
		known = nil
	} else if known != nil {
		record.Existed, record.Folder = known.Existed, known.Folder
	}
	if record.Before, err = m.without(p, f.text, known); err != nil {
		return nil, err
	}
	c := &Change{Name: p.name, Before: f.text, Created: !f.exists, file: f, record: record}
	for _, each := range p.pieces {
		if each.kind == setting && each.at[0] == "env" && m.Env(each.at[1]) != "" {
			continue // the user has set it in the environment, which the file would override
		}
		found, err := m.write(d, each, replace)
		if err != nil {
			return nil, err
		}
		if each.why != "" && each.kind != unwanted && (found == absent || found == old && each.why == connectForApprovals) {
			shown, ok := find(each.value, m.Names) // of a hook, the command
			if !ok {
				shown = fmt.Sprint(each.value)
			}
			c.Beyond = append(c.Beyond, Setting{each.at.String(), shown, each.why})
		}
	}
	before, err := parse(p.name, record.Before)
	if err != nil {
		return nil, err
	}
	takeEmpty(d.values, p, before.values)
	if c.After, err = d.text(); err != nil || bytes.Equal(c.After, f.text) && f.exists {
		return nil, err
	}
	record.After = c.After
	for folder := filepath.Dir(f.target); missing(folder) && folder != record.Folder; folder = filepath.Dir(folder) {
		record.Folder = folder
	}
	if f.exists && record.Existed { // a file that Followup created needs no backup
		c.Backup = f.target + backupSuffix
	}
	return c, nil
}

// Apply makes all changes of a plan. If one fails, it undoes the others.
func (m Machine) Apply(p Plan) error {
	connects := p.after != nil
	if connects {
		if err := m.keep(p.agent, p.after); err != nil { // first, so that disconnect works even if this process is killed
			return err
		}
	}
	for i := range p.Changes {
		c := &p.Changes[i]
		err := c.apply(p.before[c.Name] != nil)
		if err == nil {
			continue
		}
		err = refusal(c.Name, err)
		for _, done := range slices.Backward(p.Changes[:i]) {
			err = errors.Join(err, done.undo())
		}
		for _, each := range p.Changes {
			if each.backedUp {
				_ = os.Remove(each.Backup)
			}
		}
		return errors.Join(err, m.keep(p.agent, p.before))
	}
	if connects {
		return nil
	}
	for _, c := range p.Changes {
		_ = os.Remove(c.Backup) // the file has its content again
		if c.folder == "" {
			continue
		}
		for folder := filepath.Dir(c.file.target); ; folder = filepath.Dir(folder) {
			if os.Remove(folder) != nil || folder == c.folder { // it fails if the folder has other files by now
				break
			}
		}
	}
	return m.keep(p.agent, nil)
}

func missing(name string) bool {
	_, err := os.Stat(name)
	return errors.Is(err, fs.ErrNotExist)
}

func (c *Change) apply(connected bool) error {
	if c.Removed {
		return c.file.remove()
	}
	if c.record != nil && c.Backup != "" {
		if _, err := os.Stat(c.Backup); !connected || errors.Is(err, fs.ErrNotExist) { // keep the backup from before the first change
			if err := atomicfile.Write(c.Backup, c.Before, c.file.mode, nil); err != nil {
				return err
			}
			c.backedUp = true
		}
	}
	return c.file.write(c.After)
}

// undo reverts a change after another one failed.
func (c Change) undo() error {
	f := c.file
	if f.exists, f.text = !c.Removed, c.After; c.Created {
		return refusal(c.Name, f.remove())
	}
	return refusal(c.Name, f.write(c.Before))
}
