package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"followup/internal/manpage"
)

// Widths of a help text in cells.
const (
	helpWidth    = 80  // if there is no terminal
	widestHelp   = 100 // longer lines are hard to read
	leastMeaning = 24  // a narrower second column begins below the first
	deepIndent   = 10  // the indentation of such a second column
)

// helpText returns a command's help for a terminal's width; 0 means that there is no terminal. Its order is: usage, purpose,
// examples, subcommands, flags, exit status.
func helpText(c *cobra.Command, terminal int) string {
	h := helpWriter{width: min(widestHelp, cmp.Or(terminal, helpWidth))}
	purpose, statuses := manpage.Description(c)
	if c.Runnable() && !isTopic(c) {
		h.line("Usage: " + c.UseLine())
		if manpage.TakesCommand(c) {
			h.line("       " + c.CommandPath() + " COMMAND")
		}
		h.line("")
	}
	for _, paragraph := range purpose {
		if manpage.IsVerbatim(paragraph) {
			h.line(strings.ReplaceAll(paragraph, "\t", "  "))
		} else {
			h.lines("", wrapped(paragraph, h.width))
		}
		h.line("")
	}
	if c.HasExample() {
		h.section("Examples:")
		h.line(c.Example)
	}
	h.commands(c)
	h.flags(c)
	if statuses != "" && statuses != strings.TrimPrefix(plainStatuses, manpage.StatusHeading) {
		h.line("")
		h.lines("", wrapped(manpage.StatusHeading+statuses, h.width))
	}
	return strings.TrimRight(h.text.String(), "\n") + "\n"
}

// helpWriter collects the lines of a help text.
type helpWriter struct {
	text  strings.Builder
	width int
}

func (h *helpWriter) line(text string) { h.text.WriteString(text + "\n") }

func (h *helpWriter) lines(indent string, lines []string) {
	for _, line := range lines {
		h.line(indent + line)
	}
}

// section begins a section after an empty line.
func (h *helpWriter) section(title string) {
	if text := h.text.String(); text != "" && !strings.HasSuffix(text, "\n\n") {
		h.line("")
	}
	h.line(title)
}

// entry is a line in two columns: a name and its meaning.
type entry struct{ name, meaning string }

// table writes entries. The meanings are aligned, and wrap in their column.
func (h *helpWriter) table(entries []entry) {
	const indent = "  "
	left := 0
	for _, e := range entries {
		left = max(left, cells(e.name))
	}
	column := len(indent) + left + len(columnGap)
	for _, e := range entries {
		if h.width-column < leastMeaning {
			h.line(indent + e.name)
			h.lines(strings.Repeat(" ", deepIndent), wrapped(e.meaning, h.width-deepIndent))
			continue
		}
		meaning := wrapped(e.meaning, h.width-column)
		h.line(indent + e.name + strings.Repeat(" ", left-cells(e.name)) + columnGap + meaning[0])
		h.lines(strings.Repeat(" ", column), meaning[1:])
	}
}

// commands lists the subcommands, in their groups.
func (h *helpWriter) commands(c *cobra.Command) {
	list := func(title, group string) {
		var entries []entry
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && sub.GroupID == group || group == "" && sub.Name() == "help" {
				entries = append(entries, entry{sub.Name(), sub.Short})
			}
		}
		if len(entries) > 0 {
			h.section(title)
			h.table(entries)
		}
	}
	if isTopic(c) {
		return
	}
	for _, group := range c.Groups() {
		list(group.Title, group.ID)
	}
	title := "Commands:"
	switch {
	case len(c.Groups()) > 0:
		title = "Other commands:"
	case c.Name() == "help":
		title = "Topics:"
	}
	list(title, "")
	if !c.HasParent() {
		h.section("Topics:")
		var entries []entry
		for _, topic := range helpTopics(c) {
			entries = append(entries, entry{topic.CommandPath(), topic.Short})
		}
		h.table(entries)
	}
}

