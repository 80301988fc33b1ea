//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"followup/internal/waits"
)

// recordVariable names the file to which the test binary, called followup in a shell, appends how it was called.
const recordVariable = "FOLLOWUP_TEST_RECORD"

// called is a command line of followup, as a shell passes it on.
type called struct {
	Args []string
	Env  []string // the variables that are Followup's
}

func init() {
	if name := os.Getenv(recordVariable); name != "" && filepath.Base(os.Args[0]) == "followup" {
		os.Exit(record(name))
	}
}

func record(name string) int {
	c := called{Args: os.Args[1:]}
	for _, variable := range os.Environ() {
		if strings.HasPrefix(variable, "FOLLOWUP_") && !strings.HasPrefix(variable, recordVariable) {
			c.Env = append(c.Env, variable)
		}
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return 1
	}
	if json.NewEncoder(file).Encode(c) != nil || file.Close() != nil {
		return 1
	}
	return 0
}

// TestShownCommands runs every command that a text shows, and fails if the program rejects it as wrong usage. A text is a document,
// the help, the page, a message or a comment. There are three forms:
//
//   - Blocks for a shell, the help's examples and the page's commands are complete. A shell reads them, and the real binary runs.
//   - Code in a sentence may be a part of a command, such as `followup ask --json`: its flags must exist and have valid values.
//     If it has arguments, it must be complete, too.
//   - In plain words, such as "run followup keeper restart", the subcommand and its flags must exist.
func TestShownCommands(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	shell := newRecorder(t)
	runner := newRunner(t)
	blocks, mentions := 0, 0
	complete := func(t *testing.T, block string) {
		t.Helper()
		for _, c := range shell.commands(t, block) {
			blocks++
			runner.run(t, c)
		}
	}

	for _, pattern := range []string{"*.md", "docs/*.md", "docs/agents/*.md", "extension/walkthrough/*.md"} {
		for _, name := range matches(t, pattern) {
			t.Run(name, func(t *testing.T) {
				text := read(filepath.Join("../..", name))
				for _, block := range shellBlock.FindAllStringSubmatch(text, -1) {
					complete(t, block[1])
				}
				text = anyBlock.ReplaceAllString(text, "")
				for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
					if code := strings.Join(strings.Fields(span[1]), " "); commandCode.MatchString(code) {
						mentions++
						for _, c := range shell.commands(t, programPath.ReplaceAllString(code, "followup")) {
							if err := parse(c.Args, true); err != nil {
								t.Errorf("%s: %v", code, err)
							}
						}
					}
				}
				mentions += wordsMention(t, codeSpan.ReplaceAllString(text, ""))
			})
		}
	}
	for _, pattern := range []string{
		"package.nls*.json", "l10n/*.json", "extension/webview/english.json", "internal/locale/l10n/*.json",
		"cmd/followup/*.go", "internal/*/*.go", "internal/*/*/*.go",
		"extension/src/*.ts", "extension/src/*/*.ts", "extension/webview/*.ts", "extension/webview/*/*.ts", "extension/sample-agent/*.ts",
	} {
		for _, name := range matches(t, pattern) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			t.Run(name, func(t *testing.T) {
				text := read(filepath.Join("../..", name))
				for _, block := range pageCommands.FindAllStringSubmatch(text, -1) {
					complete(t, block[1])
				}
				mentions += wordsMention(t, text)
			})
		}
	}
	for _, c := range allCommands(newRoot(process{env: noVariable})) {
		t.Run("help of "+c.CommandPath(), func(t *testing.T) {
			switch {
			case c.HasParent() && c.Parent().Name() == "completion": // each for its own shell
				mentions += wordsMention(t, c.Example)
			case c.Example != "":
				complete(t, c.Example)
			}
		})
	}
	if blocks < 80 || mentions < 200 {
		t.Errorf("%d commands and %d mentions were found; are the patterns still right?", blocks, mentions)
	}
}

