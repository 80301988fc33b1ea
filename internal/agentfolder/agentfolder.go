// Package agentfolder locates the folders of coding agents, for their configuration and for their logs.
package agentfolder

import "path/filepath"

// folder is the folder called name, in the folder that an environment variable names, or otherwise in home below the user's
// home folder.
type folder struct{ variable, home, name string }

// folders are the agents' folders by the agents' names on the command line.
var folders = map[string]folder{
	"claude-code": {variable: "CLAUDE_CONFIG_DIR", home: ".claude"},
	"cline":       {variable: "CLINE_DATA_DIR", home: ".cline/data"},
	"codex":       {variable: "CODEX_HOME", home: ".codex"},
	"copilot":     {variable: "COPILOT_HOME", home: ".copilot"},
	"gemini":      {variable: "GEMINI_CLI_HOME", name: ".gemini"},
	"kilo":        {variable: "XDG_CONFIG_HOME", home: ".config", name: "kilo"},
	"kimi":        {variable: "KIMI_CODE_HOME", home: ".kimi-code"},
	"opencode":    {variable: "XDG_CONFIG_HOME", home: ".config", name: "opencode"}, // on all systems
	"qwen":        {home: ".qwen"},
}

// Of returns an agent's folder. env returns environment variables, and home is the user's home folder; if home is empty, the
// path may be relative. ok reports whether the agent is known.
func Of(agent string, env func(string) string, home string) (path string, ok bool) {
	f, ok := folders[agent]
	switch named := env(f.variable); {
	case !ok:
		return "", false
	case filepath.IsAbs(named):
		return filepath.Join(named, f.name), true
	}
	return filepath.Join(home, f.home, f.name), true
}
