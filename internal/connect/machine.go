package connect

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// Machine is where agents are looked for.
type Machine struct {
	// OS is a GOOS; empty: this one's.
	OS string
	// Env gives the variables of the environment.
	Env func(name string) string
	// Home is the user's home folder.
	Home string
	// Person is the folder of everything that is a person's.
	Person string
	// Folder is the working folder, for the settings of its project; empty: none.
	Folder string
	// Approvals are those that agents are to be connected with. If nil, they stay as they are configured.
	Approvals *Approvals
	// LookPath finds a program by its name, as exec.LookPath does.
	LookPath func(name string) (string, error)
}

func (m Machine) windows() bool {
	return m.OS == "windows" || m.OS == "" && runtime.GOOS == "windows"
}

// or is the folder that a variable names, or else one in the home folder.
func (m Machine) or(variable string, otherwise ...string) string {
	if named := m.Env(variable); filepath.IsAbs(named) {
		return filepath.Clean(named)
	}
	return filepath.Join(append([]string{m.Home}, otherwise...)...)
}

// config is where programs keep their configuration by https://specifications.freedesktop.org/basedir-spec, on all systems.
func (m Machine) config() string { return m.or("XDG_CONFIG_HOME", ".config") }

// Program is the path of Followup's program that agents are told, the same for all versions.
func (m Machine) Program() string {
	name := "followup"
	if m.windows() {
		name += ".exe"
	}
	return filepath.Join(m.Person, "bin", name)
}

// plugin is the path of the plugin for an agent. It stands beside the program, and finds it there.
func (m Machine) plugin(agent string) string { return filepath.Join(m.Person, "bin", agent+".js") }

// pluggable are the agents that have a plugin. It is one file under their names, and under those with the suffix for approvals.
var pluggable = []string{"opencode", "kilo"}

// plugins are the names of the plugin.
func plugins() (names []string) {
	for _, id := range pluggable {
		names = append(names, id, id+approvalsSuffix)
	}
	return names
}

// found tells whether an agent is on this machine: it has a program, or has been configured.
func (m Machine) found(a Agent) bool {
	if info, err := os.Stat(a.folder(m)); err == nil && info.IsDir() {
		return true
	}
	for _, name := range a.programs {
		if _, err := m.LookPath(name); err == nil {
			return true
		}
	}
	return false
}

// ours is Followup's program, alone or as a hook, or its plugin.
var ours = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`/followup/bin/(?:followup(?:\.exe)?(?:$|["']?\s+hook\s)|(?:` + strings.Join(plugins(), "|") + `)\.js$)`)
})

// unquoted takes back how shells have an apostrophe in a path: POSIX ones, and PowerShell.
var unquoted = strings.NewReplacer(`'\''`, "'", "''", "'")

// names tells whether a text names Followup's program or plugin, be it in the folder of today or in one of before. What else a user runs
// of or from such a folder is the user's.
func (m Machine) names(text string) bool {
	if strings.HasPrefix(text, "file:") {
		if plain, err := url.PathUnescape(text); err == nil {
			text = plain
		}
	}
	text = unquoted.Replace(text)
	plain := func(text string) string { return strings.ToLower(strings.ReplaceAll(text, `\`, "/")) }
	return ours().MatchString(strings.ReplaceAll(plain(text), plain(filepath.Dir(m.Program()))+"/", "/followup/bin/"))
}

// mine tells whether a value names it anywhere.
func (m Machine) mine(value any) bool {
	switch value := value.(type) {
	case string:
		return m.names(value)
	case []any:
		for _, each := range value {
			if m.mine(each) {
				return true
			}
		}
	case map[string]any:
		for _, each := range value {
			if m.mine(each) {
				return true
			}
		}
	}
	return false
}
