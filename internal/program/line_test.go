package program

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func place(t *testing.T) Place {
	t.Helper()
	return Place{Person: filepath.Join(t.TempDir(), "share", "followup")}
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

// What is run of a folder that is called as Followup's is the user's, unless it is Followup's program or plugin.
func TestNames(t *testing.T) {
	m := place(t)
	for text, want := range map[string]bool{
		m.Program():                                                              true,
		m.Hook("claude-code", Posix, false):                                      true,
		m.Hook("gemini", PowerShell, false):                                      true,
		m.HookThatSucceeds("copilot", Posix):                                     true,
		m.HookThatSucceeds("copilot", PowerShell):                                true,
		m.PluginURL("kilo"):                                                      true,
		"/old/followup/bin/followup":                                             true,
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
		if m.Names(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// The lines of hooks, and where things stand, on each system.
func TestHookLines(t *testing.T) {
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
		m := place(t)
		m.OS, m.Person = system, "/"+name
		for on, line := range want {
			got := m.Hook("x", Shell(on), false)
			equal(t, system, strings.ReplaceAll(got, `\`, "/"), strings.ReplaceAll(line, `\`, "/"))
			if !m.Names(got) {
				t.Errorf("%s: it is not known as ours: %s", system, got)
			}
		}
	}
}

// A path is what it is in PowerShell, whatever it has in it.
func TestPowershell(t *testing.T) {
	m := place(t)
	m.OS, m.Person = "windows", "/$env:x/`n/it's/followup"
	const program = "'/$env:x/`n/it''s/followup/bin/followup.exe'"
	const line = "if (Test-Path -LiteralPath " + program + ") { & " + program + " hook "
	equal(t, "the hook", filepath.ToSlash(m.Hook("gemini", PowerShell, false)), line+"gemini }")
	equal(t, "the one that does not fail", filepath.ToSlash(m.HookThatSucceeds("copilot", PowerShell)),
		"try { "+line+"copilot } } catch { [Console]::Error.WriteLine($_) }; exit 0")
}

// Without the program, a hook does nothing: the agent asks by itself, and has no error to show. With it, the program's words and status are
// the hook's, but for Copilot CLI, which denies every tool whose hook fails.
func TestHookWithoutProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its lines are for three shells")
	}
	for _, folder := range []string{"", "it's a folder"} {
		m := place(t)
		m.Person = filepath.Join(m.Person, folder)
		lines := map[string]int{ // and the status of those whose program fails
			m.Hook("claude-code", Posix, true): 1, m.Hook("codex", Cmd, true): 1, m.Hook("gemini", PowerShell, false): 1, m.HookThatSucceeds("copilot", Posix): 0,
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
