package connect

import (
	"encoding/json"
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
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"

	"followup/internal/locale"
	"followup/internal/program"
)

// machine returns a machine with an empty home folder and no installed agents.
func machine(t *testing.T) Machine {
	t.Helper()
	home := t.TempDir()
	return Machine{
		Env: func(string) string { return "" }, Home: home,
		Place:    program.Place{Person: filepath.Join(home, ".local", "share", "followup")},
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

// connect connects an agent like the command.
func (m Machine) connect(t *testing.T, a Agent, replace bool) []Change {
	t.Helper()
	plan, err := m.Plan(a, replace)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Apply(plan); err != nil {
		t.Fatal(err)
	}
	return plan.Changes
}

func (m Machine) disconnect(t *testing.T, a Agent) {
	t.Helper()
	plan, err := m.PlanBack(a)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Apply(plan); err != nil {
		t.Fatal(err)
	}
}

// files returns all files in the home folder except Followup's own.
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
	const mode = 0o640 // whatever the user's umask is
	if err := errors.Join(os.WriteFile(name, []byte(text), mode), os.Chmod(name, mode)); err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s", what, diff.Diff("want", []byte(want), "got", []byte(got)))
	}
}

func refused(t *testing.T, got, want error) {
	t.Helper()
	if got == nil || got.Error() != want.Error() {
		t.Errorf("got %v, want %v", got, want)
	}
}

// spelled adapts a text from Linux to this system: on Windows, paths below the home folder are compared without their separators,
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

