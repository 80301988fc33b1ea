package connect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"

	"followup/internal/locale"
)

// machine is one with an empty home, on which nothing is installed.
func machine(t *testing.T) Machine {
	t.Helper()
	home := t.TempDir()
	return Machine{
		Env: func(string) string { return "" }, Home: home, Person: filepath.Join(home, ".local", "share", "followup"),
		LookPath: func(string) (string, error) { return "", exec.ErrNotFound },
	}
}

func agent(t *testing.T, id string) Agent {
	t.Helper()
	a, ok := AgentByID(id)
	if !ok {
		t.Fatalf("there is no %s", id)
	}
	return a
}

// connect does what the command does.
func (m Machine) connect(t *testing.T, a Agent, replace bool) []Change {
	t.Helper()
	changes, err := m.Plan(a, replace)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Apply(a, changes); err != nil {
		t.Fatal(err)
	}
	return changes
}

func (m Machine) disconnect(t *testing.T, a Agent) {
	t.Helper()
	changes, err := m.PlanBack(a)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.ApplyBack(a, changes); err != nil {
		t.Fatal(err)
	}
}

// files gives all files of the home folder but Followup's own.
func files(t *testing.T, m Machine) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(m.Home, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == m.Person:
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		text, err := os.ReadFile(name)
		at, _ := filepath.Rel(m.Home, name)
		found[filepath.ToSlash(at)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s", what, diff.Diff("want", []byte(want), "got", []byte(got)))
	}
}

