// Command followup is the sidecar, which asks coding agents' questions. Each subcommand has its own file. Only this package
// touches the process: its arguments, streams, signals and exit status.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"followup/internal/archive"
)

// process is the part of the process that a subcommand may use.
type process struct {
	args   []string // without the command's name
	stdin  io.ReadCloser
	stdout io.Writer
	stderr io.Writer
	env    func(string) string
}

// Exit statuses.
const (
	exitFailed = 1
	exitUsage  = 2 // invalid arguments
)

// status is an error without a message, which ends the process with that exit status. The message, if any, was already printed.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func main() {
	keeperProgram, _ = os.Executable() // if empty, each process keeps the inbox itself
	os.Exit(run(process{os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv}))
}

func run(p process) int {
	root := newRoot(p)
	root.SetArgs(append([]string{}, p.args...)) // if nil, cobra would use the process's
	root.SetIn(p.stdin)
	out := &checkedWriter{Writer: p.stdout}
	root.SetOut(out)
	root.SetErr(p.stderr)
	command, err := root.ExecuteC()
	if err == nil {
		err = out.err
	}
	var ended status
	var wrong usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ended):
		return int(ended)
	case isReaderGone(err):
		return exitFailed // the reader needs no more
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted")
	}
	fmt.Fprintf(p.stderr, "%s: %s\n", command.CommandPath(), archive.Plain(err.Error()))
	if !errors.As(err, &wrong) {
		return exitFailed
	}
	if wrong.meant == "" {
		fmt.Fprintf(p.stderr, "Run '%s --help' for its usage.\n", command.CommandPath())
	}
	return exitUsage
}

// checkedWriter keeps the first write error, which cobra drops when it prints help.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(text []byte) (int, error) {
	n, err := w.Writer.Write(text)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// newRoot returns the command line. If "serve" is called, it omits the other commands, so that an editor starts faster.
func newRoot(p process) *cobra.Command {
	var versionAsked bool // cobra's own flag needs a template, which links every exported method into the program: 3 MB
	root := &cobra.Command{
		Use:   "followup COMMAND",
		Short: "The inbox where coding agents ask their user",
		Long: "Followup is the inbox where coding agents ask their user.\n\n" +
			"Exit status: 0 done, 1 failed, 2 wrong usage. A command's help lists others.",
		DisableFlagsInUseLine: true,
		Example:               "  followup connect claude-code\n  followup answer\n  followup ask 'Deploy?' --suggest Yes --suggest No",
		Args:                  cobra.ArbitraryArgs,
		SilenceErrors:         true, SilenceUsage: true,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && versionAsked:
				return printVersion(p)
			case len(args) == 0:
				return helpless(p, c)
			}
			return unknownName("command", args[0], commandNames(c), "")
		},
	}
	root.SetFlagErrorFunc(wrongFlag)
	root.Flags().BoolVarP(&versionAsked, "version", "v", false, "print the version")
	root.AddCommand(serveCommand(p))
	if len(p.args) == 0 || p.args[0] != "serve" {
		addCommands(p, root)
		addOwn(p, root)
	}
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		_, _ = io.WriteString(c.OutOrStdout(), helpText(c, terminalWidth(p.stdout))) // run returns the error
	})
	return root
}

// addCommands adds all commands except serve, in the groups of the help.
func addCommands(p process, root *cobra.Command) {
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Questions and answers:", []*cobra.Command{
			answerCommand(p), askCommand(p), historyCommand(p), importCommand(p), inboxCommand(p), webCommand(p),
		}},
		{"Agents and teams:", []*cobra.Command{
			connectCommand(p), disconnectCommand(p), doctorCommand(p), hookCommand(p), hubCommand(p), mcpCommand(p), parseCommand(p),
		}},
	} {
		for _, c := range group.commands {
			if root.AddCommand(c); c.IsAvailableCommand() {
				c.GroupID = group.title
			}
		}
		if group.commands[0].GroupID != "" {
			root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		}
	}
	root.AddCommand(keeperCommand(p), guideCommand(p), manCommand(), uninstallCommand(p), versionCommand(p))
}

// helpless prints a command's help on standard error if its subcommand is missing.
func helpless(p process, c *cobra.Command) error {
	c.SetOut(p.stderr)
	return errors.Join(c.Help(), status(exitUsage))
}

// addOwn adds cobra's own commands: help, with its topics, and completion, which rejects unknown arguments.
func addOwn(p process, root *cobra.Command) {
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(p.args...)
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			describeCompletion(p, c)
		}
	}
}

// release is the version of a release build; the Makefile sets it from package.json.
var release = development

// development is the release name of other builds.
const development = "dev"

// buildSetting returns what the Go command recorded about this build; empty if unknown.
func buildSetting(key string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == key {
				return setting.Value
			}
		}
	}
	return ""
}

// version returns the release and, if known, the commit.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && release == development {
		if fetched, ok := fetchedRelease(info.Main.Version); ok {
			return fetched
		}
	}
	if commit := buildSetting("vcs.revision"); len(commit) >= 12 {
		return release + "+" + commit[:12]
	}
	return release
}

// fetchedRelease returns the release of a program built by "go install MODULE@VERSION". A build of a working tree has none.
func fetchedRelease(moduleVersion string) (string, bool) {
	if !semver.IsValid(moduleVersion) || semver.Build(moduleVersion) != "" || module.IsPseudoVersion(moduleVersion) {
		return "", false
	}
	return strings.TrimPrefix(moduleVersion, "v"), true
}

func versionCommand(p process) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "version", Short: "Print the version", Example: "  followup version", Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return printJSON(p.stdout, map[string]string{"version": version()})
			}
			return printVersion(p)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func printVersion(p process) error {
	_, err := fmt.Fprintln(p.stdout, "followup", version())
	return err
}
