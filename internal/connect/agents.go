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
	// ID is its name on the command line.
	ID string
	// Name is its name in texts.
	Name string
	// programs are the names of its executable.
	programs []string
	// folder holds its configuration.
	folder func(Machine) string
	// parts are the files in which Followup has entries.
	parts func(Machine) []part
	// approves says that its hook can answer its requests for permission, narrows that the hook can run for some tools only.
	approves, narrows bool
	// project are the settings files of a project, in its folder. The last one takes precedence.
	project []string
}

// part is one of an agent's files, with Followup's pieces in it.
type part struct {
	name   string
	format format
	pieces []piece
}

// read parses the file. One that does not exist is empty.
func (p part) read() (document, error) {
	f, err := readFile(p.name)
	if err != nil {
		return nil, err
	}
	return p.format(f.text)
}

// piece is one value of Followup's in a file.
type piece struct {
	kind  kind
	at    path
	value any
	// why says what it is for. It is empty for Followup's own entry, and for values that the file itself needs.
	why locale.Key
}

type kind int

const (
	entry    kind = iota // a member with a name of its own
	element              // an element of a list, recognised by the program that it names
	unwanted             // an element that connect removes
	listed               // a text in a list, which the user may have put there, too
	setting              // a member that is set only if the user has not set it
)

// The limit of a call and of a hook is a day, which every agent accepts.
const (
	daySeconds      = 24 * 60 * 60
	dayMilliseconds = daySeconds * 1000
)

// ownLimit makes the server answer before the agents that ignore progress notifications give up.
var ownLimit = []any{"mcp", "--limit", "23h"}

const (
	connectForHook      locale.Key = "so that the agent's own questions appear in your inbox"
	connectForApprovals locale.Key = "so that the agent's own questions and its requests for permission appear in your inbox"
)

// The names and contents of the configurations were tried with Claude Code 2.1.330, Codex 0.169, opencode 1.18.33, Kilo CLI
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
				{servers, parseJSON, []piece{{entry, path{"mcpServers", "followup"}, object{
					{"type", "stdio"}, {"command", m.Program()}, {"args", []any{"mcp"}}, {"timeout", dayMilliseconds},
				}, ""}}},
				{filepath.Join(m.or("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"), parseJSON, []piece{
					{element, path{"hooks", "PermissionRequest"}, object{{"matcher", m.claudeMatcher()}, {"hooks", []any{object{
						{"type", "command"}, {"command", m.approving(m.hook("claude-code", posix))}, {"timeout", daySeconds},
					}}}}, m.whyHook()},
					{listed, path{"permissions", "allow"}, "mcp__followup", "so that the agent can use Followup's tools without asking"},
					// After two minutes a call would move to the background, and the agent would distrust its answer.
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
				{filepath.Join(folder, "config.toml"), parseTOML, []piece{{entry, path{"mcp_servers", "followup"}, object{
					{"command", m.Program()}, {"args", ownLimit}, {"tool_timeout_sec", daySeconds},
				}, ""}}},
				{filepath.Join(folder, "hooks.json"), parseJSON, m.codexHooks()},
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
			return []part{{filepath.Join(m.or("GEMINI_CLI_HOME"), ".gemini", "settings.json"), parseJSON, []piece{
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
				{filepath.Join(folder, "mcp-config.json"), parseJSON, []piece{{entry, path{"mcpServers", "followup"}, object{
					{"type", "local"}, {"command", m.Program()}, {"args", []any{"mcp"}}, {"tools", []any{"*"}}, {"timeout", dayMilliseconds},
				}, ""}}},
				{filepath.Join(folder, "hooks", "followup.json"), parseJSON, []piece{
					{setting, path{"version"}, 1, ""},
					{element, path{"hooks", "preToolUse"}, object{
						// A hook that fails denies the tool.
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
			return []part{{name, parseJSON, []piece{{entry, path{"mcpServers", "followup"}, object{
				{"command", m.Program()}, {"args", ownLimit}, {"timeout", daySeconds}, {"disabled", false},
				{"autoApprove", []any{"ask_followup_question", "AskUserQuestion"}},
			}, ""}}}}
		},
	},
	{
		ID: "qwen", Name: "Qwen Code", programs: []string{"qwen"}, project: []string{".qwen/settings.json"},
		folder: func(m Machine) string { return filepath.Join(m.Home, ".qwen") },
		parts: func(m Machine) []part {
			return []part{{filepath.Join(m.Home, ".qwen", "settings.json"), parseJSON, []piece{
				{entry, path{"mcpServers", "followup"}, m.trusted(), ""},
			}}}
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

// codexHooks returns the hooks of Codex. The user has to trust each one, so all of them are written at once.
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

// trusted returns the entry of Gemini CLI and its descendants.
func (m Machine) trusted() object {
	return object{{"command", m.Program()}, {"args", ownLimit}, {"timeout", dayMilliseconds}, {"trust", true}}
}

// opencode returns the parts of opencode and its descendants, which read all files with these names. Followup's entry goes into the file
// that has it already, else into the first that exists, else into a new one.
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
	chosen := filepath.Join(folder, new)
	for _, name := range slices.Backward(names) {
		p := part{name: filepath.Join(folder, name), format: parseJSON}
		if f, err := readFile(p.name); err == nil && f.exists {
			chosen = p.name
		}
	}
	for _, name := range slices.Backward(names) {
		p := part{name: filepath.Join(folder, name), format: parseJSON}
		if d, err := p.read(); err == nil {
			if _, there := d.get(pieces[0].at); there {
				chosen = p.name
			}
		}
	}
	return []part{{chosen, parseJSON, pieces}}
}

func fileURL(name string) string {
	name = filepath.ToSlash(name)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: name}).String()
}

// shell is the one that runs an agent's hooks on Windows. Elsewhere it is a POSIX shell.
type shell int

const (
	posix shell = iota
	cmd
	powershell
)

// hook returns the command line of an agent's hook. If the program is missing, the line does nothing, so the agent asks by itself and reports
// no error. Codex trusts the line as it is, so it must not change between versions.
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

// posixProgram returns the program for a POSIX shell, which is Git Bash on Windows.
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

// copilotBash returns the hook of Copilot CLI. Its exit status is always 0, because Copilot denies a tool whose hook fails.
func (m Machine) copilotBash() string {
	program := m.posixProgram()
	return "test ! -x " + program + " || " + program + " hook copilot || true"
}

// copilotPowershell is copilotBash for PowerShell, on any system.
func (m Machine) copilotPowershell() string {
	return "try { " + m.ifThere(" hook copilot") + " } catch { [Console]::Error.WriteLine($_) }; exit 0"
}

// ifThere returns a PowerShell line that runs the program if it exists.
func (m Machine) ifThere(call string) string {
	program := inPowershell(m.Program())
	return "if (Test-Path -LiteralPath " + program + ") { & " + program + call + " }"
}

// inPosix quotes a path for a POSIX shell, which expands nothing in single quotes.
func inPosix(program string) string { return "'" + strings.ReplaceAll(program, "'", `'\''`) + "'" }

// inPowershell quotes a path for PowerShell.
func inPowershell(program string) string { return "'" + strings.ReplaceAll(program, "'", "''") + "'" }
