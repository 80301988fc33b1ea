package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"followup/internal/connect"
	"followup/internal/locale"
	"followup/internal/program"
)

// connectResult is the result for one agent.
type connectResult struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Changed bool            `json:"changed"`
	Files   []connectedFile `json:"files"`
	// Also lists settings that connecting adds besides Followup's own entry, with their purposes.
	Also []string `json:"also"`
	// Messages describe the changes in the user's language. Notes are steps for the user. Error is why nothing was changed.
	Messages []string `json:"messages"`
	Notes    []string `json:"notes"`
	Error    string   `json:"error,omitempty"`

	planned  []connect.Change
	installs bool // the program is not installed yet
	speak    locale.Tag
}

type connectedFile struct {
	Path    string `json:"path"`
	Created bool   `json:"created,omitempty"`
	Removed bool   `json:"removed,omitempty"`
	Backup  string `json:"backup,omitempty"`
	Diff    string `json:"diff,omitempty"`
}

// begin returns a result for an agent. Unless it is a dry run, it locks the agent's files against other processes until unlock is called.
func (o connectOptions) begin(m connect.Machine, s connect.Status) (result *connectResult, unlock func(), err error) {
	unlock = func() {}
	if !o.dryRun {
		unlock, err = m.Lock(s.Agent)
	}
	return &connectResult{
		ID: s.ID, Name: s.Name, Files: []connectedFile{}, Also: []string{}, Messages: []string{}, Notes: []string{}, speak: o.speak,
	}, unlock, err
}

func (r *connectResult) say(key locale.Key, args ...any) {
	r.Messages = append(r.Messages, r.speak.Text(key, args...))
}

func (r *connectResult) note(key locale.Key, args ...any) {
	r.Notes = append(r.Notes, r.speak.Text(key, args...))
}

// unifiedDiff returns a change as git shows it, so that editors and patch read it: a file that does not exist is /dev/null.
func unifiedDiff(c connect.Change) string {
	const noFile = "/dev/null" // on Windows too
	before, after := filepath.ToSlash(c.Name), filepath.ToSlash(c.Name)
	if c.Created {
		before = noFile
	}
	if c.Removed {
		after = noFile
	}
	_, lines, _ := strings.Cut(string(diff.Diff(before, c.Before, after, c.After)), "\n") // without "diff before after"
	return lines
}

// carryOut makes the changes of a plan, or only shows them in a dry run. It adds the message done, or nothing if there are no changes.
func (r *connectResult) carryOut(m connect.Machine, plan connect.Plan, dryRun bool, done, nothing locale.Key) error {
	if !dryRun {
		if err := m.Apply(plan); err != nil {
			return err
		}
		r.Changed = len(plan.Changes) > 0
	}
	switch {
	case len(plan.Changes) == 0:
		done = nothing
	case dryRun:
		done = "{0}: this would change."
	}
	r.say(done, r.Name)
	r.planned = plan.Changes
	for _, c := range plan.Changes {
		file := connectedFile{Path: c.Name, Created: c.Created, Removed: c.Removed}
		switch {
		case dryRun:
			file.Diff = unifiedDiff(c)
		case c.Created:
			r.say("created: {0}", c.Name)
		case c.Removed:
			r.say("removed: {0}", c.Name)
		case c.Restored:
			r.say("restored: {0}", c.Name)
		default:
			r.say("changed: {0}", c.Name)
			if file.Backup = c.Backup; c.Backup != "" {
				r.say("backup: {0}", c.Backup)
			}
		}
		r.Files = append(r.Files, file)
	}
	return nil
}

// connectAgent connects an agent.
func connectAgent(o connectOptions, m connect.Machine, s connect.Status) (*connectResult, error) {
	result, unlock, err := o.begin(m, s)
	if err != nil {
		return result, err
	}
	defer unlock()
	if err := approvable(m, s, o.all); err != nil {
		return result, err
	}
	plan, err := m.Plan(s.Agent, o.replace)
	if err != nil {
		return result, err
	}
	for _, c := range plan.Changes {
		for _, setting := range c.Beyond {
			also := result.speak.Text("{0}: also sets {1} in {2}: {3} ({4})", s.Name, setting.At, c.Name, setting.Value, result.speak.Text(setting.Why))
			result.Also = append(result.Also, also)
		}
	}
	result.installs = !m.Complete()
	before := m.Configured(s.Agent)
	if before.On && m.Approvals == nil {
		result.note("{0} still asks for permission in the inbox, too: {1}. --approvals=none turns that off.", s.Name, before.Words(result.speak))
	}
	if !o.dryRun {
		installed, err := install(m)
		if err != nil {
			return result, err
		}
		if installed.Version != version() {
			result.note("{0} is version {1}, newer than this one ({2}), and was kept.", m.Program(), installed.Version, version())
		}
	}
	if err := result.carryOut(m, plan, o.dryRun, "{0} is connected.", "{0} was already connected; nothing was changed."); err != nil || o.dryRun {
		return result, err
	}
	if before.On && m.Approvals != nil && !m.Approvals.On {
		result.note("{0} now asks for permission in its own dialog only.", s.Name)
	}
	switch {
	case !s.Found:
		result.note("{0} was not found on this machine. It will be connected once it is installed.", s.Name)
	case result.Changed:
		result.note("If {0} is running, restart it.", s.Name)
	}
	if m.Untrusted(s.Agent) {
		result.note("{0} skips hooks until you trust them: start it once and choose to trust Followup's.", s.Name)
	}
	return result, nil
}

// install copies this program to the path at which agents start it, unless a newer one is there. It returns the build that is there.
func install(m connect.Machine) (program.Build, error) {
	self, err := os.Executable()
	if err != nil {
		return program.Build{}, err
	}
	return m.Install(self, thisBuild())
}

// approvable returns an error if an agent does not support the chosen approvals. With --all, such agents are connected without
// them.
func approvable(m connect.Machine, s connect.Status, all bool) error {
	switch {
	case m.Approvals == nil || !m.Approvals.On || !s.Approves && all:
		return nil
	case !s.Approves:
		return locale.Refuse("Requests for permission of {0} cannot be answered in the inbox.", s.Name)
	case len(m.Approvals.Tools) > 0 && len(s.Tools) == 0:
		return locale.Refuse("{0} cannot limit its requests for permission to some tools: use --approvals without a list.", s.Name)
	}
	return nil
}

func disconnectAgent(o connectOptions, m connect.Machine, s connect.Status) (*connectResult, error) {
	result, unlock, err := o.begin(m, s)
	if err != nil {
		return result, err
	}
	defer unlock()
	plan, err := m.PlanBack(s.Agent)
	if err != nil {
		return result, err
	}
	return result, result.carryOut(m, plan, o.dryRun, "{0} is no longer connected.", "{0} was not connected; nothing was changed.")
}
