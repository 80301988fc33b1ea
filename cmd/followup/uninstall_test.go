package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"followup/internal/connect"
	"followup/internal/keeper"
	"followup/internal/person"
	"followup/internal/waits"
)

// userHome is a user's home folder with the configurations of several agents.
type userHome struct {
	t            *testing.T
	home, person string
	storage      string
	env          []string
	before       map[string]string
}

func newUserHome(t *testing.T, more ...string) *userHome {
	t.Helper()
	home, temporary := storageDir(t), storageDir(t)
	a := &userHome{t: t, home: home, env: environment(home, append([]string{"TMPDIR=" + temporary, "TEMP=" + temporary, "LANG=en"}, more...)...)}
	env := func(name string) (value string) {
		for _, each := range a.env {
			if found, ok := strings.CutPrefix(each, name+"="); ok {
				value = found
			}
		}
		return value
	}
	var err error
	if a.person, err = (person.Machine{Env: env}).Folder(); err != nil {
		t.Fatal(err)
	}
	a.storage = cmp.Or(env("FOLLOWUP_STORAGE"), a.person)
	endsKeeper(t, a.storage)
	for name, text := range map[string]string{
		".claude.json": `{"numStartups":  1}`, ".claude/settings.json": "{\n\t\"env\": {\"TOKEN\": \"secret\"}\n}\n",
		".codex/config.toml": "model = \"m\" # mine\r\n", ".gemini/settings.json": "{}", ".config/kilo/kilo.jsonc": "{ // mine\n}\n",
		".qwen/settings.json": "\xef\xbb\xbf{\"a\": 1}", "notes": "x",
	} {
		a.write(name, text)
	}
	a.before = a.files()
	return a
}

func (a *userHome) write(name, text string) {
	a.t.Helper()
	name = filepath.Join(a.home, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(name), 0o700)
	if err = errors.Join(err, os.WriteFile(name, []byte(text), 0o600)); err != nil {
		a.t.Fatal(err)
	}
}

// run runs the real binary, and returns its output.
func (a *userHome) run(status int, args ...string) string {
	a.t.Helper()
	c := exec.Command(binary, args...)
	var out, problems bytes.Buffer
	c.Dir, c.Env, c.Stdout, c.Stderr = a.home, a.env, &out, &problems
	_ = c.Run()
	if got := c.ProcessState.ExitCode(); got != status {
		a.t.Fatalf("followup %s: status %d\n%s%s", strings.Join(args, " "), got, &out, &problems)
	}
	return out.String() + problems.String()
}

// files returns all files of the home folder with their modes and contents.
func (a *userHome) files() map[string]string {
	a.t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(a.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text := ""
		switch {
		case info.Mode().IsRegular():
			var content []byte
			content, err = os.ReadFile(path)
			text = string(content)
		case info.Mode()&fs.ModeSymlink != 0:
			text, err = os.Readlink(path)
		}
		name, _ := filepath.Rel(a.home, path)
		found[filepath.ToSlash(name)] = fmt.Sprint(info.Mode(), " ", text)
		return err
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return found
}

// isAsBefore compares the home folder with what it was, apart from kept files.
func (a *userHome) isAsBefore(kept ...string) {
	a.t.Helper()
	now := a.files()
	maps.DeleteFunc(now, func(name, _ string) bool { return slices.Contains(kept, name) })
	if !maps.Equal(now, a.before) {
		a.t.Errorf("left are %q\nwant %q", slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(a.before)))
		for name, text := range now {
			if was, ok := a.before[name]; ok && was != text {
				a.t.Errorf("%s is %q, and was %q", name, text, was)
			}
		}
	}
}

