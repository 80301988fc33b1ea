package main

import (
	"errors"
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
	all, only, dryRun, yes, json, replace, noLink bool
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

// connectCommand is "followup connect".
func connectCommand(p process) *cobra.Command {
	var o connectOptions
	c := &cobra.Command{
		Use:   "connect [AGENT…]",
		Short: "Make coding agents ask in Followup",
		Long: "Add an entry to each AGENT's own configuration that gives it Followup's tools with a timeout of a day. If the agent has a\n" +
			"question tool of its own, bring that tool's questions into the inbox, too. Before writing, show each file that changes and\n" +
			"each setting besides that entry, such as a hook, a permission or a variable, and ask. The rest of each file stays untouched,\n" +
			"and a copy of the original is kept beside it. Connecting twice changes nothing. Without an AGENT, list the known agents and\n" +
			"their states.\n\n" +
			"If terminals do not find followup by its name yet, also offer a link in ~/.local/bin (not on Windows).\n\n" +
			"Exit status: 0 done, 1 an agent could not be connected or you did not agree, 2 wrong usage.",
		Example:           "  followup connect\n  followup connect claude-code --dry-run\n  followup connect --all --yes",
		ValidArgsFunction: completeAgents,
		RunE: func(c *cobra.Command, args []string) error {
			return way{
				unnamed: func(m connect.Machine) error { return listAgents(p, o, m) },
				wanted:  func(s connect.Status) bool { return s.Found },
				nobody:  "No agent was found on this machine.", connects: true,
			}.run(p, c, o, args)
		},
	}
	connectFlags(c, p, &o)
	c.Flags().StringVar(&o.approvals, "approvals", "", "ask for permission in the inbox, too: for all tools, for `TOOLS` such as Bash,Edit, or for none")
	c.Flags().Lookup("approvals").NoOptDefVal = allTools
	notEmpty(c, "approvals")
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
		Long: "Remove what \"followup connect\" added, after showing it and asking. A file that has not changed since is restored exactly;\n" +
			"from other files only Followup's entries are removed. With the last agent, the link in ~/.local/bin is removed, too.\n\n" +
			"Exit status: 0 done, 1 an agent could not be disconnected or you did not agree, 2 wrong usage.",
		Example:           "  followup disconnect claude-code\n  followup disconnect --all --dry-run",
		ValidArgsFunction: completeAgents,
		RunE: func(c *cobra.Command, args []string) error {
			return way{
				unnamed: func(connect.Machine) error {
					return wrongUsage("name an agent, or use --all; the agents are %s", strings.Join(agentIDs(), ", "))
				},
				wanted: func(s connect.Status) bool { return s.State != connect.None },
				nobody: doctorNoAgent,
			}.run(p, c, o, args)
		},
	}
	connectFlags(c, p, &o)
	c.Flags().BoolVar(&o.all, "all", false, "disconnect all agents that are connected")
	return c
}

func connectFlags(c *cobra.Command, p process, o *connectOptions) {
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "change nothing, and show every line that would change")
	c.Flags().BoolVarP(&o.yes, "yes", "y", false, "change without asking, for scripts")
	c.Flags().BoolVar(&o.noLink, "no-link", false, "leave ~/.local/bin as it is")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	localeFlag(c, c.Flags(), &o.speak, "the output", p.env)
}

// Values of --approvals other than names of tools.
const (
	allTools = "all"
	noTools  = "none"
)

// chosenApprovals returns the approvals of the command line; nil if it names none.
func (o connectOptions) chosenApprovals() *connect.Approvals {
	switch o.approvals {
	case "":
		return nil
	case allTools:
		return &connect.Approvals{On: true}
	case noTools:
		return &connect.Approvals{}
	}
	return &connect.Approvals{On: true, Tools: strings.Split(o.approvals, ",")}
}

// check returns an error for flags that contradict each other or would have no effect.
func (o connectOptions) check(c *cobra.Command, args []string) error {
	unnamed := len(args) == 0 && !o.all && !o.only
	for _, name := range []string{"approvals", "replace", "dry-run", "yes", "no-link"} {
		if unnamed && c.Flags().Changed(name) {
			return wrongUsage("--%s needs an agent: name one, or use --all; the agents are %s", name, strings.Join(agentIDs(), ", "))
		}
	}
	switch {
	case o.all && len(args) > 0:
		return wrongUsage("name agents, or use --all, not both")
	case o.dryRun && o.yes:
		return wrongUsage("--dry-run and --yes cannot be combined")
	}
	return nil
}