var (
	shellBlock   = regexp.MustCompile("(?ms)^ *```sh\n(.*?)^ *```$")
	anyBlock     = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	codeSpan     = regexp.MustCompile("`([^`]+)`")
	commandCode  = regexp.MustCompile(`^(\w+=\S+ )*\S*\bfollowup [a-z-]`)
	programPath  = regexp.MustCompile(`\S+/followup\b`)
	pageCommands = regexp.MustCompile(`(?s)<pre class="commands".*?>(followup.*?)</pre>`)

	// plainWords matches the program's name and words that may be a subcommand, then flags and placeholders. Before it may be what
	// makes them a command for certain: "run", a colon or a quotation mark.
	plainWords = regexp.MustCompile(`(?:(run:? |: |['"“])|^|[^\w/#.-])followup ((?:[a-z]+[ \n])*[a-z]+)((?:[ \n](?:--[a-z][a-z-]+|\{\d\}|[A-Z]{2,}))*)`)
)

// wordsMention checks the commands that plain words name, and returns their number.
func wordsMention(t *testing.T, text string) (found int) {
	t.Helper()
	for _, at := range plainWords.FindAllStringSubmatch(text, -1) {
		words, flags := strings.Fields(at[2]), strings.Fields(at[3])
		c, rest, err := newRoot(process{env: noVariable}).Find(words)
		if err != nil || !c.HasParent() {
			if at[1] != "" {
				t.Errorf("%q names no command", strings.TrimSpace(at[0]))
			}
			continue // the words are about the program
		}
		found++
		c.InitDefaultHelpFlag()
		if len(rest) > 0 { // a word of the sentence follows, so the flags may be another command's
			continue
		}
		for _, name := range flags {
			if name, isFlag := strings.CutPrefix(name, "--"); isFlag && c.Flag(name) == nil {
				t.Errorf("%q: there is no --%s", strings.TrimSpace(at[0]), name)
			}
		}
	}
	return found
}

// parse parses a command line as the program does, up to the point where the command would run. A mention may lack arguments, and the
// value of its last flag.
func parse(args []string, mention bool) error {
	root := newRoot(process{args: args, env: noVariable})
	c, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	c.InitDefaultHelpFlag()
	if !c.HasParent() {
		return fmt.Errorf("there is no command %q", args)
	}
	if c.DisableFlagParsing {
		return nil
	}
	var lacksValue *pflag.ValueRequiredError
	if err := c.ParseFlags(rest); err != nil && (!mention || !errors.As(err, &lacksValue)) {
		return err
	}
	if mention && c.Flags().NArg() == 0 {
		return nil
	}
	return c.ValidateArgs(c.Flags().Args())
}

func noVariable(string) string { return "" }

func allCommands(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		all = append(all, allCommands(sub)...)
	}
	return all
}

// matches returns the files of the repository that match a pattern.
func matches(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("../..", pattern))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		names[i] = strings.TrimPrefix(filepath.ToSlash(name), "../../")
	}
	return names
}

// recorder is a shell in which followup only records how it is called, and nothing else can be run.
type recorder struct{ folder, file string }

