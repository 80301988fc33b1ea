// Command followup is the sidecar that asks a coding agent's questions. Each subcommand has a file of its own; only this
// package touches the process: its arguments, streams, signals and exit status.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// process is what a subcommand may touch of the process.
type process struct {
	args   []string // without the command's and the subcommand's names
	stdin  io.ReadCloser
	stdout io.Writer
	stderr io.Writer
	env    func(string) string
}

// command is one subcommand. Run returns the exit status: 2 is for a usage error.
type command struct {
	name, about string
	run         func(process) int
}

// exitUsage is the exit status for arguments that cannot be understood.
const exitUsage = 2

func commands() []command {
	return []command{
		{"serve", "speak the protocol on standard input and output, for an editor", serve},
		{"parse", "read assistant text or tool arguments and print the calls in it as JSON", parse},
		{"history", "list, search or export what was asked and answered", history},
		{"import", "bring what was asked and answered in other tools into the history", importLogs},
		{"version", "print the version", printVersion},
	}
}

func main() {
	os.Exit(run(process{os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv}))
}

func run(p process) int {
	if len(p.args) == 0 {
		usage(p.stderr)
		return exitUsage
	}
	name := p.args[0]
	p.args = p.args[1:]
	if slices.Contains([]string{"help", "-h", "-help", "--help"}, name) {
		usage(p.stdout)
		return 0
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(p)
		}
	}
	fmt.Fprintf(p.stderr, "followup: there is no command %q\n\n", name)
	usage(p.stderr)
	return exitUsage
}

func usage(w io.Writer) {
	var b strings.Builder
	b.WriteString("usage: followup COMMAND [FLAGS]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-8s  %s\n", c.name, c.about)
	}
	b.WriteString("\n\"followup COMMAND -h\" tells a command's flags.\n")
	fmt.Fprint(w, b.String())
}

func parse(p process) int { return parseCommand(p.args, p.stdin, p.stdout, p.stderr, p.env) }

// release is the version of a release build; the Makefile sets it from package.json.
var release = "dev"

// version names this build: the release, and the commit where the build knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
				return release + "+" + setting.Value[:12]
			}
		}
	}
	return release
}

func printVersion(p process) int {
	fmt.Fprintln(p.stdout, "followup", version())
	return 0
}
