package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
)

// historyOptions are what the command line asks for.
type historyOptions struct {
	storage string
	filter  store.Filter
	limit   int
	json    bool
	colour  string // when to use colours
	colours bool   // whether they are used
	format  string
	output  string
	locale  string
	folders []string
}

const readsOnly = "It only reads: nothing in the folder changes.\n\n" + storageHelp

// historyCommand is "followup history".
func historyCommand(p process) *cobra.Command {
	o := &historyOptions{}
	c := &cobra.Command{
		Use:   "history",
		Short: "List, search or export what was asked and answered",
		Long:  "Lists, searches or exports what was asked and answered, newest first. " + readsOnly,
		Example: "  followup history --since 7d --agent Codex\n  followup history search --json port | jq '.entries[].outcome.text'\n" +
			"  followup history export --output questions.md",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownName("argument", args[0], commandNames(c), "to search, say: followup history search "+strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error { return runHistory(p, o, listHistory) },
	}
	flags := c.PersistentFlags()
	storageFlag(flags, &o.storage, p.env)
	localeFlag(c, flags, &o.locale, "the output", p.env)

	list := &cobra.Command{
		Use: "list", Short: "List the newest questions and answers", Args: c.Args, RunE: c.RunE,
		Long:    "Lists the newest of what was asked and answered, as \"followup history\" does. " + readsOnly,
		Example: "  followup history list --limit 5 --outcome dismissed",
	}
	search := &cobra.Command{
		Use: "search TEXT…", Short: "List those that hold all words of a text",
		Long:    "Lists those that hold all words of TEXT; the last word may be the beginning of one.\n" + readsOnly,
		Example: "  followup history search which database\n  followup history search --agent 'Claude Code' --json 数据库",
		RunE: func(_ *cobra.Command, args []string) error {
			if o.filter.Text = strings.Join(args, " "); strings.TrimSpace(o.filter.Text) == "" {
				return wrongUsage("there is no text to search for")
			}
			return runHistory(p, o, listHistory)
		},
	}
	for _, listing := range []*cobra.Command{c, list, search} {
		listing.Flags().IntVar(&o.limit, "limit", 20, "at most this `many`; 0: all")
		listing.Flags().BoolVar(&o.json, "json", false, "print one JSON document: {\"entries\": […]}")
		colourFlag(listing, &o.colour)
	}
	export := &cobra.Command{
		Use: "export [TEXT…]", Short: "Write all of them, as Markdown or JSON",
		Long: "Writes everything, or what holds all words of TEXT, with the images, as Markdown or JSON.\n" +
			"What agents wrote is escaped in Markdown, so that it cannot pass for an answer.\n" + readsOnly,
		Example: "  followup history export > questions.md\n  followup history export --format json --output answers.json --since 30d",
		RunE: func(_ *cobra.Command, args []string) error {
			if o.format != string(protocol.HistoryMarkdown) && o.format != string(protocol.HistoryJSON) {
				return wrongUsage("there is no format %q; there are markdown and json", o.format)
			}
			o.filter.Text = strings.Join(args, " ")
			return runHistory(p, o, exportHistory)
		},
	}
	export.Flags().StringVar(&o.format, "format", "markdown", "`form` of the output: markdown or json")
	export.Flags().StringVarP(&o.output, "output", "o", "", "the `file` to write, whole or not at all (default: standard output)")
	oneOf(export, "format", string(protocol.HistoryMarkdown), string(protocol.HistoryJSON))
	for _, filtered := range []*cobra.Command{c, list, search, export} {
		o.filterFlags(filtered)
	}
	c.AddCommand(list, search, showCommand(p, o), export)
	return c
}

// filterFlags adds the flags that say which entries are meant.
func (o *historyOptions) filterFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVar(&o.filter.Agents, "agent", nil, "only what the agent of this `name` asked; may be repeated")
	flags.StringArrayVar(&o.folders, "workspace", nil, "only what was asked in this `folder`, a path or URI; may be repeated")
	flags.Func("outcome", "only this `outcome`: "+strings.Join(outcomes(), ", ")+"; may be repeated", o.addOutcome)
	flags.Func("since", "only what ended at this `time` or later: 2006-01-02, a time as in RFC 3339, or an age such as 36h or 7d", moment(&o.filter.From))
	flags.Func("until", "only what ended before this `time`", moment(&o.filter.To))
	oneOf(c, "outcome", outcomes()...)
}

// runHistory opens the history and does something with it.
func runHistory(p process, o *historyOptions, do func(context.Context, process, *historyOptions, store.Reader) error) error {
	if o.limit < 0 {
		return wrongUsage("the limit must not be negative")
	}
	if o.colour != "" {
		var err error
		if o.colours, err = coloured(p, o.colour); err != nil {
			return err
		}
	}
	for _, folder := range o.folders {
		o.filter.Workspaces = append(o.filter.Workspaces, folder, fileURI(folder))
	}
	return interruptible(func(ctx context.Context) error {
		from, err := openHistory(ctx, o.storage, p.env)
		if err != nil {
			return err
		}
		return errors.Join(do(ctx, p, o, from), from.Close())
	})
}

func (o *historyOptions) speak() locale.Tag { return locale.Match(o.locale) }

// outcomes are the names of those that there are.
func outcomes() (names []string) {
	for _, known := range []question.Outcome{
		question.Answered, question.Dismissed, question.Replied, question.Withdrawn, question.NotShown, question.Invalid,
	} {
		names = append(names, string(known))
	}
	return names
}

func (o *historyOptions) addOutcome(name string) error {
	if !slices.Contains(outcomes(), name) {
		return errors.New("there is no such outcome")
	}
	o.filter.Outcomes = append(o.filter.Outcomes, question.Outcome(name))
	return nil
}

// moment reads a date, a time, or an age.
func moment(into *time.Time) func(string) error {
	return func(value string) error {
		if days, ok := strings.CutSuffix(value, "d"); ok {
			var n int
			if _, err := fmt.Sscanf(days, "%d", &n); err == nil && n >= 0 && fmt.Sprint(n) == days {
				*into = time.Now().AddDate(0, 0, -n)
				return nil
			}
		}
		if age, err := time.ParseDuration(value); err == nil && age >= 0 {
			*into = time.Now().Add(-age)
			return nil
		}
		for _, layout := range []string{time.DateOnly, time.RFC3339} {
			if at, err := time.ParseInLocation(layout, value, time.Local); err == nil {
				*into = at
				return nil
			}
		}
		return errors.New("it must be like 2006-01-02, 2006-01-02T15:04:05Z, 36h or 7d")
	}
}

// fileURI is a folder's path as an editor writes it.
func fileURI(path string) string {
	if strings.Contains(path, "://") {
		return path
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return string(protocol.FolderOf(path).URI)
}
