package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Control characters in an argument, or in a file name that an agent chose, do not reach the terminal through an error.
func TestErrorsEscapeControlCharacters(t *testing.T) {
	t.Parallel()
	const hostile = "a\x1b[2J\u202e\xff"
	for _, args := range [][]string{
		{"--" + hostile}, {"ask", "--questions", hostile}, {"import", hostile}, {"web", "--no-browser", "--tls-cert", hostile, "--tls-key", hostile},
		{"inbox", "--hub", hostile, "--hub-token-file", "none"},
	} {
		status, _, stderr := shell(t, storageDir(t), args...)
		if status == 0 || strings.ContainsAny(stderr, "\x1b\u202e") || !strings.Contains(stderr, "a\ufffd[2J\ufffd\ufffd") {
			t.Errorf("%q: status %d, %q", args, status, stderr)
		}
	}
}

// wrongValues are values that flags reject. A flag of any text has none.
var wrongValues = map[string]string{
	"address": "hub-1:80", "agent": "", "approvals": ",", "await": "", "callbacks": "all", "chunk": "0", "color": "sometimes", "expires": "soon",
	"format": "pdf", "from": "nothing", "grace": "1", "group": "", "header": "H", "host": "a/b", "hub": "nowhere", "hub-token-file": "none",
	"keep-days": "-1", "kind": "odd", "limit": "-1", "listen": "nowhere", "locale": "xx", "log-level": "loud", "max-options": "3",
	"max-questions": "13", "metrics": ":x", "mistake-limit": "-1", "not-shown-after": "5", "notify": "nowhere", "notify-after": "5",
	"notify-secret-file": "none", "outcome": "lost", "output": "", "parent": "-1", "questions": "none", "since": "yesterday",
	"storage": "mysql://a/b", "suggest": "", "timeout": "-1s", "tls-cert": "none", "tls-key": "none", "to": "Ann", "tool": "none",
	"trusted-proxy": "balancer", "until": "13", "url": "hub.example", "workspace": "",
}

// anyText are flags that take any text, or a file that is read later.
var anyText = []string{"hub-ca", "name", "notify-team", "opaque", "team"}

// needed are further arguments without which a command ignores a wrong value.
var needed = map[string][]string{"approvals": {"codex", "--dry-run"}, "hub-token-file": {"--hub", "nowhere"}}

// All usage errors have the status 2, cobra's own included, except those of a hook, because agents treat that status as a refusal.
func TestUsageErrors(t *testing.T) {
	t.Parallel()
	everyCommand(func(c *cobra.Command) {
		if c.Hidden {
			return
		}
		path := strings.Fields(c.CommandPath())[1:]
		given, required, variadic := argumentsOf(c)
		wrong := func(args ...string) {
			t.Helper()
			storage := storageDir(t)
			want := exitUsage
			if c.Name() == "hook" {
				want = exitFailed
			}
			status, stdout, stderr := shell(t, storage, append(slices.Clone(path), args...)...)
			if status != want || stdout != "" || stderr == "" {
				t.Errorf("%s %q: status %d, %q, %q", c.CommandPath(), args, status, stdout, stderr)
			}
		}
		wrong(append([]string{"--nonsense"}, given...)...)
		if !variadic {
			wrong(append(slices.Clone(given), "extra")...)
		}
		if required {
			wrong()
		}
		all := pflag.NewFlagSet("", pflag.ContinueOnError)
		all.AddFlagSet(c.LocalFlags())
		all.AddFlagSet(c.InheritedFlags())
		all.VisitAll(func(f *pflag.Flag) {
			value, known := wrongValues[f.Name]
			switch {
			case f.Hidden || isTopic(c) || slices.Contains(anyText, f.Name):
				return
			case c.Name() == "mcp" && f.Name == "storage":
				return // the agent gets the error as the result of its calls
			case f.NoOptDefVal == "true":
				value = "maybe"
			case !known:
				t.Errorf("%s: add a wrong value of --%s to wrongValues", c.CommandPath(), f.Name)
				return
			}
			wrong(slices.Concat(given, needed[f.Name], []string{"--" + f.Name + "=" + value})...)
		})
	})
}

// A hook's usage error has the status 1 even if it is found after its event was read.
func TestHookIsNeverWrongUsage(t *testing.T) {
	t.Parallel()
	const event = `{"hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","tool_use_id":"1","session_id":"s",` +
		`"tool_input":{"questions":[{"question":"Which?","header":"H","multiSelect":false,` +
		`"options":[{"label":"A","description":""},{"label":"B","description":""}]}]}}`
	for _, args := range [][]string{{"--to", "Ann"}, {"--storage", "mysql://a/b"}, {"--hub", "nowhere", "--hub-token-file", "none"}} {
		var stderr bytes.Buffer
		args = append([]string{"hook", "claude-code"}, args...)
		if status := run(process{args, io.NopCloser(strings.NewReader(event)), io.Discard, &stderr, noVariables}); status != exitFailed {
			t.Errorf("%q: status %d, %s", args, status, stderr.String())
		}
	}
}

// argumentsOf returns arguments that a command takes, by its line of usage: whether it requires any, and whether it takes more.
func argumentsOf(c *cobra.Command) (given []string, required, variadic bool) {
	for _, argument := range strings.Fields(c.Use)[1:] {
		variadic = variadic || strings.Contains(argument, "…")
		if required = argument[0] != '['; required {
			given = append(given, map[string]string{"AGENT": "codex"}[strings.TrimSuffix(argument, "…")])
		}
	}
	for i, text := range given {
		if text == "" {
			given[i] = "x"
		}
	}
	return given, required, variadic
}

// An unknown flag suggests the one that was probably meant, and nothing that merely looks like it.
func TestSimilarFlags(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ command, typed, meant string }{
		{"web", "--port", "--listen"}, {"web", "--lisen", "--listen"}, {"web", "--bind", "--listen"}, {"inbox", "--port", ""},
		{"inbox", "--lang", "--locale"}, {"inbox", "-storage", "--storage"}, {"inbox", "--sotrage", "--storage"}, {"inbox", "-p", ""},
		{"inbox", "--jsno", "--json"}, {"history", "--colour", "--color"}, {"history", "--work", "--workspace"},
	} {
		_, _, stderr := shell(t, storageDir(t), test.command, test.typed, "8080")
		_, meant, _ := strings.Cut(stderr, "; did you mean ")
		if got := strings.Trim(strings.TrimSuffix(meant, "?\n"), `"`); got != test.meant {
			t.Errorf("%s %s: suggests %q, want %q", test.command, test.typed, got, test.meant)
		}
	}
}