// uses connects all agents, and asks and answers questions.
func (a *userHome) uses() {
	a.t.Helper()
	args := []string{"connect", "--yes"}
	for _, agent := range connect.Agents() {
		args = append(args, agent.ID)
	}
	a.run(0, args...)
	a.run(0, "connect", "claude-code", "codex", "--approvals", "--yes")
	a.run(4, "ask", "Which port?", "--timeout", "1ms", "--keep")
	waits.Until(a.t, "the command has left its keeper", func() bool {
		info, err := keeper.Client{Folder: a.storage}.Status(a.t.Context())
		return err == nil && info.Clients == 0
	})
}

// After uninstalling, the home folder has exactly the files that it had before.
func TestUninstall(t *testing.T) {
	t.Parallel()
	a := newUserHome(t)
	a.uses()
	used := a.files()

	shown := a.run(0, "uninstall", "--dry-run")
	for name := range used {
		_, old := a.before[name]
		if folder, base := filepath.Split(name); !old && (!strings.Contains(shown, base) || !strings.Contains(shown, filepath.Clean(folder))) {
			t.Errorf("%s is not shown in\n%s", name, shown)
		}
	}
	for _, words := range []string{
		"~ ~/.codex/config.toml (Codex)", "- ~/.cline/data/settings/cline_mcp_settings.json (Cline)", "which may contain secrets", "settings.json.before-followup",
		"Your questions and answers", "-[mcp_servers.followup]",
	} {
		if !strings.Contains(shown, filepath.FromSlash(words)) {
			t.Errorf("there is no %q in\n%s", words, shown)
		}
	}
	a.run(2, "uninstall")
	a.run(2, "uninstall", "--dry-run", "--yes")
	a.run(2, "uninstall", "--json")
	if got := a.files(); !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(used))) {
		t.Errorf("without consent, these files are left: %q", slices.Sorted(maps.Keys(got)))
	}

	// The user changes one file meanwhile, so its backup is not the file's content any more.
	a.write(".gemini/settings.json", strings.Replace(used[".gemini/settings.json"][len("-rw------- "):], "{", "{\n  \"mine\": 1,", 1))
	a.before[".gemini/settings.json"] = "" // compared below
	if out := a.run(0, "uninstall", "--yes"); !strings.Contains(out, "Followup was removed.") {
		t.Errorf("it prints %s", out)
	}
	var left map[string]any
	now := a.files()
	text := now[".gemini/settings.json"]
	if _, body, _ := strings.Cut(text, " "); json.Unmarshal([]byte(body), &left) != nil || len(left) != 1 || left["mine"] != 1.0 {
		t.Errorf("the changed file is %s", text)
	}
	a.before[".gemini/settings.json"] = text
	a.isAsBefore()
	if _, err := os.Lstat(a.person); err == nil {
		t.Errorf("%s is left", a.person)
	}
	for _, folder := range []string{".cline", ".copilot"} {
		if _, err := os.Lstat(filepath.Join(a.home, folder)); err == nil {
			t.Errorf("%s is left", folder)
		}
	}
	if out := a.run(0, "uninstall"); !strings.HasPrefix(out, "There is nothing to remove.\n") {
		t.Errorf("the second time, it prints %s", out)
	}
}

// With --keep-history, a new installation has the old questions.
func TestUninstallKeepsHistory(t *testing.T) {
	t.Parallel()
	a := newUserHome(t)
	a.uses()
	a.run(0, "uninstall", "--keep-history", "--yes")
	kept := []string{}
	for name := range a.files() {
		if _, old := a.before[name]; !old {
			kept = append(kept, name)
			if base := filepath.Base(name); !strings.HasPrefix(base, "inbox.db") && !strings.HasPrefix(base, "history.db") && base != "store.lock" {
				t.Errorf("%s is left", name)
			}
		}
	}
	a.isAsBefore(kept...)
	if out := a.run(0, "inbox"); !strings.Contains(out, "Which port?") {
		t.Errorf("the inbox is %s", out)
	}
	a.run(0, "uninstall", "--yes")
	a.isAsBefore()
}

