package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

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
