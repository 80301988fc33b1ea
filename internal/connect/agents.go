package connect

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"followup/internal/locale"
)

// Agent is a coding agent that can be connected.
type Agent struct {
	// ID is what it is called on the command line.
	ID string
	// Name is what people call it.
	Name string
	// programs are the names of its program.
	programs []string
	// folder is where it keeps its configuration.
	folder func(Machine) string
	// parts are the files that tell it of Followup.
	parts func(Machine) []part
	// approves reports that its requests for permission can be answered by its hook, narrows that its hook can be run for some tools only.
	approves, narrows bool
	// project are a project's own settings, in its folder; the last one counts most.
	project []string
}

// part is what is Followup's in one of an agent's files.
type part struct {
	name   string
	format format
	pieces []piece
}

// read returns what the file says; not ok if it is missing or cannot be understood.
func (p part) read() (d *document, ok bool) {
	f, err := readFile(p.name)
	if err == nil {
		d, err = newDocument(p.format, f.text)
	}
	return d, err == nil
}

// piece is one thing of Followup's in a file.
type piece struct {
	kind  kind
	at    path
	value any
	// why says what it is for; empty: it is Followup's own entry, or nothing but what the file needs.
	why locale.Key
}

type kind int

const (
	entry    kind = iota // a member by a name of its own
	element              // an element of a list, known by the program that it names
	unwanted             // such an element, which connecting removes
	listed               // a text in a list, which a user may have put there, too
	setting              // a member that is set only where the user has not
)

// The limits of a call and of a hook: a day, as long as all agents take.
const (
	daySeconds      = 24 * 60 * 60
	dayMilliseconds = daySeconds * 1000
)

// ownLimit has the server answer before the agents that do not heed progress give up.
var ownLimit = []any{"mcp", "--limit", "23h"}

const connectForHook locale.Key = "so that the agent's own questions appear in your inbox"