// flags lists the flags, and the names of those that a topic explains.
func (h *helpWriter) flags(c *cobra.Command) {
	var own []entry
	elsewhere := map[string][]string{}
	for _, set := range []*pflag.FlagSet{c.LocalFlags(), c.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			topic := topicOf(f)
			switch {
			case f.Hidden || f.Name == "help":
			case topic != "" && c.CommandPath() != topicPath(c, topic):
				elsewhere[topic] = append(elsewhere[topic], "--"+f.Name)
			default:
				own = append(own, flagEntry(f))
			}
		})
	}
	if len(own) > 0 {
		slices.SortFunc(own, func(a, b entry) int { return cmp.Compare(a.name[len("-x, "):], b.name[len("-x, "):]) })
		h.section("Flags:")
		h.table(own)
	}
	var more []entry
	for _, topic := range topicNames {
		if names := elsewhere[topic]; len(names) > 0 {
			slices.Sort(names)
			more = append(more, entry{topicPath(c, topic), strings.Join(names, ", ")})
		}
	}
	if len(more) > 0 {
		h.section("More flags:")
		h.table(more)
	}
}

// flagEntry returns a flag's entry, with room for a letter.
func flagEntry(f *pflag.Flag) entry {
	name, meaning := manpage.Flag(f)
	if f.Shorthand == "" {
		name = "    " + name
	}
	return entry{name, meaning}
}

// wrapped breaks a text into lines of at most width cells. It breaks only at spaces, so that a flag, an address or a path stays
// whole. A no-break space, as around the equals sign of "0 = never", becomes a space.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	text = strings.ReplaceAll(text, " = ", "\u00a0=\u00a0")
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }) {
		word = strings.ReplaceAll(word, "\u00a0", " ")
		switch {
		case line == "":
			line = word
		case cells(line)+1+cells(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// helpCommand is "followup help": the help of a command or a topic.
func helpCommand(root *cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: "help [NAME…]", Short: "Show the help of a command or a topic",
		Long:    "Show the help of a command, such as history show, or of a topic.",
		Example: "  followup help ask\n  followup help history show\n  followup help storage",
		Args:    cobra.ArbitraryArgs, DisableFlagsInUseLine: true,
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if found, unknown, err := root.Find(args); err == nil && len(unknown) == 0 {
				for _, sub := range found.Commands() {
					if sub.IsAvailableCommand() {
						names = append(names, sub.Name()+"\t"+sub.Short)
					}
				}
			}
			return completed(names, typed)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			found, unknown, _ := root.Find(args)
			if len(unknown) > 0 {
				return unknownName("command", unknown[0], commandNames(found), "")
			}
			return found.Help()
		},
	}
	c.AddCommand(storageTopic(), hubTopic(c), servingTopic(), notifyTopic())
	return c
}

// Topics of the help, which explain flags that several commands have.
const (
	topicStorage = "storage"
	topicHub     = "hub"
	topicServing = "serving"
	topicNotify  = "notify"
)

var topicNames = []string{topicStorage, topicHub, topicServing, topicNotify}

// topicAnnotation is the annotation of a flag that a topic explains.
const topicAnnotation = "topic"

// explainedIn leaves a flag's meaning to a topic.
func explainedIn(topic string, flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		_ = flags.SetAnnotation(name, topicAnnotation, []string{topic}) // the flag exists
	}
}

func topicOf(f *pflag.Flag) string { return strings.Join(f.Annotations[topicAnnotation], "") }

// topicPath returns the command that shows a topic.
func topicPath(c *cobra.Command, topic string) string { return c.Root().Name() + " help " + topic }

// isTopic reports whether a command is a topic of the help.
func isTopic(c *cobra.Command) bool { return c.HasParent() && c.Parent().Name() == "help" }

// helpTopics returns the topics of a command line.
func helpTopics(root *cobra.Command) []*cobra.Command {
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			return c.Commands()
		}
	}
	return nil
}

