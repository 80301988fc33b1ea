package importing

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Place is where one tool keeps logs on this machine.
type Place struct {
	// Tool is its name.
	Tool string
	// Paths are files and folders that exist, absolute.
	Paths []string
}

// Tools are the names of all tools that Places knows.
func Tools() (names []string) {
	for _, place := range patterns(func(string) string { return "" }, "") {
		names = append(names, place.Tool)
	}
	return names
}

// Variables returns the variables of an environment that Places asks for, without those that are empty. It is never nil.
func Variables(env func(string) string) map[string]string {
	all := map[string]string{}
	patterns(func(name string) string {
		value := env(name)
		if value != "" {
			all[name] = value
		}
		return value
	}, "")
	return all
}

// Places finds the logs of tools. Env returns the variables of the environment; storage is Followup's folder in an editor's
// global storage, beside which other extensions have theirs, or empty.
func Places(env func(string) string, storage string) (found []Place) {
	for _, place := range patterns(env, storage) {
		there := Place{Tool: place.Tool}
		for _, pattern := range place.Paths {
			for _, path := range glob(pattern) {
				if !slices.Contains(there.Paths, path) {
					there.Paths = append(there.Paths, path)
				}
			}
		}
		if len(there.Paths) > 0 {
			found = append(found, there)
		}
	}
	return found
}

// patterns are the paths of Places, whether or not anything exists there.
func patterns(env func(string) string, storage string) []Place {
	home := env("HOME")
	if runtime.GOOS == "windows" {
		home = env("USERPROFILE")
	}
	or := func(variable string, otherwise ...string) string {
		if value := env(variable); filepath.IsAbs(value) {
			return value
		}
		return filepath.Join(append([]string{home}, otherwise...)...)
	}
	data := or("XDG_DATA_HOME", ".local", "share")
	var global, chats []string // patterns
	for _, user := range editors(home, env, or, storage) {
		global = append(global, filepath.Join(user, "globalStorage"))
		chats = append(chats, filepath.Join(user, "workspaceStorage", "*", "chatSessions"), filepath.Join(user, "globalStorage", "emptyWindowChatSessions"))
	}
	tasks := func(extension string) (all []string) {
		for _, folder := range global {
			all = append(all, filepath.Join(folder, extension, "tasks"))
		}
		return all
	}
	claude := or("CLAUDE_CONFIG_DIR", ".claude")
	codex := or("CODEX_HOME", ".codex")
	sessions := filepath.Join(or("CLINE_DATA_DIR", ".cline", "data"), "sessions")
	if own := env("CLINE_SESSION_DATA_DIR"); filepath.IsAbs(own) {
		sessions = own
	}
	return []Place{
		{"Claude Code", []string{filepath.Join(claude, "projects"), filepath.Join(or("XDG_CONFIG_HOME", ".config"), "claude", "projects")}},
		{"cc-viewer", []string{filepath.Join(claude, "cc-viewer")}},
		{"Codex", []string{filepath.Join(codex, "sessions"), filepath.Join(codex, "archived_sessions")}},
		{"Gemini CLI", []string{filepath.Join(home, ".gemini", "tmp", "*", "chats")}},
		{"Qwen Code", []string{filepath.Join(home, ".qwen", "projects")}},
		{"opencode", []string{filepath.Join(data, "opencode", "opencode*.db")}},
		{"Cline", append(tasks("saoudrizwan.claude-dev"), sessions)},
		{"Kilo Code", append(tasks("kilocode.kilo-code"), filepath.Join(data, "kilo", "kilo*.db"))},
		{"Roo Code", tasks("rooveterinaryinc.roo-cline")},
		{"Zoo Code", append(tasks("zoocodeorganization.zoo-code"), tasks("ZooCodeOrganization.zoo-code")...)},
		{"IBM Bob", tasks("ibm.bob-code")},
		{"Copilot", chats},
		{"Copilot CLI", []string{filepath.Join(or("COPILOT_HOME", ".copilot"), "session-state", "*", "events.jsonl")}},
	}
}

// editors returns the folders in which editors keep the files of their user.
func editors(home string, env func(string) string, or func(string, ...string) string, storage string) (all []string) {
	config := or("XDG_CONFIG_HOME", ".config")
	switch runtime.GOOS {
	case "darwin":
		config = filepath.Join(home, "Library", "Application Support")
	case "windows":
		config = env("AppData")
	}
	if storage != "" {
		all = append(all, filepath.Dir(filepath.Dir(storage)))
	}
	for _, editor := range []string{
		"Code", "Code - Insiders", "Code - OSS", "VSCodium", "Cursor", "Windsurf", "Antigravity", "Kiro", "Trae", "IBM Bob", "Bob-IDE",
	} {
		all = append(all, filepath.Join(config, editor, "User"))
	}
	for _, server := range []string{".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server"} {
		all = append(all, filepath.Join(home, server, "data", "User"))
	}
	return append(all, filepath.Join(or("XDG_DATA_HOME", ".local", "share"), "code-server", "User"))
}

// glob returns the paths that match a pattern. One without a star is a path, whatever else is in it.
func glob(pattern string) []string {
	if !filepath.IsAbs(pattern) {
		return nil // there is no home
	}
	if !strings.Contains(pattern, "*") {
		if _, err := os.Stat(pattern); err != nil {
			return nil
		}
		return []string{pattern}
	}
	found, _ := filepath.Glob(pattern) // a malformed pattern comes of an odd name, and matches nothing
	return found
}