func newRecorder(t *testing.T) recorder {
	t.Helper()
	r := recorder{folder: t.TempDir(), file: filepath.Join(t.TempDir(), "calls")}
	self, err := os.Executable()
	for _, name := range []string{"followup", ".local/share/followup/bin/followup"} { // texts use both places
		if file := filepath.Join(r.folder, name); err == nil {
			err = errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.Symlink(self, file))
		}
	}
	const rest = "until [ \"$1\" = followup ] && [ \"$2\" != -- ]; do shift || exit; done\nexec \"$@\""
	for name, script := range map[string]string{
		"claude": rest, "npx": rest, "sudo": rest, "tmux": rest, // they run what follows in their line
		"hostname": "echo laptop.example",
	} {
		if err == nil {
			err = os.WriteFile(filepath.Join(r.folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755)
		}
	}
	if err == nil { // an input that texts name
		err = os.WriteFile(filepath.Join(r.folder, "message.txt"), nil, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// commands returns the calls of followup in a script. Each one that the script's text has must be reached.
func (r recorder) commands(t *testing.T, script string) (calls []called) {
	t.Helper()
	if err := os.WriteFile(r.file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("/bin/sh", "-c", script)
	command.Dir = r.folder
	command.Env = []string{"PATH=" + r.folder, "HOME=" + r.folder, recordVariable + "=" + r.file}
	text, problem := command.CombinedOutput() // other programs in the script are not found
	file, err := os.Open(r.file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for all := json.NewDecoder(file); ; {
		var c called
		if err := all.Decode(&c); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, c)
	}
	if want := len(callInScript.FindAllString(comment.ReplaceAllString(script, ""), -1)); len(calls) != want {
		t.Errorf("the shell called followup %d times, not %d (%v):\n%s\n%s", len(calls), want, problem, script, text)
	}
	return calls
}

var (
	callInScript = regexp.MustCompile(`(?m)(?:^|[\s(|/])followup [a-z]`)
	comment      = regexp.MustCompile(`(?m)(^|\s)#.*$`)
)

// runner runs commands with the real binary, in a home folder of its own.
type runner struct {
	home, storage, hub string
	done               map[string]bool
}

func newRunner(t *testing.T) *runner {
	t.Helper()
	r := &runner{home: storageDir(t), storage: storageDir(t), hub: storageDir(t), done: map[string]bool{}}
	t.Cleanup(func() { endKeepersIn(r.home) })
	return r
}

// run runs a command until it ends or serves, and fails if it is rejected as wrong usage. Any other outcome is right: there is no
// such question, certificate or hub here.
func (r *runner) run(t *testing.T, c called) {
	t.Helper()
	shown := strings.Join(append(slices.Clone(c.Env), c.Args...), " ")
	if r.done[shown] {
		return
	}
	r.done[shown] = true
	if err := parse(c.Args, false); err != nil {
		t.Errorf("followup %s: %v", shown, err)
		return
	}
	name, args, storage, serves := c.Args[0], r.localized(c.Args), r.storage, false
	switch name {
	case "ask":
		args = append(args, "--timeout", "1ms")
	case "web":
		args, serves = append(args, "--no-browser"), true
	case "hub":
		storage, serves = r.hub, len(args) == 1 || strings.HasPrefix(args[1], "-")
	}
	command := exec.Command(binary, args...)
	command.Dir = r.home
	command.Env = append(environment(r.home, "PATH="+filepath.Dir(binary), "FOLLOWUP_STORAGE="+storage, lingerVariable+"="+os.Getenv(lingerVariable)),
		r.localized(c.Env)...)
	command.Stdin = strings.NewReader("Which port?\n")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	endsWith(t, command)
	defer time.AfterFunc(waits.Patience, func() { _ = command.Process.Kill() }).Stop()
	if _, err := out.Read(make([]byte, 1)); err == nil && serves {
		_ = command.Process.Signal(syscall.SIGTERM)
	}
	_, _ = io.Copy(io.Discard, out)
	_ = waits.Ended(t, command)
	said := stderr.String()
	if needsTerminal.MatchString(said) {
		return // a person has one
	}
	// A hook ends with 1, because agents take 2 for a refusal.
	if command.ProcessState.ExitCode() == exitUsage || strings.Contains(said, "for its usage") {
		t.Errorf("followup %s: %s", shown, said)
	}
}

var needsTerminal = regexp.MustCompile(`must be a terminal|without a terminal`)

var port = regexp.MustCompile(`:\d+$`)

// localized replaces what texts name as examples: addresses to listen on, the stores of hubs, and secrets.
func (r *runner) localized(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		switch {
		case i > 0 && slices.Contains([]string{"--listen", "--metrics"}, args[i-1]):
			args[i] = port.ReplaceAllString(arg, ":0")
		case i > 0 && args[i-1] == "--storage":
			args[i] = r.hub
		case strings.HasSuffix(arg, "=whsec_…"):
			args[i] = strings.Replace(arg, "whsec_…", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3", 1)
		}
	}
	return args
}
