package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"followup/internal/connect"
	"followup/internal/locale"
	"followup/internal/person"
	"followup/internal/program"
)

// connectOptions are the flags of connect and disconnect.
type connectOptions struct {
	all, only, dryRun, json, replace bool
	// approvals is a comma-separated list of tools, all, or none. If empty, approvals do not change.
	approvals string
	speak     locale.Tag
}

// connectResult is the result for one agent.
type connectResult struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Changed bool            `json:"changed"`
	Files   []connectedFile `json:"files"`
	// Also lists settings that connecting adds besides Followup's own entry, with their purposes. They are printed before anything is written.
	Also []string `json:"also"`
	// Messages describe the changes in the user's language. Notes are steps for the user. Error is why nothing was changed.
	Messages []string `json:"messages"`
	Notes    []string `json:"notes"`
	Error    string   `json:"error,omitempty"`

	planned []connect.Change
	speak   locale.Tag
}

type connectedFile struct {
	Path    string `json:"path"`
	Created bool   `json:"created,omitempty"`
	Removed bool   `json:"removed,omitempty"`
	Backup  string `json:"backup,omitempty"`
	Diff    string `json:"diff,omitempty"`
}

// connectCommand is "followup connect".
func connectCommand(p process) *cobra.Command {
	var o connectOptions
	c := &cobra.Command{
		Use:   "connect [AGENT…]",
		Short: "Make coding agents ask in Followup",
		Long: "Add an entry to each AGENT's own configuration that gives it Followup's tools with a timeout of a day. If the agent has a\n" +
			"question tool of its own, bring that tool's questions into the inbox, too. Before writing, print each setting that is added\n" +
			"besides that entry, such as a hook, a permission or a variable. The rest of each file stays untouched, and a copy of the\n" +
			"original is kept beside it. Connecting twice changes nothing. Without an AGENT, list the known agents and their states.\n\n" +
			"Exit status: 0 done, 1 an agent could not be connected, 2 wrong usage.",
		Example:           "  followup connect\n  followup connect claude-code --dry-run\n  followup connect --all",
		ValidArgsFunction: completeAgents,
		RunE: func(_ *cobra.Command, args []string) error {
			return way{
				unnamed: func(m connect.Machine) error { return listAgents(p, o, m) },
				wanted:  func(s connect.Status) bool { return s.Found },
				nobody:  "No agent was found on this machine.", connects: true,
			}.run(p, o, args)
		},
	}
	connectFlags(c, p, &o)
	c.Flags().StringVar(&o.approvals, "approvals", "", "ask for permission in the inbox, too: for all tools, for `TOOLS` such as Bash,Edit, or for none")
	c.Flags().Lookup("approvals").NoOptDefVal = allTools
	c.Flags().BoolVar(&o.all, "all", false, "connect all agents that are on this machine")
	c.Flags().BoolVar(&o.only, "only", false, "disconnect all other agents")
	c.Flags().BoolVar(&o.replace, "replace", false, "replace your own entry with the same name")
	return c
}

const doctorNoAgent locale.Key = "No agent is connected. To list the agents: followup connect"

// disconnectCommand is "followup disconnect".
func disconnectCommand(p process) *cobra.Command {
	var o connectOptions
	c := &cobra.Command{
		Use:   "disconnect AGENT…",
		Short: "Remove what connect added",
		Long: "Remove what \"followup connect\" added. A file that has not changed since is restored exactly; from other\n" +
			"files only Followup's entries are removed.\n\n" +
			"Exit status: 0 done, 1 an agent could not be disconnected, 2 wrong usage.",
		Example:           "  followup disconnect claude-code\n  followup disconnect --all --dry-run",
		ValidArgsFunction: completeAgents,
		RunE: func(_ *cobra.Command, args []string) error {
			return way{
				unnamed: func(connect.Machine) error {
					return wrongUsage("name an agent, or use --all; the agents are %s", strings.Join(agentIDs(), ", "))
				},
				wanted: func(s connect.Status) bool { return s.State != connect.None },
				nobody: doctorNoAgent,
			}.run(p, o, args)
		},
	}
	connectFlags(c, p, &o)
	c.Flags().BoolVar(&o.all, "all", false, "disconnect all agents that are connected")
	return c
}

