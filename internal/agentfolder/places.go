package agentfolder

import (
	"cmp"
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

// places are the patterns of paths. ${AGENT} is the agent's folder. ${NAME|PATH} is the value of the variable NAME if that is
// an absolute path, and otherwise PATH; ~ is the user's home; ${user} stands for each folder in which an editor keeps its
// user's files.
var places = []Place{
	{"Claude Code", []string{"${claude-code}/projects", "${XDG_CONFIG_HOME|~/.config}/claude/projects"}},
	{"cc-viewer", []string{"${claude-code}/cc-viewer"}},
	{"Codex", []string{"${codex}/sessions", "${codex}/archived_sessions"}},
	{"Gemini CLI", []string{"${gemini}/tmp/*/chats"}},
	{"Qwen Code", []string{"${qwen}/projects"}},
	{"opencode", []string{"${XDG_DATA_HOME|~/.local/share}/opencode/opencode*.db"}},
	{"Cline", []string{"${user}/globalStorage/saoudrizwan.claude-dev/tasks", "${CLINE_SESSION_DATA_DIR|}", "${cline}/sessions"}},
	{"Kilo Code", []string{"${user}/globalStorage/kilocode.kilo-code/tasks", "${XDG_DATA_HOME|~/.local/share}/kilo/kilo*.db"}},
	{"Roo Code", []string{"${user}/globalStorage/rooveterinaryinc.roo-cline/tasks"}},
	{"Zoo Code", []string{"${user}/globalStorage/zoocodeorganization.zoo-code/tasks", "${user}/globalStorage/ZooCodeOrganization.zoo-code/tasks"}},
	{"IBM Bob", []string{"${user}/globalStorage/ibm.bob-code/tasks"}},
	{"Copilot", []string{"${user}/workspaceStorage/*/chatSessions", "${user}/globalStorage/emptyWindowChatSessions"}},
	{"Copilot CLI", []string{"${copilot}/session-state/*/events.jsonl"}},
	{"Kimi Code", []string{"${kimi}/sessions/*/*/agents/*/wire.jsonl"}},
}

// configs are the folders of programs' configurations, by system.
var configs = map[string]string{"darwin": "${|~}/Library/Application Support", "windows": "${AppData|}"}

// within expands ${user} at the start of a pattern to the folder of each editor.
func within(pattern string) (all []string) {
	rest, isEditor := strings.CutPrefix(pattern, "${user}")
	if !isEditor {
		return []string{pattern}
	}
	all = append(all, "${storage|}"+rest)
	config := cmp.Or(configs[runtime.GOOS], "${XDG_CONFIG_HOME|~/.config}")
	for _, editor := range []string{
		"Code", "Code - Insiders", "Code - OSS", "VSCodium", "Cursor", "Windsurf", "Antigravity", "Kiro", "Trae", "IBM Bob", "Bob-IDE",
	} {
		all = append(all, config+"/"+editor+"/User"+rest)
	}
	for _, server := range []string{".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server"} {
		all = append(all, "${|~}/"+server+"/data/User"+rest)
	}
	return append(all, "${XDG_DATA_HOME|~/.local/share}/code-server/User"+rest)
}

// Tools are the names of all tools that Places knows.
func Tools() (names []string) {
	for _, place := range places {
		names = append(names, place.Tool)
	}
	return names
}

// Variables returns the environment variables that Places reads, without empty ones. The map is never nil.
func Variables(env func(string) string) map[string]string {
	all := map[string]string{}
	Places(func(name string) string {
		if value := env(name); value != "" {
			all[name] = value
		}
		return "" // then the pattern matches nothing
	}, "")
	return all
}

// Places finds the logs of other tools on this machine. env returns environment variables. storage is Followup's folder in
// an editor's global storage, beside the folders of other extensions; it may be empty.
func Places(env func(string) string, storage string) (found []Place) {
	home := env("HOME")
	if runtime.GOOS == "windows" {
		home = env("USERPROFILE")
	}
	value := func(variable string) string {
		if folder, ok := Of(variable, env, home); ok {
			return folder
		}
		name, otherwise, _ := strings.Cut(variable, "|")
		if name == "storage" {
			return filepath.Dir(filepath.Dir(storage)) // the editor's folder
		}
		if value := env(name); filepath.IsAbs(value) {
			return value
		}
		if rest, ok := strings.CutPrefix(otherwise, "~"); ok && home != "" {
			return home + rest
		}
		return otherwise
	}
	for _, place := range places {
		there := Place{Tool: place.Tool}
		for _, pattern := range place.Paths {
			for _, path := range within(pattern) {
				for _, path := range glob(os.Expand(path, value)) {
					if !slices.ContainsFunc(there.Paths, func(known string) bool { return isSame(known, path) }) {
						there.Paths = append(there.Paths, path)
					}
				}
			}
		}
		if len(there.Paths) > 0 {
			found = append(found, there)
		}
	}
	return found
}

// isSame reports whether two paths lead to the same file. On macOS and Windows they may differ in case.
func isSame(a, b string) bool {
	one, err := os.Stat(a)
	other, failed := os.Stat(b)
	return a == b || err == nil && failed == nil && os.SameFile(one, other)
}

// glob returns the paths that match a pattern. A pattern without a star is a literal path.
func glob(pattern string) []string {
	pattern = filepath.Clean(pattern)
	switch _, err := os.Stat(pattern); {
	case !filepath.IsAbs(pattern): // the user has no home folder
		return nil
	case strings.Contains(pattern, "*"):
		found, _ := filepath.Glob(pattern) // an odd name can make the pattern malformed; then it matches nothing
		return found
	case err != nil:
		return nil
	}
	return []string{pattern}
}
