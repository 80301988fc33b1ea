package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand is "followup man": the texts of --help as man pages.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the man pages",
		Long: "Write a man page for each command into DIR, which is created if necessary: followup.1, followup-ask.1, and so on. They say what --help " +
			"says.\n\n" + plainStatuses,
		Example: "  followup man ~/.local/share/man/man1 && man followup-ask",
		Args:    oneArgument("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := newRoot(process{env: func(string) string { return "" }}) // defaults do not depend on this user
			root.InitDefaultVersionFlag()
			return writeManPages(root, args[0])
		},
	}
}

// writeManPages writes the page of a command and those of its subcommands.
func writeManPages(c *cobra.Command, dir string) error {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			if err := writeManPages(sub, dir); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(dir, manName(c)+".1"), []byte(manPage(c)), 0o644)
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// statusHeading begins the paragraph of a help text that lists the exit statuses.
const statusHeading = "Exit status: "

// manPage returns a command's page in the macros of man(7).
func manPage(c *cobra.Command) string {
	var b strings.Builder
	section := func(title string) { fmt.Fprintf(&b, ".SH %s\n", title) }
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"followup %s\" \"Followup\"\n", strings.ToUpper(manName(c)), release)
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", roff(manName(c)), roff(strings.ToLower(c.Short[:1])+c.Short[1:]))
	section("SYNOPSIS")
	fmt.Fprintf(&b, "\\fB%s\\fR%s\n", roff(c.CommandPath()), roff(strings.TrimPrefix(c.UseLine(), c.CommandPath())))
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, ".br\n\\fB%s\\fR command\n", roff(c.CommandPath()))
	}
	section("DESCRIPTION")
	statuses := ""
	for _, paragraph := range strings.Split(c.Long, "\n\n") {
		if strings.HasPrefix(paragraph, "\t") { // commands to type, in cobra's help
			fmt.Fprintf(&b, ".EX\n%s\n.EE\n", roff(strings.ReplaceAll(paragraph, "\t", "  ")))
			continue
		}
		paragraph = strings.Join(strings.Fields(paragraph), " ")
		if list, ok := strings.CutPrefix(paragraph, statusHeading); ok {
			statuses = list
			continue
		}
		fmt.Fprintf(&b, ".PP\n%s\n", roff(paragraph))
	}
	if c.HasAvailableSubCommands() {
		section("COMMANDS")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff(sub.Name()), roff(sub.Short))
			}
		}
	}
	c.InitDefaultHelpFlag()
	manFlags(&b, "OPTIONS", c.NonInheritedFlags())
	manFlags(&b, "COMMON OPTIONS", c.InheritedFlags())
	if statuses != "" {
		section("EXIT STATUS")
		fmt.Fprintf(&b, "%s\n", roff(statuses))
	}
	if c.HasExample() {
		section("EXAMPLES")
		fmt.Fprintf(&b, ".EX\n%s\n.EE\n", roff(c.Example))
	}
	var also []string
	if c.HasParent() {
		also = append(also, manName(c.Parent()))
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			also = append(also, manName(sub))
		}
	}
	if len(also) > 0 {
		section("SEE ALSO")
		for i, name := range also {
			end := ","
			if i == len(also)-1 {
				end = ""
			}
			fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(name), end)
		}
	}
	return b.String()
}

// manFlags writes flags like --help.
func manFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden {
			return
		}
		one := pflag.NewFlagSet("", pflag.ContinueOnError)
		one.AddFlag(flag)
		name, usage, _ := strings.Cut(strings.TrimSpace(one.FlagUsages()), "   ")
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR\n%s\n", roff(name), roff(strings.TrimSpace(usage)))
	})
}

// roff escapes a text, so that nothing in it is a request or an escape. Rare characters become ASCII.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "’", `\(cq`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