func connectFlags(c *cobra.Command, p process, o *connectOptions) {
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "change nothing, and show what would change")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	localeFlag(c, c.Flags(), &o.speak, "the output", p.env)
}

// Values of --approvals other than names of tools.
const (
	allTools = "all"
	noTools  = "none"
)

// chosenApprovals returns the approvals of the command line; nil if it names none.
func (o connectOptions) chosenApprovals() (*connect.Approvals, error) {
	chosen := &connect.Approvals{On: true}
	switch o.approvals {
	case "":
		return nil, nil
	case allTools:
		return chosen, nil
	case noTools:
		return &connect.Approvals{}, nil
	}
	for tool := range strings.SplitSeq(o.approvals, ",") {
		if !connect.IsToolName(tool) {
			return nil, wrongUsage("%q cannot be the name of a tool: use --approvals, or --approvals=Bash,Edit", tool)
		}
		chosen.Tools = append(chosen.Tools, tool)
	}
	return chosen, nil
}

func completeAgents(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return agentIDs(), cobra.ShellCompDirectiveNoFileComp
}

func agentIDs() (ids []string) {
	for _, a := range connect.Agents() {
		ids = append(ids, a.ID)
	}
	return ids
}

// connectMachine returns this machine, for writing or only for reading. Agents start Followup from the person's folder, even if
// the history is in another one.
func connectMachine(env func(string) string, writes bool) (connect.Machine, error) {
	home, err := person.Machine{Env: env}.HomeFolder()
	if err != nil {
		return connect.Machine{}, err
	}
	find := person.Machine{Env: env}.Folder
	if writes {
		find = person.Machine{Env: env}.Settle
	}
	folder, err := find()
	if err != nil {
		return connect.Machine{}, err
	}
	return connect.Machine{Env: env, Home: home, Place: program.Place{Person: folder}, LookPath: exec.LookPath}, nil
}

// thisBuild is the build of this program.
func thisBuild() program.Build {
	committed, _ := time.Parse(time.RFC3339, buildSetting("vcs.time")) // zero if unknown
	return program.Build{Version: version(), Time: committed}
}

