package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
)

// historyOptions are the flags of "followup history".
type historyOptions struct {
	storage string
	query   protocol.HistorySearchParams
	limit   int
	json    bool
	colour  string
	format  string
	output  string
	speak   locale.Tag
	folders []string
}

const readsOnly = "Nothing in the storage changes."

// plainStatuses documents the exit statuses of most commands.
const plainStatuses = "Exit status: 0 done, 1 failed, 2 wrong usage."

// historyCommand is "followup history".
func historyCommand(p process) *cobra.Command {
	o := &historyOptions{limit: 20}
	c := &cobra.Command{
		Use:   "history",
		Short: "List, search, show or export questions and answers",
		Long: "List questions and their answers, newest first: the beginning of the id (for followup history show), the time, the agent, the\n" +
			"question and the answer. " + readsOnly + "\n\n" + plainStatuses,
		Example: "  followup history --since 7d --agent Codex\n  followup history --kind approval --outcome denied\n  followup history search --json port | jq '.[].outcome.text'\n" +
			"  followup history export --output questions.md",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownName("argument", args[0], commandNames(c), "to search, run: followup history search "+strings.Join(args, " "))
			}
			return nil
		},
		RunE: interruptible(func(ctx context.Context, _ []string) error { return runHistory(ctx, p, o, listHistory) }),
	}
	flags := c.PersistentFlags()
	storageFlag(flags, &o.storage, p.env)
	localeFlag(c, flags, &o.speak, "the output", p.env)

	list := &cobra.Command{
		Use: "list", Short: "List questions and answers", Args: c.Args, RunE: c.RunE,
		Long:    "List questions and their answers, newest first, as \"followup history\" does. " + readsOnly + "\n\n" + plainStatuses,
		Example: "  followup history list --limit 5 --outcome dismissed",
	}
	search := &cobra.Command{
		Use: "search TEXT…", Short: "Search questions and answers",
		Long:    "List questions and answers that contain all words of TEXT, newest first. The last word may be the beginning of one.\n" + readsOnly + "\n\n" + plainStatuses,
		Example: "  followup history search which database\n  followup history search --agent 'Claude Code' --json database",
		RunE: interruptible(func(ctx context.Context, args []string) error {
			if o.query.Text = strings.Join(args, " "); strings.TrimSpace(o.query.Text) == "" {
				return wrongUsage("the text to search for is missing")
			}
			return runHistory(ctx, p, o, listHistory)
		}),
	}
	for _, listing := range []*cobra.Command{c, list, search} {
		listing.Flags().Var(integer{&o.limit, 0, unbounded}, "limit", "print at most `N` (0 = all)")
		listing.Flags().BoolVar(&o.json, "json", false, "print the JSON of \"followup history export --format json\"")
		colourFlag(listing, &o.colour)
	}
	export := &cobra.Command{
		Use: "export [TEXT…]", Short: "Export questions and answers as Markdown or JSON",
		Long: "Export all questions and answers, or those that contain all words of TEXT, with the images, as Markdown or JSON. In Markdown, what\n" +
			"agents wrote is escaped, so that it cannot pass for an answer.\n" + readsOnly + "\n\n" + plainStatuses,
		Example: "  followup history export > questions.md\n  followup history export --format json --output answers.json --since 30d",
		RunE: interruptible(func(ctx context.Context, args []string) error {
			o.query.Text = strings.Join(args, " ")
			return runHistory(ctx, p, o, exportHistory)
		}),
	}
	export.Flags().StringVar(&o.format, "format", "markdown", "write `FORMAT`: markdown or json")
	export.Flags().StringVarP(&o.output, "output", "o", "", "write to `FILE`, completely or not at all (default: standard output)")
	notEmpty(export, "output")
	oneOf(export, "format", string(protocol.HistoryMarkdown), string(protocol.HistoryJSON))
	for _, filtered := range []*cobra.Command{c, list, search, export} {
		o.filterFlags(filtered)
		completesWith(filtered, "agent", p.agents(o))
	}
	c.AddCommand(list, search, showCommand(p, o), export)
	return c
}

// filterFlags adds the flags that filter entries.
func (o *historyOptions) filterFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVar(&o.query.Filter.Agents, "agent", nil, "only questions of the agent called `NAME` (repeatable)")
	flags.StringArrayVar(&o.folders, "workspace", nil, "only questions asked in `DIR`, a path or URI (repeatable)")
	notEmpty(c, "agent", "workspace")
	oneOfFlag(c, "kind", "only this `KIND`", kinds, &o.query.Filter.Kinds)
	oneOfFlag(c, "outcome", "only this `OUTCOME`", outcomes, &o.query.Filter.Outcomes)
	flags.Func("since", "only questions closed at `TIME` or later: 2006-01-02, 2006-01-02T15:04:05Z, or an age such as 36h or 7d", moment(&o.query.Filter.From))
	flags.Func("until", "only questions closed before `TIME`, in the same forms", moment(&o.query.Filter.To))
}

// runHistory calls do with a connection to the keeper; nil if nothing is stored yet.
func runHistory(
	ctx context.Context, p process, o *historyOptions, do func(context.Context, process, *historyOptions, *rpc.Conn) error,
) (err error) {
	for _, folder := range o.folders {
		o.query.Filter.Workspaces = append(o.query.Filter.Workspaces, folder, fileURI(folder))
	}
	if o.storage, err = readStorageFolder(o.storage, p.env); err != nil {
		return err
	}
	if !isStored(ctx, o.storage, p.env) {
		return do(ctx, p, o, nil)
	}
	return atKeeper(ctx, p, o.storage, o.speak, &rpc.Router{}, func(ctx context.Context, conn *rpc.Conn) error { return do(ctx, p, o, conn) })
}

var (
	kinds    = question.Kinds()
	outcomes = question.Outcomes()
)

// oneOfFlag adds a repeatable flag with a fixed set of names.
func oneOfFlag[Name ~string](c *cobra.Command, name, usage string, known []Name, into *[]Name) {
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	c.Flags().Func(name, usage+": "+strings.Join(names, ", ")+" (repeatable)", func(value string) error {
		*into = append(*into, Name(value))
		return nil
	})
	oneOf(c, name, names...)
}

// moment returns a flag function that parses a date, a time or an age to milliseconds since 1970.
func moment(into *int64) func(string) error {
	return func(value string) error {
		if age, err := parseSpan(value); err == nil {
			*into = time.Now().Add(-age).UnixMilli()
			return nil
		}
		for _, layout := range []string{time.DateOnly, time.RFC3339} {
			if at, err := time.ParseInLocation(layout, value, time.Local); err == nil {
				*into = at.UnixMilli()
				return nil
			}
		}
		return errors.New("it must be like 2006-01-02, 2006-01-02T15:04:05Z, 36h or 7d")
	}
}

// fileURI returns a folder's path as an editor's URI.
func fileURI(path string) string {
	if strings.Contains(path, "://") {
		return path
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return string(protocol.FolderOf(path).URI)
}
