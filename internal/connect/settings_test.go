package connect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"followup/internal/locale"
)

// Each change to the files that connect writes prevents the agent from asking. The finding has the place, and what to do.
func TestInspect(t *testing.T) {
	for name, test := range map[string]struct {
		agent, file string
		change      [2]string // of the file that connect writes
		key, says   string
	}{
		"the limit of Claude Code's server": {"claude-code", ".claude.json", [2]string{"86400000", "1000"},
			"mcpServers.followup.timeout", "after 1s. Set mcpServers.followup.timeout to 86400000 in "},
		"the limit of all of Claude Code's servers": {"claude-code", ".claude/settings.json", [2]string{`"env": {`, `"env": {"MCP_TOOL_TIMEOUT": "1000", `},
			"env.MCP_TOOL_TIMEOUT", `after 1s. Set env.MCP_TOOL_TIMEOUT to "86400000" in `},
		"the limit of Claude Code's hook": {"claude-code", ".claude/settings.json", [2]string{`"timeout": 86400`, `"timeout": 1`},
			"hooks.PermissionRequest[0].hooks[0].timeout", "after 1s. Set hooks.PermissionRequest[0].hooks[0].timeout to 86400 in "},
		"the background": {"claude-code", ".claude/settings.json", [2]string{`_MS": "0"`, `_MS": "5000"`},
			"env.CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS", `to the background after 5s, and does not trust the answer that arrives then. Set env.CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS to "0" in `},
		"the background by default": {"claude-code", ".claude/settings.json", [2]string{"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS", "OTHER"},
			"env.CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS", "to the background after 2m0s"},
		"a denied server": {"claude-code", ".claude/settings.json", [2]string{`"permissions": {`, `"permissions": {"deny": ["Bash(rm *)", "mcp__followup"], `},
			"permissions.deny", "permissions.deny in HOME/.claude/settings.json has mcp__followup. Remove it"},
		"all denied tools of the server": {"claude-code", ".claude/settings.json", [2]string{`"permissions": {`, `"permissions": {"deny": ["mcp__followup__*"], `},
			"permissions.deny", "has mcp__followup__*."},
		"one denied tool": {"claude-code", ".claude/settings.json", [2]string{`"permissions": {`, `"permissions": {"deny": ["mcp__followup__AskUserQuestion"], `},
			"permissions.deny", "has mcp__followup__AskUserQuestion."},
		"Claude Code's hooks": {"claude-code", ".claude/settings.json", [2]string{`"permissions": {`, `"disableAllHooks": true, "permissions": {`},
			"disableAllHooks", "disableAllHooks = true in HOME/.claude/settings.json turns it off"},
		"Claude Code's servers": {"claude-code", ".claude/settings.json", [2]string{`"permissions": {`, `"deniedMcpServers": [{"serverName": "followup"}], "permissions": {`},
			"deniedMcpServers", `has {"serverName":"followup"}.`},
		"Codex' limit": {"codex", ".codex/config.toml", [2]string{"= 86400", "= 1"},
			"mcp_servers.followup.tool_timeout_sec", "after 1s. Set mcp_servers.followup.tool_timeout_sec to 86400 in "},
		"Codex' tools": {"codex", ".codex/config.toml", [2]string{"tool_timeout_sec", "enabled_tools = [\"AskUserQuestion\"]\ntool_timeout_sec"},
			"mcp_servers.followup.enabled_tools", "lacks ask_followup_question. Add it"},
		"Codex' hook": {"codex", ".codex/hooks.json", [2]string{": 86400", ": 1"}, "hooks.PreToolUse[0].hooks[0].timeout", "after 1s"},
		"opencode's limit": {"opencode", ".config/opencode/opencode.json", [2]string{"86400000", "1000"},
			"mcp.followup.timeout", "after 1s. Set mcp.followup.timeout to 86400000 in "},
		"opencode's permission": {"opencode", ".config/opencode/opencode.json", [2]string{`"mcp": {`, `"permission": {"*": "deny", "followup_*": "deny"}, "mcp": {`},
			"permission", "has followup_*: deny."},
		"Kilo Code's limit": {"kilo", ".config/kilo/kilo.jsonc", [2]string{"86400000", "1000"}, "mcp.followup.timeout", "after 1s"},
		"Gemini CLI's limit": {"gemini", ".gemini/settings.json", [2]string{"86400000", "1000"},
			"mcpServers.followup.timeout", "after 1s. Set mcpServers.followup.timeout to 86400000 in "},
		"Gemini CLI's excluded servers": {"gemini", ".gemini/settings.json", [2]string{`"mcpServers": {`, `"mcp": {"excluded": ["github", "followup"]}, "mcpServers": {`},
			"mcp.excluded", "mcp.excluded in HOME/.gemini/settings.json has followup. Remove it"},
		"Gemini CLI's allowed servers": {"gemini", ".gemini/settings.json", [2]string{`"mcpServers": {`, `"mcp": {"allowed": ["github"]}, "mcpServers": {`},
			"mcp.allowed", "mcp.allowed in HOME/.gemini/settings.json lacks followup. Add it"},
		"Gemini CLI's excluded tools": {"gemini", ".gemini/settings.json", [2]string{`"trust": true`, `"trust": true, "excludeTools": ["AskUserQuestion"]`},
			"mcpServers.followup.excludeTools", "has AskUserQuestion."},
		"Copilot CLI's limit": {"copilot", ".copilot/mcp-config.json", [2]string{"86400000", "1000"}, "mcpServers.followup.timeout", "after 1s"},
		"Copilot CLI's hook":  {"copilot", ".copilot/hooks/followup.json", [2]string{": 86400", ": 1"}, "hooks.preToolUse[0].timeoutSec", "after 1s"},
		"Copilot CLI's tools": {"copilot", ".copilot/mcp-config.json", [2]string{`"*"`, ""}, "mcpServers.followup.tools", "lacks ask_followup_question"},
		"Cline's limit": {"cline", ".cline/data/settings/cline_mcp_settings.json", [2]string{": 86400", ": 1"},
			"mcpServers.followup.timeout", "after 1s. Set mcpServers.followup.timeout to 86400 in "},
		"Qwen Code's limit": {"qwen", ".qwen/settings.json", [2]string{"86400000", "1000"}, "mcpServers.followup.timeout", "after 1s"},
	} {
		t.Run(name, func(t *testing.T) {
			m, a := machine(t), agent(t, test.agent)
			m.connect(t, a, false)
			file := filepath.Join(m.Home, filepath.FromSlash(test.file))
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if found := m.inspect(m.Look(a), locale.English); len(found) > 0 {
				t.Errorf("as connect writes it: %+v", found)
			}
			changed := strings.Replace(string(text), test.change[0], test.change[1], 1)
			if changed == string(text) {
				t.Fatalf("there is no %q in:\n%s", test.change[0], text)
			}
			write(t, file, changed)
			s := m.Look(a)
			if s.Err != nil {
				t.Fatal(s.Err)
			}
			found := m.inspect(s, locale.English)
			if len(found) != 1 || found[0].OK || found[0].File != file || found[0].Key != test.key ||
				!strings.Contains(filepath.ToSlash(strings.ReplaceAll(found[0].Text, m.Home, "HOME")), test.says) {
				t.Errorf("found %+v", found)
			}
		})
	}
}