// checkTools returns an error if an agent has none of the tools that --approvals names.
func (o connectOptions) checkTools(m connect.Machine, chosen []connect.Status) error {
	for _, s := range chosen {
		if m.Approvals == nil || len(s.Tools) == 0 {
			continue
		}
		for _, tool := range m.Approvals.Tools {
			if !s.HasTool(tool) {
				return unknownName("tool", tool, s.Tools, fmt.Sprintf(
					"%s asks for permission for %s, and for those of MCP servers, such as mcp__NAME__.*", s.Name, strings.Join(s.Tools, ", ")))
			}
		}
	}
	return nil
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
		if !slices.ContainsFunc(chosen, func(s connect.Status) bool { return s.ID == a.ID }) {
			chosen = append(chosen, m.Look(a))
		}
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

// run shows the changes of connecting or disconnecting agents, asks, makes them, and prints the result.
func (w way) run(p process, c *cobra.Command, o connectOptions, args []string) error {
	if err := o.check(c, args); err != nil {
		return err
	}
	m, err := connectMachine(p.env, false)
	if err != nil {
		return err
	}
	if len(args) == 0 && !o.all && !o.only {
		return w.unnamed(m)
	}
	m.Approvals = o.chosenApprovals()
	chosen, err := chosenAgents(m, args, o.all, w.wanted)
	if err != nil {
		return err
	}
	if err := o.checkTools(m, chosen); err != nil {
		return err
	}
	d := &deed{p: p, o: o, m: m, connects: chosen}
	if !w.connects {
		d.connects, d.disconnects = nil, chosen
	}
	if o.only {
		d.disconnects = connectedOthers(m, chosen)
	}
	if len(d.connects)+len(d.disconnects) == 0 && !o.json {
		fmt.Fprintln(p.stderr, o.speak.Text(w.nobody))
	}
	d.plan()
	if o.dryRun {
		return d.print()
	}
	if agreed, err := d.agreed(); err != nil || !agreed {
		return err
	}
	if err := d.carryOut(); err != nil {
		return err
	}
	return d.print()
}

// deed is a run of connect or disconnect.
type deed struct {
	p                     process
	o                     connectOptions
	m                     connect.Machine
	connects, disconnects []connect.Status
	results               []*connectResult // planned, then done
	link                  linkChange
	linked                *linkResult
	shown                 review
	errorsShown           bool
}

// plan finds out what would change.
func (d *deed) plan() {
	o := d.o
	o.dryRun = true
	d.results = d.each(o, nil)
	if !o.noLink {
		d.link = d.linkChange()
	}
	d.linked = plannedLink(d.m, d.link)
	d.shown = newReview(d.m, d.results, d.link, o.speak)
}

// linkChange adds the link with an agent, and removes it with the last one.
func (d *deed) linkChange() linkChange {
	link := d.m.Link()
	changes := slices.ContainsFunc(d.results, func(r *connectResult) bool { return len(r.planned) > 0 })
	switch {
	case len(d.connects) > 0 && link.Offered():
		return linkAdded
	case len(d.connects) == 0 && changes && link.State == connect.LinkOurs && len(connectedOthers(d.m, d.disconnects)) == 0:
		return linkRemoved
	}
	return linkKept
}

// each connects and disconnects the agents, except those whose earlier result is an error.
func (d *deed) each(o connectOptions, earlier []*connectResult) (results []*connectResult) {
	run := func(do func(connectOptions, connect.Machine, connect.Status) (*connectResult, error), s connect.Status) {
		if i := len(results); i < len(earlier) && earlier[i].Error != "" {
			results = append(results, earlier[i])
			return
		}
		result, err := do(o, d.m, s)
		if err != nil {
			result.Error = inWords(err, o.speak).Error()
		}
		results = append(results, result)
	}
	for _, s := range d.connects {
		run(connectAgent, s)
	}
	for _, s := range d.disconnects {
		run(disconnectAgent, s)
	}
	return results
}

// agreed shows the review and asks, unless nothing changes. With --yes it does not ask.
func (d *deed) agreed() (bool, error) {
	switch {
	case d.shown.empty():
		return true, nil
	case d.o.yes:
		if !d.o.json {
			d.shown.write(d.p.stdout)
		}
		return true, nil
	case d.o.json:
		return false, errors.Join(d.print(), wrongUsage(needsYes))
	}
	fmt.Fprintln(d.p.stdout, d.o.speak.Text(reviewHint))
	d.shown.write(d.p.stdout)
	d.errorsShown = true
	d.printErrors()
	return d.shown.ask(d.p, d.o.speak)
}

func (d *deed) carryOut() (err error) {
	approvals := d.m.Approvals
	if d.m, err = connectMachine(d.p.env, true); err != nil {
		return err
	}
	d.m.Approvals = approvals
	d.results = d.each(d.o, d.results)
	if d.link == linkAdded && !d.m.Complete() {
		d.link = linkKept // no agent was connected, so the program was not installed
	}
	d.linked = changeLink(d.m, d.link, d.o.speak)
	return nil
}

func (d *deed) printErrors() {
	for _, r := range d.results {
		if r.Error != "" {
			fmt.Fprintln(d.p.stderr, r.Error)
		}
	}
}

// print prints what would change in a dry run, or what has changed.
func (d *deed) print() error {
	failed := slices.ContainsFunc(d.results, func(r *connectResult) bool { return r.Error != "" }) || d.linked != nil && d.linked.Error != ""
	if d.o.json {
		document := map[string]any{"results": d.results}
		if d.linked != nil {
			document["link"] = d.linked
		}
		if err := printJSON(d.p.stdout, document); err != nil {
			return err
		}
	} else if err := d.printText(); err != nil {
		return err
	}
	if failed {
		return status(exitFailed)
	}
	return nil
}

func (d *deed) printText() error {
	if !d.errorsShown {
		d.printErrors()
	}
	if d.o.dryRun {
		d.shown.write(d.p.stdout)
		fmt.Fprint(d.p.stdout, d.shown.lines)
	}
	var lines []string
	for _, r := range d.results {
		lines = append(append(lines, r.Messages...), r.Notes...)
	}
	if d.linked != nil {
		lines = append(lines, d.linked.Messages...)
		if d.linked.Error != "" {
			fmt.Fprintln(d.p.stderr, d.linked.Error)
		}
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(d.p.stdout, line); err != nil {
			return err
		}
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
