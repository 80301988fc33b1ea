package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"followup/internal/protocol"
)

// offered returns the values and the descriptions that a shell offers for the last argument.
func offered(t *testing.T, storage string, args ...string) (values, descriptions []string) {
	t.Helper()
	status, stdout, _ := shell(t, storage, append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	last := len(lines) - 1
	if status != 0 || !strings.HasPrefix(lines[last], ":") {
		t.Fatalf("%q: status %d, %q", args, status, stdout)
	}
	for _, line := range lines[:last] {
		value, description, _ := strings.Cut(line, "\t")
		values, descriptions = append(values, value), append(descriptions, description)
	}
	return values, descriptions
}

// A question is completed by its id, from the keeper that runs.
func TestCompleteQuestions(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	s := startSidecar(t, storage)
	fill(t, s)
	asks := startAsk(t, storage, "", "Which colour?\x1b[31m", "--suggest", "Red")
	var pending string
	s.untilTrue(func() bool {
		for id, item := range s.items {
			if item.State == protocol.ItemPending {
				pending = id
			}
		}
		return pending != ""
	})
	ids, texts := offered(t, storage, "history", "show", "")
	if len(ids) != 4 || ids[0] != pending || !strings.HasPrefix(texts[0], "Which colour?") || strings.Contains(strings.Join(texts, ""), "\x1b") {
		t.Errorf("got %q, %q", ids, texts)
	}
	for _, id := range ids {
		if got, _ := offered(t, storage, "history", "show", id[:len(id)-1]); !slices.Contains(got, id) {
			t.Errorf("%s: got %q", id, got)
		}
	}
	for _, test := range []struct {
		args string
		want []string
	}{
		{"history|show|x", nil}, {"history|show|" + pending + "|", nil}, {"ask|--await|", []string{pending}}, {"ask|--await=" + pending[:8], []string{pending}},
		{"ask|--hub|https://hub.example|--await|", nil}, {"history|--agent|R", []string{"Roo"}}, {"history|export|--agent|K", []string{"Kilo"}},
		{"history|show|--storage|" + filepath.Join(storage, "slip") + "|", nil},
	} {
		got, _ := offered(t, storage, strings.Split(test.args, "|")...)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.args, got, test.want)
		}
	}
	if err := asks.command.Process.Kill(); err != nil {
		t.Error(err)
	}
}

// Without a keeper nothing is offered, started or created.
func TestCompleteStartsNothing(t *testing.T) {
	t.Parallel()
	storage := filepath.Join(storageDir(t), "none")
	for _, args := range [][]string{{"history", "show", ""}, {"ask", "--await", ""}, {"history", "--agent", ""}, {"hub", "revoke", ""}, {"hub", "list", "--team", ""}} {
		if got, _ := offered(t, storage, args...); got != nil {
			t.Errorf("%q: got %q", args, got)
		}
	}
	if _, err := os.Stat(storage); !os.IsNotExist(err) {
		t.Errorf("the folder was created: %v", err)
	}
	used := storageDir(t)
	s := startSidecar(t, used)
	fill(t, s)
	s.disconnect()
	if err := endKeeper(used); err != nil {
		t.Fatal(err)
	}
	if got, _ := offered(t, used, "history", "show", ""); got != nil {
		t.Errorf("got %q", got)
	}
	if status, _, stderr := shell(t, used, "keeper"); status != exitFailed || !strings.Contains(stderr, "no process keeps") {
		t.Errorf("a keeper runs: status %d, %s", status, stderr)
	}
}

// A hub's accounts, teams and groups are completed from its store, which is not repaired if it is damaged.
func TestCompleteAccounts(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	for _, invited := range []string{"Ann|--group|on call", "Bob|--group|ops", "Eve|--team|web", "ci|--agent"} {
		if status, _, stderr := shell(t, storage, append([]string{"hub", "invite"}, strings.Split(invited, "|")...)...); status != 0 {
			t.Fatal(stderr)
		}
	}
	check := func(args, want string) {
		t.Helper()
		got, _ := offered(t, storage, strings.Split(args, "|")...)
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %q, want %s", args, got, want)
		}
	}
	check("hub|revoke|", "Ann, Bob, ci")
	check("hub|revoke|A", "Ann")
	check("hub|revoke|--team|web|", "Eve")
	check("hub|revoke|Ann|", "")
	check("hub|invite|--renew|", "Ann, Bob, ci")
	check("hub|list|--team|", "main, web")
	check("hub|invite|Zoë|--group|o", "on call, ops")
	damaged := filepath.Join(storage, "inbox.db")
	for _, ending := range []string{"-wal", "-shm"} {
		_ = os.Remove(damaged + ending)
	}
	if err := os.WriteFile(damaged, []byte(strings.Repeat("no database", 20)), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadDir(storage)
	if err != nil {
		t.Fatal(err)
	}
	check("hub|revoke|", "")
	if after, err := os.ReadDir(storage); err != nil || len(after) != len(before) {
		t.Errorf("%v became %v, %v", before, after, err)
	}
}

// Flags with known values are completed with them.
func TestCompleteValues(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"inbox|--locale|": "en, fr, zh-CN, pt-BR", "import|--from|": strings.Join(toolNames(), ", "), "history|export|--format|": "markdown, json",
		"connect|": strings.Join(agentIDs(), ", "), "hook|": "claude-code, codex, copilot, gemini, kilo, opencode", "web|--callbacks|": "public, private",
		"help|history|s": "search, show", "help|st": "storage", "completion|z": "zsh",
	} {
		got, _ := offered(t, storageDir(t), strings.Split(args, "|")...)
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %q, want %s", args, got, want)
		}
	}
}