// Project settings override the user's, and those override the environment.
func TestInspectPrecedence(t *testing.T) {
	m, a := machine(t), agent(t, "claude-code")
	m.connect(t, a, false)
	m.Folder = t.TempDir()
	settings := filepath.Join(m.Home, ".claude", "settings.json")
	m.Env = func(name string) string {
		return map[string]string{claudeBackground: "7000", claudeLimit: "9000"}[name]
	}
	only := func(says ...string) {
		t.Helper()
		found := m.inspect(m.Look(a), locale.English)
		if len(found) != len(says) {
			t.Fatalf("found %+v", found)
		}
		for i, each := range says {
			if !strings.Contains(found[i].Text, each) {
				t.Errorf("found %+v", found[i])
			}
		}
	}
	only(`Set MCP_TOOL_TIMEOUT to "86400000" in the environment`) // the settings disable background calls
	text, _ := os.ReadFile(settings)
	write(t, settings, strings.Replace(string(text), claudeBackground, "OTHER", 1))
	only("after 9s", "after 7s")
	local := filepath.Join(m.Folder, ".claude", "settings.local.json")
	write(t, local, `{"env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": 0}, "permissions": {"deny": ["mcp__*"]}}`)
	only("permissions.deny in "+local+" has mcp__*", "after 9s")
	write(t, local, "{") // invalid, but reported by the agent itself
	only("after 9s", "after 7s")
}
