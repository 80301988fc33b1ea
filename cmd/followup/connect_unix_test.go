//go:build unix

package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// On a terminal, connect and disconnect show the changes and ask before they write.
func TestConnectAsks(t *testing.T) {
	t.Parallel()
	home := storageDir(t)
	settings := filepath.Join(home, ".codex", "config.toml")
	const before = "model = \"m\"\n"
	if err := os.Mkdir(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	connected := func() bool {
		text, err := os.ReadFile(settings)
		if err != nil {
			t.Fatal(err)
		}
		return string(text) != before
	}
	const asks, ctrlD = "Write these changes? y: yes, d: show every line, n: no", "\x04"
	for _, test := range []struct {
		command   string
		keys      []string
		status    int
		connected bool
	}{
		{"connect", []string{"n\n"}, 1, false},
		{"connect", []string{"\n"}, 1, false},
		{"connect", []string{ctrlD}, 1, false},
		{"connect", []string{"d\n", "y\n"}, 0, true},
		{"disconnect", []string{"d\n", "no\n"}, 1, true},
		{"disconnect", []string{"Yes\n"}, 0, false},
	} {
		p := onTerminal(t, storageDir(t), []string{"HOME=" + home, "LANG=en"}, test.command, "codex")
		p.until("⚠ marks additional settings")
		for _, key := range test.keys {
			p.until(asks)
			p.typed(key)
			if key == "d\n" {
				p.until("[mcp_servers.followup]")
			}
		}
		if test.status == 0 {
			p.until("config.toml\r\n") // what was changed
		} else {
			p.until("Nothing was changed.")
		}
		if got := p.ended(); got != test.status || connected() != test.connected {
			t.Errorf("%s, then %q: status %d, connected %v", test.command, test.keys, got, connected())
		}
	}
}

// On a terminal, uninstall shows what it would remove and asks.
func TestUninstallAsks(t *testing.T) {
	t.Parallel()
	a := newUserHome(t)
	a.run(0, "connect", "codex", "--yes")
	used := a.files()
	env := append(slices.Clone(a.env), "FOLLOWUP_STORAGE=")
	for _, test := range []struct {
		keys   []string
		status int
	}{{[]string{"n\n"}, 1}, {[]string{"d\n", "\n"}, 1}, {[]string{"y\n"}, 0}} {
		p := onTerminal(t, a.storage, env, "uninstall")
		p.until("~ ~/.codex/config.toml (Codex)")
		for _, key := range test.keys {
			p.until("Remove all of this? y: yes, d: show every changed line, n: no")
			p.typed(key)
			if key == "d\n" {
				p.until("-[mcp_servers.followup]")
			}
		}
		if test.status == 0 {
			p.until("Followup was removed.")
		} else {
			p.until("Nothing was changed.")
		}
		if got := p.ended(); got != test.status {
			t.Errorf("%q: status %d", test.keys, got)
		}
		if test.status != 0 && !maps.Equal(a.files(), used) {
			t.Errorf("%q: it has changed something", test.keys)
		}
	}
	a.isAsBefore()
}