// What the agents' configurations are called and hold was measured with Claude Code 2.1.330, Codex 0.169, opencode 1.18.33, Kilo CLI
// 7.7.7, Gemini CLI 0.61, Copilot CLI 1.0.102, Cline CLI 3.0.65 and Qwen Code 0.24.4.
var all = []Agent{
	{
		ID: "claude-code", Name: "Claude Code", programs: []string{"claude"}, approves: true, narrows: true,
		project: []string{".claude/settings.json", ".claude/settings.local.json"},
		folder:  func(m Machine) string { return m.or("CLAUDE_CONFIG_DIR", ".claude") },
		parts: func(m Machine) []part {
			servers := filepath.Join(m.Home, ".claude.json")
			if own := m.Env("CLAUDE_CONFIG_DIR"); filepath.IsAbs(own) {
				servers = filepath.Join(own, ".claude.json")
			}
			return []part{
				{servers, jsonc{}, []piece{{entry, path{"mcpServers", "followup"}, object{
					{"type", "stdio"}, {"command", m.Program()}, {"args", []any{"mcp"}}, {"timeout", dayMilliseconds},
				}, ""}}},
				{filepath.Join(m.or("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"), jsonc{}, []piece{
					{element, path{"hooks", "PermissionRequest"}, object{{"matcher", m.claudeMatcher()}, {"hooks", []any{object{
						{"type", "command"}, {"command", m.approving(m.hook("claude-code", posix))}, {"timeout", daySeconds},
					}}}}, m.whyHook()},
					{listed, path{"permissions", "allow"}, "mcp__followup", "so that the agent can use Followup's tools without asking"},
					// A call that takes two minutes would go on in the background, and its answer would not be believed.
					{setting, path{"env", claudeBackground}, "0", "so that the agent waits for your answer longer than two minutes"},
				}},
			}
		},
	},
	{
		ID: "codex", Name: "Codex", programs: []string{"codex"}, approves: true, narrows: true,
		folder: func(m Machine) string { return m.or("CODEX_HOME", ".codex") },
		parts: func(m Machine) []part {
			folder := m.or("CODEX_HOME", ".codex")
			return []part{
				{filepath.Join(folder, "config.toml"), tomlText{}, []piece{{entry, path{"mcp_servers", "followup"}, object{
					{"command", m.Program()}, {"args", ownLimit}, {"tool_timeout_sec", daySeconds},
				}, ""}}},
				{filepath.Join(folder, "hooks.json"), jsonc{}, m.codexHooks()},
			}
		},
	},
	{
		ID: "opencode", Name: "opencode", programs: []string{"opencode"}, approves: true,
		folder: func(m Machine) string { return filepath.Join(m.config(), "opencode") },
		parts: func(m Machine) []part {
			return m.opencode("opencode", "opencode.json", "opencode.jsonc", "opencode.json", "config.json")
		},
	},
	{
		ID: "kilo", Name: "Kilo Code", programs: []string{"kilo", "kilocode"}, approves: true,
		folder: func(m Machine) string { return filepath.Join(m.config(), "kilo") },
		parts: func(m Machine) []part {
			return m.opencode("kilo", "kilo.jsonc", "kilo.jsonc", "kilo.json", "config.json")
		},
	},
	{
		ID: "gemini", Name: "Gemini CLI", programs: []string{"gemini"}, project: []string{".gemini/settings.json"},
		folder: func(m Machine) string { return filepath.Join(m.or("GEMINI_CLI_HOME"), ".gemini") },
		parts: func(m Machine) []part {
			return []part{{filepath.Join(m.or("GEMINI_CLI_HOME"), ".gemini", "settings.json"), jsonc{}, []piece{
				{entry, path{"mcpServers", "followup"}, m.trusted(), ""},
				{element, path{"hooks", "BeforeTool"}, object{{"matcher", "ask_user"}, {"hooks", []any{object{
					{"name", "followup"}, {"type", "command"}, {"command", m.hook("gemini", powershell)}, {"timeout", dayMilliseconds},
				}}}}, connectForHook},
				{setting, path{"hooksConfig", "enabled"}, true, "turns on all hooks in this file"},
			}}}
		},
	},
	{
		ID: "copilot", Name: "Copilot CLI", programs: []string{"copilot"},
		folder: func(m Machine) string { return m.or("COPILOT_HOME", ".copilot") },
		parts: func(m Machine) []part {
			folder := m.or("COPILOT_HOME", ".copilot")
			return []part{
				{filepath.Join(folder, "mcp-config.json"), jsonc{}, []piece{{entry, path{"mcpServers", "followup"}, object{
					{"type", "local"}, {"command", m.Program()}, {"args", []any{"mcp"}}, {"tools", []any{"*"}}, {"timeout", dayMilliseconds},
				}, ""}}},
				{filepath.Join(folder, "hooks", "followup.json"), jsonc{}, []piece{
					{setting, path{"version"}, 1, ""},
					{element, path{"hooks", "preToolUse"}, object{
						// A hook that fails denies the tool, whichever that is.
						{"type", "command"}, {"bash", m.copilotBash()}, {"powershell", m.copilotPowershell()},
						{"timeoutSec", daySeconds},
					}, connectForHook},
				}},
			}
		},
	},
	{
		ID: "cline", Name: "Cline", programs: []string{"cline"},
		folder: func(m Machine) string { return m.or("CLINE_DATA_DIR", ".cline", "data") },
		parts: func(m Machine) []part {
			name := filepath.Join(m.or("CLINE_DATA_DIR", ".cline", "data"), "settings", "cline_mcp_settings.json")
			return []part{{name, jsonc{}, []piece{{entry, path{"mcpServers", "followup"}, object{
				{"command", m.Program()}, {"args", ownLimit}, {"timeout", daySeconds}, {"disabled", false},
				{"autoApprove", []any{"ask_followup_question", "AskUserQuestion"}},
			}, ""}}}}
		},
	},
	{
		ID: "qwen", Name: "Qwen Code", programs: []string{"qwen"}, project: []string{".qwen/settings.json"},
		folder: func(m Machine) string { return filepath.Join(m.Home, ".qwen") },
		parts: func(m Machine) []part {
			return []part{{filepath.Join(m.Home, ".qwen", "settings.json"), jsonc{}, []piece{
				{entry, path{"mcpServers", "followup"}, m.trusted(), ""},
			}}}
		},
	},
}

// Agents are all that can be connected.
func Agents() []Agent { return slices.Clone(all) }

// AgentByID gives the agent that is called so.
func AgentByID(id string) (Agent, bool) {
	at := slices.IndexFunc(all, func(a Agent) bool { return a.ID == id })
	if at < 0 {
		return Agent{}, false
	}
	return all[at], true
}

const connectForApprovals locale.Key = "so that the agent's own questions and its requests for permission appear in your inbox"

// codexHooks are the hooks of Codex. Each wants to be trusted, so those that are wanted are written at once.
func (m Machine) codexHooks() []piece {
	hook := func(k kind, event, matcher, command string, why locale.Key) piece {
		return piece{k, path{"hooks", event}, object{
			{"matcher", matcher}, {"hooks", []any{object{{"type", "command"}, {"command", command}, {"timeout", daySeconds}}}},
		}, why}
	}
	approving := unwanted
	if m.approvals().On {
		approving = element
	}
	tools := strings.Join(m.approvals().Tools, "|")
	return []piece{
		hook(element, "PreToolUse", "request_user_input", m.hook("codex", cmd), connectForHook),
		hook(approving, "PermissionRequest", tools, m.approving(m.hook("codex", cmd)), connectForApprovals),
	}
}

// trusted is the entry of Gemini CLI and those that descend from it.
func (m Machine) trusted() object {
	return object{{"command", m.Program()}, {"args", ownLimit}, {"timeout", dayMilliseconds}, {"trust", true}}
}

// opencode are the parts of opencode and those that descend from it. All files of the names are read by it; Followup's things stand in
// the one that has them, or in the first that is there, or in a new one.
func (m Machine) opencode(id, new string, names ...string) []part {
	folder := filepath.Join(m.config(), id)
	if m.approvals().On {
		id += approvalsSuffix
	}
	pieces := []piece{
		{entry, path{"mcp", "followup"}, object{
			{"type", "local"}, {"command", []any{m.Program(), "mcp"}}, {"enabled", true}, {"timeout", dayMilliseconds},
		}, ""},
		{element, path{"plugin"}, fileURL(m.plugin(id)), m.whyHook()},
	}
	chosen := ""
	for _, name := range names {
		name = filepath.Join(folder, name)
		f, err := readFile(name)
		if err != nil || !f.exists {
			continue
		}
		if chosen == "" {
			chosen = name
		}
		d, err := newDocument(jsonc{}, f.text)
		if err != nil {
			continue
		}
		if _, there := d.get(pieces[0].at); there {
			chosen = name
			break
		}
	}
	if chosen == "" {
		chosen = filepath.Join(folder, new)
	}
	return []part{{chosen, jsonc{}, pieces}}
}

func fileURL(name string) string {
	name = filepath.ToSlash(name)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive of Windows
	}
	return (&url.URL{Scheme: "file", Path: name}).String()
}