// Each file of testdata is a home folder before and after an agent is connected. The files after it are prefixed with "after/".
// The first line of the comment names the agent and, if any, the approvals. HOME stands for the home folder.
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
	m.Approvals = nil // the configured ones are kept
	if again := m.connect(t, a, false); len(again) > 0 {
		t.Errorf("the second time changes %s:\n%s", again[0].Name, diff.Diff("first", again[0].Before, "second", again[0].After))
	}

	// Without the record, Followup's own entries are found and removed.
	t.Run("without a record", func(t *testing.T) {
		lost := m
		lost.Person = filepath.Join(t.TempDir(), "followup")
		plan, err := lost.PlanBack(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range plan.Changes {
			if strings.Contains(string(c.After), "ollowup/bin/followup") || strings.Contains(string(c.After), "ollowup/bin/"+id) {
				t.Errorf("%s keeps Followup's:\n%s", c.Name, c.After)
			}
		}
	})
	if connected(before) {
		return // an earlier connection had no record, so its original cannot be restored
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

// connected reports whether any file names Followup's program.
func connected(files map[string]string) bool {
	for _, text := range files {
		if strings.Contains(text, "/followup/bin/followup") {
			return true
		}
	}
	return false
}

// If another hook shares a list with Followup's, only Followup's is removed.
func TestOtherHookIsKept(t *testing.T) {
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

// Codex trusts a hook by its file and its place in the file.
func TestUntrusted(t *testing.T) {
	m, a := machine(t), agent(t, "codex")
	hooks := filepath.Join(m.Home, ".codex", "hooks.json")
	if m.Untrusted(a) {
		t.Error("untrusted without a hook")
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

// Disconnecting keeps what the user has changed meanwhile, and removes only Followup's entries.
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
		t.Error("a created file was not removed")
	}
}

// A file that a strict parser reads stays readable by one, although the parser here accepts trailing commas.
func TestDisconnectLeavesNoComma(t *testing.T) {
	m, a := machine(t), agent(t, "gemini")
	settings := filepath.Join(m.Home, ".gemini", "settings.json")
	write(t, settings, "{}")
	m.connect(t, a, false)
	text, _ := os.ReadFile(settings)
	write(t, settings, strings.Replace(string(text), "{", "{\n  \"mine\": 1,", 1))
	m.disconnect(t, a)
	if got := files(t, m)[".gemini/settings.json"]; !json.Valid([]byte(got)) || !strings.Contains(got, `"mine": 1`) {
		t.Errorf("left is %s", got)
	}
}

// All folders that were created for a file are removed with it, but no others.
func TestDisconnectRemovesCreatedFolders(t *testing.T) {
	m, a := machine(t), agent(t, "cline")
	mine := filepath.Join(m.Home, ".cline")
	for _, there := range []bool{false, true} {
		if there {
			if err := os.Mkdir(mine, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		m.connect(t, a, false)
		m.disconnect(t, a)
		left, err := os.ReadDir(mine)
		if there && (err != nil || len(left) > 0) || !there && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("left are %v, %v", left, err)
		}
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
			refused(t, err, locale.Refuse(notOurs, name+":1", file.at))
			if s := m.Look(a); s.State != Foreign {
				t.Errorf("it is %s", s.State)
			}
			equal(t, "the file", files(t, m)[file.name], file.text)

			m.connect(t, a, true)
			if !strings.Contains(spelled(m, files(t, m)[file.name]), spelled(m, m.Program())) {
				t.Error("it was not replaced")
			}
			text, _ := os.ReadFile(name)
			write(t, name, string(text)+"\n") // it differs from what connect wrote
			m.disconnect(t, a)
			if got := spelled(m, files(t, m)[file.name]); strings.Contains(got, spelled(m, m.Program())) || !strings.Contains(got, "followup") {
				t.Errorf("the user's own entry was not restored:\n%s", got)
			}
		})
	}
}

// Without the comments around it, Codex's table is still recognised as Followup's by the program that it starts.
func TestTableWithoutComments(t *testing.T) {
	m, a := machine(t), agent(t, "codex")
	name := filepath.Join(m.Home, ".codex", "config.toml")
	write(t, name, "model = \"a\" # mine\n")
	m.connect(t, a, false)
	text, _ := os.ReadFile(name)
	write(t, name, strings.NewReplacer(tomlBegin+"\n", "", tomlEnd+"\n", "").Replace(string(text)))
	if s := m.Look(a); s.Err != nil {
		t.Errorf("it is %s, %v", s.State, s.Err)
	}
	if changes := m.connect(t, a, false); len(changes) > 0 {
		t.Errorf("it is changed to %s", changes[0].After)
	}
	m.disconnect(t, a)
	equal(t, "config.toml", files(t, m)[".codex/config.toml"], "model = \"a\" # mine\n")
}

// An inline table cannot be extended by another table, even with --replace.
func TestInlineTable(t *testing.T) {
	m, a := machine(t), agent(t, "codex")
	name := filepath.Join(m.Home, ".codex", "config.toml")
	write(t, name, "model = 1\nmcp_servers = { other = { command = \"x\" } }\n")
	for _, replace := range []bool{false, true} {
		_, err := m.Plan(a, replace)
		refused(t, err, locale.Refuse(notShaped, name+":2", codexServer))
	}
}

func TestBrokenFiles(t *testing.T) {
	for name, test := range map[string]struct {
		agent, file, text string
		line, column      int
	}{
		"JSON":              {"gemini", ".gemini/settings.json", "{\n  \"a\": 1\n  \"b\": 2\n}", 3, 3},
		"not an object":     {"qwen", ".qwen/settings.json", "[]", 1, 1},
		"null":              {"qwen", ".qwen/settings.json", "null", 1, 1},
		"cut off":           {"cline", ".cline/data/settings/cline_mcp_settings.json", "{\"mcpServers\": {", 1, 17},
		"TOML":              {"codex", ".codex/config.toml", "model = \"a\"\n\nmodel = \"b\"\n", 3, 1},
		"TOML cut off":      {"codex", ".codex/config.toml", "a = 1\n[mcp_servers", 2, 12},
		"a conflict's mark": {"copilot", ".copilot/mcp-config.json", "{\n<<<<<<< HEAD\n}", 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			m, a := machine(t), agent(t, test.agent)
			write(t, filepath.Join(m.Home, test.file), test.text)
			_, err := m.Plan(a, false)
			if want := fmt.Sprintf("%s cannot be read: line %d, column %d: ", filepath.Join(m.Home, test.file), test.line, test.column); err == nil ||
				!strings.HasPrefix(err.Error(), want) {
				t.Errorf("got %v; want %s", err, want)
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
	for file, at := range map[string]string{
		`{"mcpServers": []}`: "mcpServers", `{"hooks": {"BeforeTool": {}}}`: "hooks.BeforeTool", `{"hooks": 1}`: "hooks", `{"mcpServers": "x"}`: "mcpServers",
	} {
		m, a := machine(t), agent(t, "gemini")
		write(t, filepath.Join(m.Home, ".gemini", "settings.json"), file)
		if _, err := m.Plan(a, true); err == nil || !strings.Contains(err.Error(), "settings.json:1: "+at+" has an unexpected type.") {
			t.Errorf("%s: got %v", file, err)
		}
		if s := m.Look(a); s.State != Broken {
			t.Errorf("%s: it is %s", file, s.State)
		}
	}
}

// If the configuration is a link, its target is written and keeps its permissions.
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating links needs a permission on Windows")
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

// A link in a linked folder is relative to the real folder, as for the system.
func TestLinkInALinkedFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating links needs a permission on Windows")
	}
	for _, to := range []string{"../kept/gemini.json", "here/../kept/gemini.json"} {
		m, a := machine(t), agent(t, "gemini")
		dotfiles := filepath.Join(m.Home, "elsewhere", "dotfiles")
		kept := filepath.Join(dotfiles, "kept", "gemini.json")
		write(t, kept, "{}\n")
		write(t, filepath.Join(m.Home, "kept", "gemini.json"), "another's") // where a purely textual resolution leads
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
			t.Errorf("by %s the file is %q, %v, and the other one %q", to, text, err, other)
		}
	}
}

// On every system, all files are below the home folder.
func TestSystems(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		m := machine(t)
		m.OS = system
		for _, a := range Agents() {
			for _, p := range m.partsOf(a) {
				if !filepath.IsAbs(p.name) || !strings.HasPrefix(p.name, m.Home) {
					t.Errorf("%s on %s: %s", a.ID, system, p.name)
				}
			}
		}
	}
}

// A concurrent write between reading and writing is not lost, and no change is left half done.
func TestChangedMeanwhile(t *testing.T) {
	m, a := machine(t), agent(t, "claude-code")
	settings := filepath.Join(m.Home, ".claude", "settings.json")
	write(t, filepath.Join(m.Home, ".claude.json"), "{}")
	write(t, settings, "{}")
	plan, err := m.Plan(a, false)
	if err != nil || len(plan.Changes) != 2 {
		t.Fatal(plan, err)
	}
	write(t, settings, `{"model": "new"}`)
	refused(t, m.Apply(plan), locale.Refuse(notTheSame, settings))
	got := files(t, m)
	equal(t, "settings", got[".claude/settings.json"], `{"model": "new"}`)
	if equal(t, "the other file", got[".claude.json"], "{}"); len(got) != 2 {
		t.Errorf("something is left: %v", got)
	}
}

// If disconnecting fails for one of several files, the others stay connected, and a retry works.
func TestDisconnectChangedMeanwhile(t *testing.T) {
	m, a := machine(t), agent(t, "claude-code")
	settings := filepath.Join(m.Home, ".claude", "settings.json")
	write(t, settings, "{}")
	m.connect(t, a, false)
	connected := files(t, m)
	plan, err := m.PlanBack(a)
	if err != nil || len(plan.Changes) != 2 || !plan.Changes[0].Removed {
		t.Fatal(plan, err)
	}
	changed := strings.Replace(connected[".claude/settings.json"], "{", "{ ", 1)
	write(t, settings, changed)
	refused(t, m.Apply(plan), locale.Refuse(notTheSame, settings))
	got := files(t, m)
	equal(t, "settings", got[".claude/settings.json"], changed)
	if equal(t, "the other file", got[".claude.json"], connected[".claude.json"]); len(got) != len(connected) {
		t.Errorf("there is %v", got)
	}
	m.disconnect(t, a)
	got = files(t, m)
	if _, there := got[".claude.json"]; there || got[".claude/settings.json"] != "{ }" {
		t.Errorf("left is %v", got)
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
		plan, err := m.Plan(a, false)
		if err != nil || len(plan.Changes) != 2 {
			t.Fatal(plan, err)
		}
		if err := errors.Join(m.keep(a, plan.after), plan.Changes[1].apply(false)); err != nil {
			t.Fatal(err)
		}
		if s := m.Look(a); s.State != Partly {
			t.Errorf("it is %s", s.State)
		}
		if finish {
			if left := m.connect(t, a, false); len(left) != 1 {
				t.Errorf("%d files still had to be changed", len(left))
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
	plan, err := m.Plan(a, false)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, m.Apply(plan), locale.Refuse(notWritable, name))
	if got := files(t, m); len(got) != 1 || got[".qwen/settings.json"] != "{}" {
		t.Errorf("there is %v", got)
	}
}

// Each agent has a page with the commands and every file, and the main page links to it.
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
		for _, p := range m.partsOf(a) {
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
			t.Errorf("the main page does not link to %s", name)
		}
	}
}

// Connecting writes its record first. If that fails, nothing is changed.
func TestNothingWithoutARecord(t *testing.T) {
	m, a := machine(t), agent(t, "qwen")
	write(t, filepath.Join(m.Home, ".qwen", "settings.json"), "{}")
	write(t, filepath.Join(m.Person, "agents"), "in the way")
	plan, err := m.Plan(a, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Apply(plan); err == nil {
		t.Error("the files were changed")
	}
	if got := files(t, m); len(got) != 1 || got[".qwen/settings.json"] != "{}" {
		t.Errorf("there is %v", got)
	}
}