// topic returns a topic with the flags that add adds.
func topic(name, short, long string, add func(*cobra.Command)) *cobra.Command {
	c := &cobra.Command{
		Use: name, Short: short, Long: long, Args: noArguments, DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	add(c)
	return c
}

func noVariables(string) string { return "" }

func storageTopic() *cobra.Command {
	return topic(topicStorage, "Where questions and answers are kept",
		"All editors, agents and commands of a user share one inbox and its history. They are kept in a folder:\n\n"+
			"\tLinux     ~/.local/share/followup, or $XDG_DATA_HOME/followup\n"+
			"\tmacOS     ~/Library/Application Support/Followup\n"+
			"\tWindows   %LocalAppData%\\Followup\n\n"+
			"Name another folder for one command with --storage, or for all commands of a shell with FOLLOWUP_STORAGE. Agents and editors use it "+
			"only if they are started with the same variable. The first question creates the folder; a command that only reads, such as history, "+
			"creates nothing.\n\n"+
			"A PostgreSQL database can take the folder's place, so that several machines share an inbox:\n\n"+
			"\tpostgres://USER@HOST/NAME\n"+
			"\tservice=NAME              an entry of ~/.pg_service.conf\n\n"+
			"The password comes from ~/.pgpass, the service or PGPASSWORD; an address that contains one is rejected. Every user of the database "+
			"sees, answers and deletes the same questions. The program in the editor's extension has no database: install the program by itself, "+
			"for example with npm install --global followup.\n\n"+
			"One process keeps each inbox: followup keeper shows it.",
		func(c *cobra.Command) { storageFlag(c.Flags(), new(string), noVariables) })
}

func hubTopic(help *cobra.Command) *cobra.Command {
	c := topic(topicHub, "How to use a team's hub instead of a folder",
		"A hub collects the questions of a team's agents, and its people answer them. The commands mcp, hook, ask, answer and inbox use it "+
			"instead of a folder if you name its address and the file with your token:\n\n"+
			"\texport FOLLOWUP_HUB=https://hub.example\n"+
			"\texport FOLLOWUP_HUB_TOKEN_FILE=~/.config/followup-token\n"+
			"\tfollowup answer\n\n"+
			"The hub's administrator creates the token. Only you may be able to read its file (mode 0600). Each new connection reads the file again, "+
			"so a new token needs no restart.\n\n"+
			"A broken connection is retried until it is back, and no question is asked twice. The command fails at once if the hub rejects the token, "+
			"has another version, or does not know the person of --to. --storage on the command line overrides FOLLOWUP_HUB.\n\n"+
			"To run a hub, see followup hub --help.",
		func(c *cobra.Command) {
			placeFlags(c, &place{}, noVariables)
			toFlag(c.Flags(), new(string))
		})
	c.Args = cobra.ArbitraryArgs
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		return help.ValidArgsFunction(help, append([]string{topicHub}, args...), typed)
	}
	show := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 { // "followup help hub invite"
			return help.RunE(help, append([]string{topicHub}, args...))
		}
		return show(c, args)
	}
	return c
}

func servingTopic() *cobra.Command {
	return topic(topicServing, "How other machines connect to a page or a hub",
		"The commands web and hub serve a page. Only this machine can connect to it, unless --listen names another address, such as :7443 for all "+
			"addresses of this machine. That needs a certificate, whose files are read again when they change. Use --insecure only inside your own "+
			"network, or behind a load balancer that encrypts.\n\n"+
			"The page rejects browsers that open it by a name that --host does not list. For a tunnel, --host is the tunnel's address, with https://.\n\n"+
			"\tfollowup web --listen :7443 --tls-cert cert.pem --tls-key key.pem --host NAME\n"+
			"\tfollowup web --listen 127.0.0.1:7440 --host https://NAME    # behind a tunnel\n\n"+
			"A program that asks over the HTTP API can name an address that gets the outcome, a callback. --callbacks permits that.",
		func(c *cobra.Command) {
			var o serving
			o.flags(c, noVariables)
			for _, other := range []string{"json", "log-level", "storage"} {
				_ = c.Flags().MarkHidden(other) // the flag exists
			}
		})
}

func notifyTopic() *cobra.Command {
	return topic(topicNotify, "How to be notified on a phone or by a webhook",
		"The commands web, hub and serve can notify an address of questions that nobody sees: after a minute if no page, editor or terminal shows "+
			"the question. The notification is sent once for each question; ntfy deletes it when the question closes.\n\n"+
			"\tfollowup web --notify ntfy://ntfy.sh/TOPIC\n"+
			"\tfollowup web --notify https://example.com/hook --notify-secret-file secret\n\n"+
			"Anybody who knows the topic of an ntfy server can read it: choose a long name, use an access token, or leave out the question with "+
			"--notify-hidden. A webhook gets POST requests, signed as in standardwebhooks.com. FOLLOWUP_NOTIFY and FOLLOWUP_NOTIFY_SECRET name the "+
			"address and its secret for all commands of a shell. followup doctor shows the last delivery. A hub sends the "+
			"questions for everybody in one team: main, or that of --notify-team.",
		func(c *cobra.Command) { (&notifying{}).flags(c) })
}
