package connect

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"followup/internal/locale"
	"followup/internal/program"
)

// Agent is a coding agent that can be connected.
type Agent struct {
	// ID is the agent's name on the command line.
	ID string
	// Name is the agent's display name.
	Name string
	// programs are the names of the agent's executable.
	programs []string
	// parts returns the files with Followup's entries in the agent's folder.
	parts func(m Machine, folder string) []part
	// Approves means that the hook can answer requests for permission.
	Approves bool
	// Tools are the agent's own tools that need permission, if the hook can run for some tools only.
	Tools []string
	// project are the names of a project's settings files. The last one takes precedence.
	project []string
}

// A call and a hook have a limit of a day, which every agent accepts.
const (
	daySeconds      int64 = 24 * 60 * 60
	dayMilliseconds       = daySeconds * 1000
)

// ownLimit makes the server return a ticket before agents that ignore progress notifications give up.
var ownLimit = []any{"mcp", "--limit", "23h"}

const (
	connectForHook      locale.Key = "so that the agent's own questions appear in your inbox"
	connectForApprovals locale.Key = "so that the agent's own questions and permission requests appear in your inbox"
)

// The names and contents of the configurations were tested with Claude Code 2.1.330, Codex 0.169, opencode 1.18.33, Kilo CLI
// 7.7.7, Gemini CLI 0.61, Copilot CLI 1.0.102, Cline CLI 3.0.65 and Qwen Code 0.24.4.
var all = []Agent{
	{
		ID: "claude-code", Name: "Claude Code", programs: []string{"claude"}, Approves: true,
		// From https://code.claude.com/docs/en/tools-reference. Reading outside the project needs permission, too.
		Tools: []string{
			"Artifact", "Bash", "Edit", "ExitPlanMode", "Glob", "Grep", "Monitor", "NotebookEdit", "PowerShell", "Read", "Skill", "WebFetch",
			"WebSearch", "Write",
		},
		project: []string{".claude/settings.json", ".claude/settings.local.json"},
		parts: func(m Machine, folder string) []part {
			servers := m.Home
			if filepath.IsAbs(m.Env("CLAUDE_CONFIG_DIR")) {
				servers = folder
			}
			return []part{
				{filepath.Join(servers, ".claude.json"), []piece{server(object{
					"type": "stdio", "command": m.Program(), "args": []any{"mcp"}, "timeout": dayMilliseconds,
				})}},
				{filepath.Join(folder, "settings.json"), []piece{
					hook(element, "PermissionRequest", m.Approvals.claudeMatcher(), object{
						"type": "command", "command": m.Hook("claude-code", program.Posix, m.Approvals.On), "timeout": daySeconds,
					}, m.Approvals.whyHook()),
					{listed, path{"permissions", "allow"}, "mcp__followup", "so that the agent can use Followup's tools without asking"},
					// Otherwise a call would move to the background after two minutes, and the agent would distrust its answer.
					{setting, path{"env", claudeBackground}, "0", "so that the agent waits for your answer longer than two minutes"},
				}},
			}
		},
	},
	{
		ID: "codex", Name: "Codex", programs: []string{"codex"}, Approves: true,
		Tools: []string{"Bash", "Edit", "Write", "apply_patch"}, // Edit and Write mean apply_patch
		parts: func(m Machine, folder string) []part {
			approving := unwanted
			if m.Approvals.On {
				approving = element
			}
			return []part{
				{filepath.Join(folder, "config.toml"), []piece{{entry, codexServer, object{
					"command": m.Program(), "args": ownLimit, "tool_timeout_sec": daySeconds,
				}, ""}}},
				{filepath.Join(folder, "hooks.json"), []piece{ // the user must trust each hook, so all are written at once
					hook(element, "PreToolUse", "request_user_input", object{
						"type": "command", "command": m.Hook("codex", program.Cmd, false), "timeout": daySeconds,
					}, connectForHook),
					hook(approving, "PermissionRequest", strings.Join(m.Approvals.Tools, "|"), object{
						"type": "command", "command": m.Hook("codex", program.Cmd, true), "timeout": daySeconds,
					}, connectForApprovals),
				}},
			}
		},
	},
	{
		ID: "opencode", Name: "opencode", programs: []string{"opencode"}, Approves: true,
		parts: opencode("opencode.json", "opencode.jsonc", "opencode.json", "config.json"),
	},
	{
		ID: "kilo", Name: "Kilo Code", programs: []string{"kilo", "kilocode"}, Approves: true,
		parts: opencode("kilo.jsonc", "kilo.jsonc", "kilo.json", "config.json"),
	},
	{
		ID: "gemini", Name: "Gemini CLI", programs: []string{"gemini"}, project: []string{".gemini/settings.json"},
		parts: func(m Machine, folder string) []part {
			return []part{{filepath.Join(folder, "settings.json"), []piece{
				m.trusted(),
				hook(element, "BeforeTool", "ask_user", object{
					"name": "followup", "type": "command", "command": m.Hook("gemini", program.PowerShell, false), "timeout": dayMilliseconds,
				}, connectForHook),
				{setting, path{"hooksConfig", "enabled"}, true, "so that the hooks in this file run"},
			}}}
		},
	},
	{
		ID: "copilot", Name: "Copilot CLI", programs: []string{"copilot"},
		parts: func(m Machine, folder string) []part {
			return []part{
				{filepath.Join(folder, "mcp-config.json"), []piece{server(object{
					"type": "local", "command": m.Program(), "args": []any{"mcp"}, "tools": []any{"*"}, "timeout": dayMilliseconds,
				})}},
				{filepath.Join(folder, "hooks", "followup.json"), []piece{
					{setting, path{"version"}, int64(1), ""},
					{element, path{"hooks", "preToolUse"}, object{ // the agent denies the tool if this hook fails
						"type": "command", "bash": m.HookThatSucceeds("copilot", program.Posix), "powershell": m.HookThatSucceeds("copilot", program.PowerShell), "timeoutSec": daySeconds,
					}, connectForHook},
				}},
			}
		},
	},
	{
		ID: "cline", Name: "Cline", programs: []string{"cline"},
		parts: func(m Machine, folder string) []part {
			return []part{{filepath.Join(folder, "settings", "cline_mcp_settings.json"), []piece{server(object{
				"command": m.Program(), "args": ownLimit, "timeout": daySeconds, "disabled": false,
				"autoApprove": []any{"ask_followup_question", "AskUserQuestion"},
			})}}}
		},
	},
	{
		ID: "qwen", Name: "Qwen Code", programs: []string{"qwen"}, project: []string{".qwen/settings.json"},
		parts: func(m Machine, folder string) []part {
			return []part{{filepath.Join(folder, "settings.json"), []piece{m.trusted()}}}
		},
	},
}

