package agentfolder

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Places finds the logs of each tool, also where environment variables name other folders.
func TestPlaces(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders are those of Linux")
	}
	home := t.TempDir()
	for _, folder := range []string{
		".claude/projects", "codex/sessions", "google/.gemini/tmp/a/chats", "google/.gemini/tmp/b", ".gemini/tmp/a/chats", ".local/share/kilo", ".config/claude/projects", "cline/sessions", ".local/share/code-server/User/globalStorage/kilocode.kilo-code/tasks",
		".config/Code/User/workspaceStorage/1/chatSessions", ".config/Code/User/workspaceStorage/2", ".config/IBM Bob/User/globalStorage/ibm.bob-code/tasks",
		".copilot/session-state/a", ".copilot/session-state/b", ".kimi-code/sessions/wd_shop_1/s1/agents/main", "other/User/globalStorage/rooveterinaryinc.roo-cline/tasks",
	} {
		if err := os.MkdirAll(filepath.Join(home, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, ".local/share/kilo/kilo.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{".copilot/session-state/a/events.jsonl", ".kimi-code/sessions/wd_shop_1/s1/agents/main/wire.jsonl"} {
		if err := os.WriteFile(filepath.Join(home, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"HOME": home, "CODEX_HOME": filepath.Join(home, "codex"), "GEMINI_CLI_HOME": filepath.Join(home, "google"), "XDG_DATA_HOME": "relative", "CLINE_DATA_DIR": filepath.Join(home, "cline"), "CLINE_SESSION_DATA_DIR": "relative"}
	at := func(paths ...string) (all []string) {
		for _, path := range paths {
			all = append(all, filepath.Join(home, path))
		}
		return all
	}
	want := []Place{
		{"Claude Code", at(".claude/projects", ".config/claude/projects")}, {"Codex", at("codex/sessions")}, {"Gemini CLI", at("google/.gemini/tmp/a/chats")},
		{"Cline", at("cline/sessions")}, {"Kilo Code", at(".local/share/code-server/User/globalStorage/kilocode.kilo-code/tasks", ".local/share/kilo/kilo.db")},
		{"Roo Code", at("other/User/globalStorage/rooveterinaryinc.roo-cline/tasks")},
		{"IBM Bob", at(".config/IBM Bob/User/globalStorage/ibm.bob-code/tasks")},
		{"Copilot", at(".config/Code/User/workspaceStorage/1/chatSessions")},
		{"Copilot CLI", at(".copilot/session-state/a/events.jsonl")},
		{"Kimi Code", at(".kimi-code/sessions/wd_shop_1/s1/agents/main/wire.jsonl")},
	}
	got := Places(func(name string) string { return env[name] }, filepath.Join(home, "other/User/globalStorage/followup.followup"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	t.Chdir(home)
	if got := Places(func(string) string { return "" }, ""); got != nil {
		t.Errorf("without a home: %v", got)
	}
}

// A folder that two patterns match is listed once, as on a system that ignores case.
func TestPlaceOfTwoNames(t *testing.T) {
	sessions := filepath.Join(t.TempDir(), "sessions")
	if err := os.Mkdir(sessions, 0o700); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.Symlink(filepath.Dir(sessions), other); err != nil {
		t.Skip(err)
	}
	env := map[string]string{"CLINE_SESSION_DATA_DIR": sessions, "CLINE_DATA_DIR": other}
	got := Places(func(name string) string { return env[name] }, "")
	if diff := cmp.Diff([]Place{{"Cline", []string{sessions}}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
