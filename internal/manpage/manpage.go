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

// Write writes the page of a command, those of its subcommands and those of the topics of its help into a folder, as
// NAME-SUBCOMMAND.1 and NAME-help-TOPIC.1.
func Write(c *cobra.Command, dir, release string) error {
	for _, sub := range append(listed(c), topics(c)...) {
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

// topics returns the subcommands of a command's help command.
func topics(c *cobra.Command) []*cobra.Command {
	for _, sub := range c.Commands() {
		if sub.Name() == helpName {
			return listed(sub)
		}
	}
	return nil
}

const helpName = "help"

func name(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// TakesCommand reports whether a command has another form of usage, with a subcommand.
func TakesCommand(c *cobra.Command) bool {
	return len(listed(c)) > 0 && !strings.Contains(c.Use, " ") // Use does not describe it
}

// StatusHeading begins the paragraph of a help text that lists the exit statuses.
const StatusHeading = "Exit status: "

// Description returns the paragraphs of a command's help text, and its exit statuses, which have a paragraph of their own.
func Description(c *cobra.Command) (paragraphs []string, statuses string) {
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	for _, paragraph := range strings.Split(text, "\n\n") {
		if list, ok := strings.CutPrefix(paragraph, StatusHeading); ok {
			statuses = strings.Join(strings.Fields(list), " ")
		} else {
			paragraphs = append(paragraphs, paragraph)
		}
	}
	return paragraphs, statuses
}

// IsVerbatim reports whether a paragraph has commands to type, or a table. Its lines begin with a tab.
func IsVerbatim(paragraph string) bool { return strings.HasPrefix(paragraph, "\t") }

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
	if TakesCommand(c) {
		fmt.Fprintf(&b, ".br\n\\fB%s\\fR COMMAND\n", roff(c.CommandPath()))
	}
	section("DESCRIPTION")
	paragraphs, statuses := Description(c)
	for _, paragraph := range paragraphs {
		if IsVerbatim(paragraph) {
			fmt.Fprintf(&b, ".EX\n%s\n.EE\n", roff(strings.ReplaceAll(paragraph, "\t", "  ")))
		} else {
			fmt.Fprintf(&b, ".PP\n%s\n", roff(strings.Join(strings.FieldsFunc(paragraph, isBreak), " ")))
		}
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
	subs = append(subs, topics(c)...)
	if parent := c.Parent(); parent != nil && parent.Name() != helpName {
		subs = slices.Insert(subs, 0, parent)
	} else if parent != nil {
		subs = slices.Insert(subs, 0, c.Root())
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
		flagName, meaning := Flag(flag)
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR\n%s\n", roff(flagName), roff(meaning))
	})
}

// Flag returns a flag with the type of its value, and its meaning with its default.
func Flag(f *pflag.Flag) (name, meaning string) {
	kind, meaning := pflag.UnquoteUsage(f)
	name = "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	switch {
	case kind != "" && f.NoOptDefVal != "" && f.NoOptDefVal != "true":
		name += "[=" + kind + "]"
	case kind != "":
		name += " " + kind
	}
	if !slices.Contains([]string{"", "0", "false", "[]"}, f.DefValue) {
		if rest, ok := strings.CutSuffix(meaning, ")"); ok {
			meaning = rest + "; default: " + f.DefValue + ")"
		} else {
			meaning += " (default: " + f.DefValue + ")"
		}
	}
	return name, meaning
}

// isBreak reports whether a character separates words. A no-break space does not.
func isBreak(r rune) bool { return r == ' ' || r == '\n' }

// roff escapes a text, so that nothing in it is a request or an escape. Rare characters become ASCII.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "’", `\(cq`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "\u00a0", `\~`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