// shell is how an agent has its hooks run on Windows; elsewhere all have a POSIX shell.
type shell int

const (
	posix shell = iota
	cmd
	powershell
)

// hook is the command line of an agent's hook. Without the program it does nothing, so that the agent asks by itself and reports no error.
// Codex trusts the line as it stands: it must not change from one version to the next.
func (m Machine) hook(agent string, on shell) string {
	program, call := m.Program(), " hook "+agent
	switch {
	case !m.windows() || on == posix:
		program = m.posixProgram()
		return "test ! -x " + program + " || exec " + program + call
	case on == cmd:
		program = `"` + program + `"`
		return "if exist " + program + " " + program + call
	}
	return m.ifThere(call)
}

// posixProgram is the program in a POSIX shell, on Windows in Git Bash.
func (m Machine) posixProgram() string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@"
	program := m.Program()
	switch {
	case m.windows():
		program = inPosix(filepath.ToSlash(program))
	case strings.Trim(program, plain) != "":
		program = inPosix(program)
	}
	return program
}

// copilotBash is the hook of Copilot CLI, which denies a tool whose hook fails: its status is always 0.
func (m Machine) copilotBash() string {
	program := m.posixProgram()
	return "test ! -x " + program + " || " + program + " hook copilot || true"
}

// copilotPowershell is the same for PowerShell, on any system.
func (m Machine) copilotPowershell() string {
	return "try { " + m.ifThere(" hook copilot") + " } catch { [Console]::Error.WriteLine($_) }; exit 0"
}

// ifThere calls the program in PowerShell if it is there.
func (m Machine) ifThere(call string) string {
	program := inPowershell(m.Program())
	return "if (Test-Path -LiteralPath " + program + ") { & " + program + call + " }"
}

// inPosix is a program whatever its path has in it: nothing is expanded in single quotes.
func inPosix(program string) string { return "'" + strings.ReplaceAll(program, "'", `'\''`) + "'" }

// inPowershell is the same for PowerShell.
func inPowershell(program string) string { return "'" + strings.ReplaceAll(program, "'", "''") + "'" }
