package program

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// ApprovalsFlag ends the line of a hook that brings requests for permission into the inbox, too.
const ApprovalsFlag = " --approvals"

// Shell is the one that runs an agent's hooks on Windows. Elsewhere it is a POSIX shell.
type Shell int

// The shells of hooks.
const (
	Posix Shell = iota // Git Bash on Windows
	Cmd
	PowerShell
)

// Hook returns the command line of an agent's hook. If the program is missing, the line does nothing, so the agent asks by itself and reports
// no error. Codex trusts the line as it is, so it must not change between versions.
func (p Place) Hook(agent string, on Shell, approvals bool) string {
	call := " hook " + agent
	if approvals {
		call += ApprovalsFlag
	}
	switch {
	case !p.Windows() || on == Posix:
		return "test ! -x " + p.inPosix() + " || exec " + p.inPosix() + call
	case on == Cmd:
		return `if exist "` + p.Program() + `" "` + p.Program() + `"` + call
	}
	return p.ifThere(call)
}

// HookThatSucceeds is Hook for an agent that denies a tool whose hook fails: the exit status is always 0. It is for the named shell on any
// system.
func (p Place) HookThatSucceeds(agent string, on Shell) string {
	call := " hook " + agent
	if on == PowerShell {
		return "try { " + p.ifThere(call) + " } catch { [Console]::Error.WriteLine($_) }; exit 0"
	}
	return "test ! -x " + p.inPosix() + " || " + p.inPosix() + call + " || true"
}

// ifThere returns a PowerShell line that runs the program if it exists.
func (p Place) ifThere(call string) string {
	program := "'" + strings.ReplaceAll(p.Program(), "'", "''") + "'"
	return "if (Test-Path -LiteralPath " + program + ") { & " + program + call + " }"
}

// inPosix returns the program for a POSIX shell, which expands nothing in single quotes.
func (p Place) inPosix() string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@"
	program := filepath.ToSlash(p.Program())
	if !p.Windows() && strings.Trim(program, plain) == "" {
		return program
	}
	return "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
}

// PluginURL returns the address of a plugin.
func (p Place) PluginURL(name string) string {
	path := filepath.ToSlash(p.Plugin(name))
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// ours matches Followup's program, alone or as a hook, and its plugin.
var ours = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`/followup/bin/(?:followup(?:\.exe)?(?:$|["']?\s+hook\s)|(?:` + strings.Join(Plugins(), "|") + `)\.js$)`)
})

// unquoted undoes the quoting of an apostrophe in POSIX shells and PowerShell.
var unquoted = strings.NewReplacer(`'\''`, "'", "''", "'")

// Names reports whether a text names Followup's program or plugin, in today's folder or an earlier one. Other programs in such a folder are
// the user's.
func (p Place) Names(text string) bool {
	if strings.HasPrefix(text, "file:") {
		if plain, err := url.PathUnescape(text); err == nil {
			text = plain
		}
	}
	text = unquoted.Replace(text)
	plain := func(text string) string { return strings.ToLower(strings.ReplaceAll(text, `\`, "/")) }
	return ours().MatchString(strings.ReplaceAll(plain(text), plain(filepath.Dir(p.Program()))+"/", "/followup/bin/"))
}