// chosenAgents returns the named agents or, for all, those that wanted selects.
func chosenAgents(m connect.Machine, ids []string, all bool, wanted func(connect.Status) bool) (chosen []connect.Status, err error) {
	for _, id := range ids {
		a, ok := connect.AgentByID(strings.ToLower(id))
		if !ok {
			return nil, unknownName("agent", id, agentIDs(), "use one of "+strings.Join(agentIDs(), ", "))
		}
		chosen = append(chosen, m.Look(a))
	}
	if !all {
		return chosen, nil
	}
	chosen = nil
	for _, a := range connect.Agents() {
		if s := m.Look(a); wanted(s) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// connectedOthers returns connected agents other than the chosen ones.
func connectedOthers(m connect.Machine, chosen []connect.Status) (others []connect.Status) {
	for _, a := range connect.Agents() {
		s := m.Look(a)
		known := slices.ContainsFunc(chosen, func(c connect.Status) bool { return c.ID == s.ID })
		if !known && isConnected(s) {
			others = append(others, s)
		}
	}
	return others
}

const connectHint locale.Key = "To connect one: followup connect AGENT. To connect all that were found: followup connect --all. " +
	"--dry-run only shows what would change."

// listAgents prints all agents and their states.
func listAgents(p process, o connectOptions, m connect.Machine) error {
	type listed struct {
		ID      string        `json:"id"`
		Name    string        `json:"name"`
		Found   bool          `json:"found"`
		State   connect.State `json:"state"`
		Files   []string      `json:"files"`
		Message string        `json:"message"`
	}
	var agents []listed
	wide, name := 0, 0
	for _, a := range connect.Agents() {
		s := m.Look(a)
		message := s.Words(o.speak)
		if s.Err != nil {
			message = inWords(s.Err, o.speak).Error()
		}
		agents = append(agents, listed{s.ID, s.Name, s.Found, s.State, s.Files, message})
		wide, name = max(wide, len(s.ID)), max(name, len(s.Name))
	}
	if o.json {
		return printJSON(p.stdout, map[string]any{"agents": agents})
	}
	for _, a := range agents {
		if _, err := fmt.Fprintf(p.stdout, "%-*s  %-*s  %s\n", wide, a.ID, name, a.Name, a.Message); err != nil {
			return err
		}
	}
	fmt.Fprintln(p.stderr, o.speak.Text(connectHint))
	return nil
}

// way has the differences between connect and disconnect.
type way struct {
	unnamed  func(connect.Machine) error // returns the error if no agent is named
	wanted   func(connect.Status) bool   // selects agents for --all
	nobody   locale.Key                  // printed if there are no such agents
	connects bool
}

// run connects or disconnects each agent and prints the result.
func (w way) run(p process, o connectOptions, args []string) error {
	unnamed := len(args) == 0 && !o.all && !o.only
	m, err := connectMachine(p.env, !unnamed && !o.dryRun)
	if err != nil {
		return err
	}
	if unnamed {
		return w.unnamed(m)
	}
	if m.Approvals, err = o.chosenApprovals(); err != nil {
		return err
	}
	chosen, err := chosenAgents(m, args, o.all, w.wanted)
	if err != nil {
		return err
	}
	named := len(chosen)
	if o.only {
		chosen = append(chosen, connectedOthers(m, chosen)...)
	}
	speak := o.speak
	show := func(also []string) error {
		if o.json || len(also) == 0 {
			return nil
		}
		_, err := fmt.Fprintln(p.stdout, strings.Join(also, "\n"))
		return err
	}
	results, failed := []*connectResult{}, false
	for i, s := range chosen {
		var result *connectResult
		if w.connects && i < named {
			result, err = connectAgent(o, m, s, show)
		} else {
			result, err = disconnectAgent(o, m, s)
		}
		if err != nil {
			failed = true
			result.Error = inWords(err, speak).Error()
		}
		results = append(results, result)
		if o.json {
			continue
		}
		if err != nil {
			fmt.Fprintln(p.stderr, result.Error)
		}
		for _, f := range result.Files {
			if f.Diff != "" {
				fmt.Fprint(p.stdout, f.Diff)
			}
		}
		for _, message := range append(result.Messages, result.Notes...) {
			if _, err := fmt.Fprintln(p.stdout, message); err != nil {
				return err
			}
		}
	}
	if o.json {
		if err := printJSON(p.stdout, map[string]any{"results": results}); err != nil {
			return err
		}
	} else if len(chosen) == 0 {
		fmt.Fprintln(p.stderr, speak.Text(w.nobody))
	}
	if failed {
		return status(exitFailed)
	}
	return nil
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

// connectAgent connects an agent. Before writing, it calls show with the settings besides Followup's own entry. If show fails, it
// writes nothing.
func connectAgent(o connectOptions, m connect.Machine, s connect.Status, show func(also []string) error) (*connectResult, error) {
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
	if err := show(result.Also); err != nil {
		return result, err
	}
	before := m.Configured(s.Agent)
	if before.On && m.Approvals == nil {
		result.note("{0} still asks for permission in the inbox, too: {1}. --approvals=none turns that off.", s.Name, before.Words(result.speak))
	}
	if !o.dryRun {
		self, err := os.Executable()
		if err != nil {
			return result, err
		}
		build := thisBuild()
		installed, err := m.Install(self, build)
		if err != nil {
			return result, err
		}
		if installed.Version != build.Version {
			result.note("{0} is version {1}, newer than this one ({2}), and was kept.", m.Program(), installed.Version, build.Version)
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

// approvable returns an error if an agent does not support the chosen approvals. With --all, such agents are connected without
// them.
func approvable(m connect.Machine, s connect.Status, all bool) error {
	switch {
	case m.Approvals == nil || !m.Approvals.On || !s.Approves && all:
		return nil
	case !s.Approves:
		return locale.Refuse("Requests for permission of {0} cannot be answered in the inbox.", s.Name)
	case len(m.Approvals.Tools) > 0 && !s.Narrows:
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