// Agents returns all agents that can be connected.
func Agents() []Agent { return slices.Clone(all) }

// AgentByID returns the agent with an ID.
func AgentByID(id string) (Agent, bool) {
	at := slices.IndexFunc(all, func(a Agent) bool { return a.ID == id })
	if at < 0 {
		return Agent{}, false
	}
	return all[at], true
}

// server returns Followup's entry in the list of an agent's MCP servers.
func server(fields object) piece { return piece{entry, path{"mcpServers", "followup"}, fields, ""} }

// trusted returns the entry for Gemini CLI and its forks.
func (m Machine) trusted() piece {
	return server(object{"command": m.Program(), "args": ownLimit, "timeout": dayMilliseconds, "trust": true})
}

// hook returns a hook for an event, in the form that several agents use.
func hook(k kind, event, matcher string, run object, why locale.Key) piece {
	return piece{k, path{"hooks", event}, object{"matcher": matcher, "hooks": []any{run}}, why}
}

// opencode returns the parts for opencode and its forks, which read all files with these names. Followup's entry goes into the
// file that has it already, otherwise into the first existing one, otherwise into a new one.
func opencode(new string, all ...string) func(Machine, string) []part {
	server := path{"mcp", "followup"}
	return func(m Machine, folder string) []part {
		var there, has string
		for _, name := range slices.Backward(all) {
			f, err := readFile(filepath.Join(folder, name))
			if err != nil || !f.exists {
				continue
			}
			there = f.name
			d, _ := parse(f.name, f.text)
			if _, ok := server.in(d.values); ok {
				has = f.name
			}
		}
		plugin := filepath.Base(folder)
		if m.Approvals.On {
			plugin += program.Approving
		}
		return []part{{cmp.Or(has, there, filepath.Join(folder, new)), []piece{
			{entry, server, object{"type": "local", "command": []any{m.Program(), "mcp"}, "enabled": true, "timeout": dayMilliseconds}, ""},
			{element, path{"plugin"}, m.PluginURL(plugin), m.Approvals.whyHook()},
		}}}
	}
}