// spelled returns a text of Linux as this system has it: on Windows, paths below the home folder are compared without their separators,
// quotes and the program's extension.
func spelled(m Machine, text string) string {
	if runtime.GOOS != "windows" {
		return text
	}
	escaped, slashed := strings.ReplaceAll(m.Home, `\`, `\\`), filepath.ToSlash(m.Home)
	text = strings.NewReplacer("file:///"+slashed, "file://HOME", escaped, "HOME", m.Home, "HOME", slashed, "HOME").Replace(text)
	return regexp.MustCompile(`'?HOME([\\/]+[\w.-]+)+'?`).ReplaceAllStringFunc(text, func(path string) string {
		path = strings.TrimSuffix(strings.Trim(path, "'"), ".exe")
		return regexp.MustCompile(`\\+`).ReplaceAllString(path, "/")
	})
}

// Each file of testdata is a home folder before and after an agent is connected; files after are named with "after/". The first line
// of its comment names the agent, and maybe approvals. HOME stands for the home folder.
func TestConnect(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { testHome(t, name) })
	}
}

func testHome(t *testing.T, archive string) {
	homes, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	m := machine(t)
	m.OS = "linux"
	line, _, _ := strings.Cut(string(homes.Comment), "\n")
	id, tools, approves := strings.Cut(line, " --approvals=")
	a := agent(t, id)
	if approves {
		m.Approvals = &Approvals{On: true}
		if tools != "" {
			m.Approvals.Tools = strings.Split(tools, ",")
		}
	}
	before, after := map[string]string{}, map[string]string{}
	for _, f := range homes.Files {
		text := strings.ReplaceAll(string(f.Data), "HOME", filepath.ToSlash(m.Home))
		if name, ok := strings.CutPrefix(f.Name, "after/"); ok {
			after[name] = text
			continue
		}
		before[f.Name] = text
		write(t, filepath.Join(m.Home, f.Name), text)
	}
	changes := m.connect(t, a, false)
	got := files(t, m)
	if *update {
		var out txtar.Archive
		out.Comment = homes.Comment
		for _, f := range homes.Files {
			if !strings.HasPrefix(f.Name, "after/") {
				out.Files = append(out.Files, f)
			}
		}
		for _, c := range changes {
			at, _ := filepath.Rel(m.Home, c.Name)
			out.Files = append(out.Files, txtar.File{Name: "after/" + at, Data: []byte(strings.ReplaceAll(got[at], m.Home, "HOME"))})
		}
		if err := os.WriteFile(archive, txtar.Format(&out), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range after {
		equal(t, name, spelled(m, got[name]), spelled(m, want))
		if text, was := before[name]; was {
			equal(t, name+backupSuffix, got[name+backupSuffix], text)
		}
	}
	if len(after) != len(changes) && !*update {
		t.Errorf("%d files have changed, not %d", len(changes), len(after))
	}
	if approvals := m.Configured(a); approves && !reflect.DeepEqual(&approvals, m.Approvals) || !approves && approvals.On {
		t.Errorf("configured are the approvals %+v", approvals)
	}
	m.Approvals = nil // they stay
	if again := m.connect(t, a, false); len(again) > 0 {
		t.Errorf("the second time changes %s:\n%s", again[0].Name, diff.Diff("first", again[0].Before, "second", again[0].After))
	}

	// Without what was noted, Followup's own things are found and taken out.
	t.Run("without a record", func(t *testing.T) {
		lost := m
		lost.Person = filepath.Join(t.TempDir(), "followup")
		plan, err := lost.PlanBack(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range plan {
			if strings.Contains(string(c.After), "ollowup/bin/followup") || strings.Contains(string(c.After), "ollowup/bin/"+id) {
				t.Errorf("%s keeps Followup's:\n%s", c.Name, c.After)
			}
		}
	})
	if connected(before) {
		return // it was connected in a way before, which cannot come back
	}
	m.disconnect(t, a)
	left := files(t, m)
	for name, text := range before {
		equal(t, name, left[name], text)
		delete(left, name)
	}
	for name := range left {
		t.Errorf("%s is left", name)
	}
	if s := m.Look(a); s.State != None {
		t.Errorf("it is %s, %v", s.State, s.Err)
	}
}

// connected reports whether files name Followup's program.
func connected(files map[string]string) bool {
	for _, text := range files {
		if strings.Contains(text, "/followup/bin/followup") {
			return true
		}
	}
	return false
}

// Of a list in which another hook stands beside Followup's, only Followup's goes.
func TestAnothersHookStays(t *testing.T) {
	m, a := machine(t), agent(t, "claude-code")
	settings := filepath.Join(m.Home, ".claude", "settings.json")
	m.connect(t, a, false)
	text, _ := os.ReadFile(settings)
	const more = `{ "type": "command", "command": "say hello" },`
	write(t, settings, strings.Replace(string(text), `"hooks": [`+"\n          {", `"hooks": [`+more+"\n          {", 1))
	m.disconnect(t, a)
	got := files(t, m)[".claude/settings.json"]
	if !strings.Contains(got, "say hello") || !strings.Contains(got, "AskUserQuestion") || strings.Contains(got, "bin/followup") {
		t.Errorf("left is:\n%s", got)
	}
}

// Codex trusts a hook by the file and the place in which it stands.
func TestUntrusted(t *testing.T) {
	m, a := machine(t), agent(t, "codex")
	hooks := filepath.Join(m.Home, ".codex", "hooks.json")
	if m.Untrusted(a) {
		t.Error("there is no hook that could be trusted")
	}
	write(t, hooks, `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"check"}]}]}}`)
	m.connect(t, a, false)
	config := filepath.Join(m.Home, ".codex", "config.toml")
	text, _ := os.ReadFile(config)
	for _, test := range []struct {
		state     string
		untrusted bool
	}{
		{"", true},
		{fmt.Sprintf("[hooks.state.%q]\ntrusted_hash = \"sha256:0\"\n", hooks+":pre_tool_use:1:0"), false},
		{fmt.Sprintf("[hooks.state.%q]\ntrusted_hash = \"sha256:0\"\n", hooks+":pre_tool_use:0:0"), true},
		{fmt.Sprintf("[hooks.state.%q]\nenabled = true\n", hooks+":pre_tool_use:1:0"), true},
		{"[hooks.state.\"/another/hooks.json:pre_tool_use:1:0\"]\ntrusted_hash = \"sha256:0\"\n", true},
	} {
		write(t, config, string(text)+test.state)
		if got := m.Untrusted(a); got != test.untrusted {
			t.Errorf("with %q it is %v", test.state, got)
		}
	}
}

// What a user changes meanwhile stays, and only Followup's own goes.
func TestDisconnectAfterOtherChanges(t *testing.T) {
	m, a := machine(t), agent(t, "claude-code")
	settings := filepath.Join(m.Home, ".claude", "settings.json")
	const before = "{\n  \"model\": \"opus\", // mine\n  \"permissions\": {\"allow\": [\"Bash(ls)\"]}\n}\n"
	write(t, settings, before)
	m.connect(t, a, false)
	text, _ := os.ReadFile(settings)
	write(t, settings, strings.Replace(string(text), "opus", "haiku", 1))
	m.disconnect(t, a)
	got := files(t, m)
	equal(t, "settings", got[".claude/settings.json"], strings.Replace(before, "opus", "haiku", 1))
	if _, there := got[".claude.json"]; there {
		t.Error("a file that was made is left")
	}
}

func TestForeignEntry(t *testing.T) {
	for id, file := range map[string]struct{ name, text, at string }{
		"claude-code": {".claude.json", `{"mcpServers": {"followup": {"command": "npx", "args": ["other"]}}}`, "mcpServers.followup"},
		"codex":       {".codex/config.toml", "[mcp_servers.followup]\nurl = \"http://127.0.0.1\"\n", "mcp_servers.followup"},
		"opencode":    {".config/opencode/opencode.json", `{"mcp": {"followup": {"type": "remote"}}}`, "mcp.followup"},
	} {
		t.Run(id, func(t *testing.T) {
			m, a := machine(t), agent(t, id)
			name := filepath.Join(m.Home, file.name)
			write(t, name, file.text)
			_, err := m.Plan(a, false)
			var foreign *ForeignError
			if !errors.As(err, &foreign) || foreign.At != file.at {
				t.Errorf("got %v", err)
			}
			if id == "codex" && !strings.HasPrefix(Words(err, locale.English), name+":1: ") {
				t.Errorf("the words name no line: %s", Words(err, locale.English))
			}
			if s := m.Look(a); s.State != Foreign {
				t.Errorf("it is %s", s.State)
			}
			equal(t, "the file", files(t, m)[file.name], file.text)

			m.connect(t, a, true)
			if !strings.Contains(spelled(m, files(t, m)[file.name]), spelled(m, m.Program())) {
				t.Error("it was not replaced")
			}
			text, _ := os.ReadFile(name)
			write(t, name, string(text)+"\n") // so that it is not the file as it was left
			m.disconnect(t, a)
			if got := spelled(m, files(t, m)[file.name]); strings.Contains(got, spelled(m, m.Program())) || !strings.Contains(got, "followup") {
				t.Errorf("the user's own did not come back:\n%s", got)
			}
		})
	}
}

// Without the comments of its block, Codex's table is not changed, and still removed.
func TestTableWithoutComments(t *testing.T) {
	m, a := machine(t), agent(t, "codex")
	name := filepath.Join(m.Home, ".codex", "config.toml")
	write(t, name, "model = \"a\" # mine\n")
	m.connect(t, a, false)
	text, _ := os.ReadFile(name)
	write(t, name, strings.NewReplacer(tomlBegin+"\n", "", tomlEnd+"\n", "").Replace(string(text)))
	if s := m.Look(a); s.State != Foreign {
		t.Errorf("it is %s, %v", s.State, s.Err)
	}
	m.disconnect(t, a)
	equal(t, "config.toml", files(t, m)[".codex/config.toml"], "model = \"a\" # mine\n")
}

// An inline table cannot be extended by another table, whatever --replace says.
func TestInlineTable(t *testing.T) {
	m, a := machine(t), agent(t, "codex")
	name := filepath.Join(m.Home, ".codex", "config.toml")
	write(t, name, "model = 1\nmcp_servers = { other = { command = \"x\" } }\n")
	for _, replace := range []bool{false, true} {
		_, err := m.Plan(a, replace)
		if want := name + ":2: mcp_servers.followup has an unexpected type."; err == nil || !strings.HasPrefix(Words(err, locale.English), want) {
			t.Errorf("got %v", err)
		}
	}
}

func TestBrokenFiles(t *testing.T) {
	for name, test := range map[string]struct {
		agent, file, text string
		line              int
	}{
		"JSON":              {"gemini", ".gemini/settings.json", "{\n  \"a\": 1\n  \"b\": 2\n}", 3},
		"not an object":     {"qwen", ".qwen/settings.json", "[]", 1},
		"null":              {"qwen", ".qwen/settings.json", "null", 1},
		"cut off":           {"cline", ".cline/data/settings/cline_mcp_settings.json", "{\"mcpServers\": {", 1},
		"TOML":              {"codex", ".codex/config.toml", "model = \"a\"\n\nmodel = \"b\"\n", 3},
		"TOML cut off":      {"codex", ".codex/config.toml", "a = 1\n[mcp_servers", 2},
		"a conflict's mark": {"copilot", ".copilot/mcp-config.json", "{\n<<<<<<< HEAD\n}", 2},
	} {
		t.Run(name, func(t *testing.T) {
			m, a := machine(t), agent(t, test.agent)
			write(t, filepath.Join(m.Home, test.file), test.text)
			_, err := m.Plan(a, false)
			var wrong *SyntaxError
			var at *FileError
			if !errors.As(err, &wrong) || wrong.Line != test.line || !errors.As(err, &at) {
				t.Errorf("got %v; want line %d", err, test.line)
			}
			if s := m.Look(a); s.State != Broken {
				t.Errorf("it is %s", s.State)
			}
			got := files(t, m)
			if equal(t, "the file", got[test.file], test.text); len(got) != 1 {
				t.Errorf("there is more: %v", got)
			}
		})
	}
}

func TestWrongKinds(t *testing.T) {
	for file, agentID := range map[string]string{
		`{"mcpServers": []}`: "gemini", `{"hooks": {"BeforeTool": {}}}`: "gemini", `{"hooks": 1}`: "gemini", `{"mcpServers": "x"}`: "gemini",
	} {
		m, a := machine(t), agent(t, agentID)
		write(t, filepath.Join(m.Home, ".gemini", "settings.json"), file)
		var shape *ShapeError
		if _, err := m.Plan(a, true); !errors.As(err, &shape) {
			t.Errorf("%s: got %v", file, err)
		}
		if s := m.Look(a); s.State != Broken {
			t.Errorf("%s: it is %s", file, s.State)
		}
	}
}

// A configuration that is kept elsewhere and linked to is written there; rights stay.
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right there")
	}
	for _, there := range []bool{true, false} {
		m, a := machine(t), agent(t, "gemini")
		dotfiles := filepath.Join(m.Home, "dotfiles", "gemini.json")
		name := filepath.Join(m.Home, ".gemini", "settings.json")
		if there {
			write(t, dotfiles, "{}\n")
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(dotfiles), 0o700), os.MkdirAll(filepath.Dir(name), 0o700),
			os.Symlink("../dotfiles/link.json", name), os.Symlink("gemini.json", filepath.Join(m.Home, "dotfiles", "link.json"))); err != nil {
			t.Fatal(err)
		}
		m.connect(t, a, false)
		info, err := os.Stat(dotfiles)
		if err != nil || there && info.Mode().Perm() != 0o640 || !there && info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
		if to, err := os.Readlink(name); err != nil || to != "../dotfiles/link.json" {
			t.Errorf("the link is %q, %v", to, err)
		}
		m.disconnect(t, a)
		text, err := os.ReadFile(dotfiles)
		if there && string(text) != "{}\n" || !there && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("left is %q, %v", text, err)
		}
	}
}

// A link in a linked folder starts at the folder itself, as the system has it.
func TestLinkInALinkedFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right there")
	}
	for _, to := range []string{"../kept/gemini.json", "here/../kept/gemini.json"} {
		m, a := machine(t), agent(t, "gemini")
		dotfiles := filepath.Join(m.Home, "elsewhere", "dotfiles")
		kept := filepath.Join(dotfiles, "kept", "gemini.json")
		write(t, kept, "{}\n")
		write(t, filepath.Join(m.Home, "kept", "gemini.json"), "another's") // where the words alone lead
		if err := errors.Join(os.Mkdir(filepath.Join(dotfiles, "gemini"), 0o700),
			os.Symlink("elsewhere/dotfiles/gemini", filepath.Join(m.Home, ".gemini")),
			os.Symlink("../kept", filepath.Join(dotfiles, "gemini", "here")),
			os.Symlink(to, filepath.Join(dotfiles, "gemini", "settings.json"))); err != nil {
			t.Fatal(err)
		}
		m.connect(t, a, false)
		if text, err := os.ReadFile(kept); err != nil || !strings.Contains(string(text), m.Program()) {
			t.Errorf("by %s the file is %q, %v", to, text, err)
		}
		m.disconnect(t, a)
		text, err := os.ReadFile(kept)
		if other, _ := os.ReadFile(filepath.Join(m.Home, "kept", "gemini.json")); err != nil || string(text) != "{}\n" || string(other) != "another's" {
			t.Errorf("by %s left is %q, %v, and of another's %q", to, text, err, other)
		}
	}
}

// What is run of a folder that is called as Followup's is the user's, unless it is Followup's program or plugin.
func TestNames(t *testing.T) {
	m := machine(t)
	for text, want := range map[string]bool{
		m.Program():                  true,
		m.hook("claude-code", posix): true,
		m.hook("gemini", powershell): true,
		m.copilotBash():              true,
		m.copilotPowershell():        true,
		fileURL(m.plugin("kilo")):    true,
		"/old/followup/bin/followup": true,
		"'/it'\\''s/followup/bin/followup' hook codex || true":                   true,
		`C:\Users\A B\AppData\Local\Followup\bin\followup.exe`:                   true,
		`"C:\Users\A B\AppData\Local\Followup\bin\followup.exe" hook codex`:      true,
		`& 'C:\Users\A B\AppData\Local\Followup\bin\followup.exe' hook gemini`:   true,
		"/Users/a/Library/Application Support/Followup/bin/followup":             true,
		"file:///Users/a/Library/Application%20Support/Followup/bin/opencode.js": true,
		"/home/me/src/followup/bin/lint.sh":                                      false,
		"/home/me/src/followup/bin/followup-check hook":                          false,
		"/home/me/src/followup/bin/followup ask 'Shall it run?'":                 false,
		"ls /home/me/src/followup/bin/":                                          false,
		"file:///home/me/src/followup/bin/mine.js":                               false,
		filepath.Join(filepath.Dir(m.Program()), "mine"):                         false,
	} {
		if m.names(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// The lines of hooks, and where things stand, on each system.
func TestSystems(t *testing.T) {
	const name = `the/person's folder`
	const onUnix = `test ! -x '/the/person'\''s folder/bin/followup' || exec '/the/person'\''s folder/bin/followup' hook x`
	for system, want := range map[string][3]string{
		"linux":  {onUnix, onUnix, onUnix},
		"darwin": {onUnix, onUnix, onUnix},
		"windows": {
			`test ! -x '/the/person'\''s folder/bin/followup.exe' || exec '/the/person'\''s folder/bin/followup.exe' hook x`,
			`if exist "/the/person's folder/bin/followup.exe" "/the/person's folder/bin/followup.exe" hook x`,
			`if (Test-Path -LiteralPath '/the/person''s folder/bin/followup.exe') { & '/the/person''s folder/bin/followup.exe' hook x }`,
		},
	} {
		m := machine(t)
		m.OS, m.Person = system, "/"+name
		for on, line := range want {
			got := m.hook("x", shell(on))
			equal(t, system, strings.ReplaceAll(got, `\`, "/"), strings.ReplaceAll(line, `\`, "/"))
			if !m.names(got) {
				t.Errorf("%s: it is not known as ours: %s", system, got)
			}
		}
		for _, a := range Agents() { // nothing depends on the system but for lines and the program's name
			for _, p := range a.parts(m) {
				if !filepath.IsAbs(p.name) || !strings.HasPrefix(p.name, m.Home) {
					t.Errorf("%s on %s: %s", a.ID, system, p.name)
				}
			}
		}
	}
}

// A path is what it is in PowerShell, whatever it has in it.
func TestPowershell(t *testing.T) {
	m := machine(t)
	m.OS, m.Person = "windows", "/$env:x/`n/it's/followup"
	const program = "'/$env:x/`n/it''s/followup/bin/followup.exe'"
	const line = "if (Test-Path -LiteralPath " + program + ") { & " + program + " hook "
	equal(t, "the hook", filepath.ToSlash(m.hook("gemini", powershell)), line+"gemini }")
	equal(t, "the one that does not fail", filepath.ToSlash(m.copilotPowershell()),
		"try { "+line+"copilot } } catch { [Console]::Error.WriteLine($_) }; exit 0")
}

// Without the program, a hook does nothing: the agent asks by itself, and has no error to show. With it, the program's words and status are
// the hook's, but for Copilot CLI, which denies every tool whose hook fails.
func TestHookWithoutProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its lines are for three shells")
	}
	for _, folder := range []string{"", "it's a folder"} {
		m := machine(t)
		m.Person = filepath.Join(m.Person, folder)
		m.Approvals = &Approvals{On: true}
		lines := map[string]int{ // and the status of those whose program fails
			m.approving(m.hook("claude-code", posix)): 1, m.approving(m.hook("codex", cmd)): 1, m.hook("gemini", powershell): 1, m.copilotBash(): 0,
		}
		says := func(line, want string, status int) {
			t.Helper()
			command := exec.Command("sh", "-c", line)
			said, err := command.CombinedOutput()
			var failed *exec.ExitError
			if err != nil && !errors.As(err, &failed) {
				t.Fatal(err)
			}
			if string(said) != want || command.ProcessState.ExitCode() != status {
				t.Errorf("%s: it says %q with status %d", line, said, command.ProcessState.ExitCode())
			}
		}
		for line := range lines {
			says(line, "", 0)
		}
		write(t, m.Program(), "#!/bin/sh\necho \"$@\"\nexit 1\n")
		if err := os.Chmod(m.Program(), 0o700); err != nil {
			t.Fatal(err)
		}
		for line, status := range lines {
			words := line[strings.LastIndex(line, "hook "):]
			says(line, strings.TrimSuffix(words, " || true")+"\n", status)
		}
	}
}

// Somebody else's write between reading and writing is not lost, and nothing is done by half.
func TestChangedMeanwhile(t *testing.T) {
	m, a := machine(t), agent(t, "claude-code")
	settings := filepath.Join(m.Home, ".claude", "settings.json")
	write(t, filepath.Join(m.Home, ".claude.json"), "{}")
	write(t, settings, "{}")
	changes, err := m.Plan(a, false)
	if err != nil || len(changes) != 2 {
		t.Fatal(changes, err)
	}
	write(t, settings, `{"model": "new"}`)
	if err := m.Apply(a, changes); !errors.Is(err, errChanged) {
		t.Errorf("got %v", err)
	}
	got := files(t, m)
	equal(t, "settings", got[".claude/settings.json"], `{"model": "new"}`)
	if equal(t, "the other file", got[".claude.json"], "{}"); len(got) != 2 {
		t.Errorf("something is left: %v", got)
	}
}

// A process may be killed between two files. The next one finishes, and disconnect restores every byte.
func TestKilledBetweenFiles(t *testing.T) {
	for _, finish := range []bool{true, false} {
		m, a := machine(t), agent(t, "claude-code")
		before := map[string]string{".claude.json": "{\"a\": 1}", ".claude/settings.json": "{\"model\": \"opus\"}\n"}
		for name, text := range before {
			write(t, filepath.Join(m.Home, name), text)
		}
		changes, err := m.Plan(a, false)
		if err != nil || len(changes) != 2 {
			t.Fatal(changes, err)
		}
		killed := m.record(a)
		for _, c := range changes {
			killed[c.Name] = c.record
		}
		if err := errors.Join(m.keep(a, killed), changes[1].apply(false)); err != nil {
			t.Fatal(err)
		}
		if s := m.Look(a); s.State != Partly {
			t.Errorf("it is %s", s.State)
		}
		if finish {
			if left := m.connect(t, a, false); len(left) != 1 {
				t.Errorf("%d files were left to do", len(left))
			}
		}
		m.disconnect(t, a)
		got := files(t, m)
		for name, text := range before {
			equal(t, name, got[name], text)
		}
		if len(got) != len(before) {
			t.Errorf("something is left: %v", got)
		}
	}
}

func TestReadOnly(t *testing.T) {
	m, a := machine(t), agent(t, "qwen")
	name := filepath.Join(m.Home, ".qwen", "settings.json")
	write(t, name, "{}")
	if err := os.Chmod(name, 0o400); err != nil {
		t.Fatal(err)
	}
	changes, err := m.Plan(a, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Apply(a, changes); !errors.Is(err, errReadOnly) {
		t.Errorf("got %v", err)
	}
	if got := files(t, m); len(got) != 1 || got[".qwen/settings.json"] != "{}" {
		t.Errorf("there is %v", got)
	}
}

func TestProgram(t *testing.T) {
	for _, system := range []string{"linux", "windows"} {
		t.Run(system, func(t *testing.T) {
			m := machine(t)
			m.OS = system
			older := Build{"1.2.0+aaa", time.Unix(1000, 0).UTC()}
			newer := Build{"1.10.0+bbb", time.Unix(500, 0).UTC()}
			from := func(text string) string {
				name := filepath.Join(t.TempDir(), "source")
				write(t, name, text)
				return name
			}
			is := func(want string) {
				t.Helper()
				if text, err := os.ReadFile(m.Program()); err != nil || string(text) != want {
					t.Errorf("the program is %q, %v; want %q", text, err, want)
				}
			}
			if renewed, err := m.Renew(from("old"), older); !renewed || err != nil {
				t.Error("where none was", renewed, err)
			}
			is("old")
			if renewed, err := m.Renew("no such file", older); renewed || err != nil {
				t.Error("the same build", renewed, err)
			}
			if got, err := m.Install(from("old"), older); err != nil || got != older {
				t.Error(got, err)
			}
			is("old")
			if info, err := os.Stat(m.Program()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o755 {
				t.Error(info, err)
			}
			if renewed, err := m.Renew(from("new"), newer); !renewed || err != nil {
				t.Error(renewed, err)
			}
			is("new")
			if renewed, err := m.Renew(from("old"), older); renewed || err != nil {
				t.Error(renewed, err)
			}
			if got, err := m.Install(from("old"), older); err != nil || got != newer {
				t.Error(got, err)
			}
			is("new")
			if got, err := m.Install(from("built again"), newer); err != nil || got != newer {
				t.Error(got, err)
			}
			is("built again")
			write(t, m.Program(), "by hand, of another size")
			if renewed, err := m.Renew(from("old"), older); !renewed || err != nil {
				t.Error(renewed, err)
			}
			is("old")
			if err := os.Remove(m.plugin("kilo")); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Install(from("old"), older); err != nil || !m.installed() {
				t.Error("the plugin is missing", err)
			}
			left, _ := filepath.Glob(filepath.Join(m.Person, "bin", "*"))
			if len(left) != 7 { // the program, two notes, and four plugins
				t.Errorf("there is %v", left)
			}
		})
	}
}

// Of several that put themselves in the place at once the newest stays, and is said to be there.
func TestProgramsAtOnce(t *testing.T) {
	m := machine(t)
	const many = 12
	var builds []Build
	var sources []string
	for i := range many {
		builds = append(builds, Build{fmt.Sprintf("1.%d.0", i), time.Unix(1, 0).UTC()})
		sources = append(sources, filepath.Join(t.TempDir(), "source"))
		write(t, sources[i], strings.Repeat("x", i+1))
	}
	if _, err := m.Install(sources[0], builds[0]); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			if _, err := m.Renew(sources[i], builds[i]); err != nil {
				t.Error(err)
			}
			if _, err := m.Install(sources[i], builds[i]); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	there, _ := m.installation()
	if text, err := os.ReadFile(m.Program()); err != nil || len(text) != many || there.Build != builds[many-1] {
		t.Errorf("there is %q, %v, as %v", text, err, there)
	}
}

// What a newer one has put there since it was looked at is not replaced.
func TestProgramIsLookedAtAgain(t *testing.T) {
	m := machine(t)
	older, newer := Build{Version: "1.0.0"}, Build{Version: "2.0.0"}
	from := func(text string) string {
		name := filepath.Join(t.TempDir(), "source")
		write(t, name, text)
		return name
	}
	times := 0
	installed, err := m.installWhere(from("old"), older, func(there installation, ok bool) bool {
		if times++; times == 1 {
			if _, err := m.Install(from("new"), newer); err != nil {
				t.Error(err)
			}
			return true
		}
		return !ok || older.Newer(there.Build)
	})
	text, _ := os.ReadFile(m.Program())
	if installed || err != nil || string(text) != "new" {
		t.Errorf("%v, %v; there is %q", installed, err, text)
	}
}

func TestDevelopmentBuilds(t *testing.T) {
	early, late := Build{"dev", time.Unix(1, 0)}, Build{"dev+abc", time.Unix(2, 0)}
	if early.compare(late) >= 0 || late.compare(early) <= 0 || early.compare(early) != 0 || (Build{}).compare(early) >= 0 {
		t.Error("the commit's time does not decide")
	}
}

// Each agent has a page that names the commands and every file, and the main page leads to it.
func TestPages(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := machine(t)
	for _, a := range Agents() {
		name := "docs/agents/" + a.ID + ".md"
		page, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"# " + a.Name + "\n", "followup connect " + a.ID, "followup disconnect " + a.ID}
		for _, p := range a.parts(m) {
			at, _ := filepath.Rel(m.Home, p.name)
			want = append(want, "`~/"+filepath.ToSlash(at)+"`")
			for _, each := range p.pieces {
				key := fmt.Sprint(each.at[len(each.at)-1])
				want = append(want, key)
			}
		}
		for _, text := range want {
			if !strings.Contains(string(page), text) {
				t.Errorf("%s does not say %q", name, text)
			}
		}
		if !strings.Contains(string(readme), "("+name+")") || !strings.Contains(string(readme), "`followup connect "+a.ID+"`") {
			t.Errorf("the main page does not lead to %s", name)
		}
	}
}

// What is done is noted first: where that cannot be, nothing is done.
func TestNothingWithoutANote(t *testing.T) {
	m, a := machine(t), agent(t, "qwen")
	write(t, filepath.Join(m.Home, ".qwen", "settings.json"), "{}")
	write(t, filepath.Join(m.Person, "agents"), "in the way")
	changes, err := m.Plan(a, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Apply(a, changes); err == nil {
		t.Error("it was done all the same")
	}
	if got := files(t, m); len(got) != 1 || got[".qwen/settings.json"] != "{}" {
		t.Errorf("there is %v", got)
	}
}
