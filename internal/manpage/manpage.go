// Package manpage writes the help of a command line as man pages.
package manpage

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Write writes the page of a command and those of its subcommands into a folder, as NAME-SUBCOMMAND.1.
func Write(c *cobra.Command, dir, release string) error {
	for _, sub := range listed(c) {
		if err := Write(sub, dir, release); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, name(c)+".1"), []byte(page(c, release)), 0o644)
}

// listed returns the subcommands that the help lists.
func listed(c *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(c.Commands()), func(sub *cobra.Command) bool { return !sub.IsAvailableCommand() })
}

func name(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// statusHeading begins the paragraph of a help text that lists the exit statuses.
const statusHeading = "Exit status: "

// page returns a command's page in the macros of man(7).
func page(c *cobra.Command, release string) string {
	var b strings.Builder
	section := func(title string) { fmt.Fprintf(&b, ".SH %s\n", title) }
	root := c.Root().Name()
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s %s\" \"%s\"\n", strings.ToUpper(name(c)), root, release, strings.ToUpper(root[:1])+root[1:])
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", roff(name(c)), roff(strings.ToLower(c.Short[:1])+c.Short[1:]))
	section("SYNOPSIS")
	fmt.Fprintf(&b, "\\fB%s\\fR%s\n", roff(c.CommandPath()), roff(strings.TrimPrefix(c.UseLine(), c.CommandPath())))
	subs := listed(c)
	if len(subs) > 0 {
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
	if len(subs) > 0 {
		section("COMMANDS")
	}
	for _, sub := range subs {
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff(sub.Name()), roff(sub.Short))
	}
	c.InitDefaultHelpFlag()
	writeFlags(&b, "OPTIONS", c.NonInheritedFlags())
	writeFlags(&b, "COMMON OPTIONS", c.InheritedFlags())
	if statuses != "" {
		section("EXIT STATUS")
		fmt.Fprintf(&b, "%s\n", roff(statuses))
	}
	if c.HasExample() {
		section("EXAMPLES")
		fmt.Fprintf(&b, ".EX\n%s\n.EE\n", roff(c.Example))
	}
	if c.HasParent() {
		subs = slices.Insert(subs, 0, c.Parent())
	}
	if len(subs) > 0 {
		section("SEE ALSO")
		var also []string
		for _, other := range subs {
			also = append(also, ".BR "+roff(name(other))+" (1)")
		}
		fmt.Fprintf(&b, "%s\n", strings.Join(also, ",\n"))
	}
	return b.String()
}

// writeFlags writes flags like --help.
func writeFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
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
		flagName, usage, _ := strings.Cut(strings.TrimSpace(one.FlagUsages()), "   ")
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR\n%s\n", roff(flagName), roff(strings.TrimSpace(usage)))
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