// What is not Followup's stays, and is named.
func TestUninstallKeepsForeignFiles(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	a := newUserHome(t, "FOLLOWUP_STORAGE="+storage)
	a.uses()
	foreign := []string{filepath.Join(storage, "history.db.zip"), filepath.Join(a.person, "bin", "tool"), filepath.Join(a.person, "report.md")}
	for _, name := range foreign {
		if err := os.WriteFile(name, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := a.run(0, "uninstall", "--yes")
	for _, name := range foreign {
		if text, err := os.ReadFile(name); err != nil || string(text) != "mine" || !strings.Contains(out, name+" stays: it is not Followup's.") {
			t.Errorf("%s: %q, %v\n%s", name, text, err, out)
		}
	}
	if left, err := os.ReadDir(storage); err != nil || len(left) != 1 {
		t.Errorf("the storage has %v, %v", left, err)
	}

	// A hub's storage is somebody else's inbox.
	if err := os.Mkdir(filepath.Join(storage, "teams"), 0o700); err != nil {
		t.Fatal(err)
	}
	a.run(2, "uninstall", "--yes")
}

// Of the paths that a keeper's file names, only a socket is removed.
func TestUninstallRemovesOnlyASocket(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	a := newUserHome(t, "FOLLOWUP_STORAGE="+storage)
	mine, named := filepath.Join(storageDir(t), "mine"), filepath.Join(storage, "keeper.json")
	err := errors.Join(os.WriteFile(mine, nil, 0o600), os.WriteFile(named, fmt.Appendf(nil, `{"socket":%q}`, mine), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	out := a.run(0, "uninstall", "--yes")
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(named); err == nil {
		t.Errorf("keeper.json is still there\n%s", out)
	}
}

// While another program uses the inbox, nothing is removed, since that program would write again.
func TestUninstallInUse(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	a := newUserHome(t, "FOLLOWUP_STORAGE="+storage)
	a.uses()
	before := slices.Sorted(maps.Keys(a.files()))
	s := startSidecar(t, storage)
	fill(t, s)
	if out := a.run(1, "uninstall", "--yes"); !strings.Contains(out, "The inbox is in use by 1 program") {
		t.Errorf("it prints %s", out)
	}
	if out := a.run(0, "uninstall", "--dry-run"); !strings.Contains(out, "The inbox is in use by 1 program") {
		t.Errorf("it prints %s", out)
	}
	if after := slices.Sorted(maps.Keys(a.files())); !slices.Equal(after, before) {
		t.Errorf("left are %q", after)
	}
	s.kill()
}

// An agent that is connected and whose configuration cannot be read stops it before anything is removed.
func TestUninstallBlocked(t *testing.T) {
	t.Parallel()
	a := newUserHome(t)
	a.write(".copilot/mcp-config.json", "{") // never connected
	a.before = a.files()
	a.run(0, "connect", "codex", "qwen", "--yes")
	connected := a.files()
	a.write(".qwen/settings.json", "{")
	if out := a.run(1, "uninstall", "--yes"); !strings.Contains(out, "Nothing was removed, because Qwen Code cannot be disconnected: ") {
		t.Errorf("it prints %s", out)
	}
	_, text, _ := strings.Cut(connected[".qwen/settings.json"], " ")
	a.write(".qwen/settings.json", text)
	a.run(0, "uninstall", "--yes")
	a.isAsBefore()
}

// The folder that XDG_DATA_HOME named at first is removed with the file that names it.
func TestUninstallElsewhere(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("there is only one folder")
	}
	data := storageDir(t)
	a := newUserHome(t, "XDG_DATA_HOME="+data)
	a.uses()
	if _, err := os.Readlink(filepath.Join(a.home, ".local/share/followup/elsewhere")); err != nil {
		t.Fatal(err)
	}
	a.run(0, "uninstall", "--yes")
	a.isAsBefore()
	if left, err := os.ReadDir(data); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}
