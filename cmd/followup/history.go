package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
)

// exitFailed is the exit status when something could not be done.
const exitFailed = 1

const historyUsage = `Usage: followup history [flags]                      the newest questions and answers
       followup history search [flags] TEXT          those that hold all words of TEXT
       followup history export [flags] [TEXT]        all of them, as Markdown or JSON

The last word of TEXT may be the beginning of one. Flags stand before TEXT.
Exit status: 0 done, 1 it could not be done, 2 wrong usage.

` + storageHelp + `
Flags:
`

// historyOptions are what the command line asks for.
type historyOptions struct {
	storage string
	filter  store.Filter
	limit   int
	json    bool
	format  string
	output  string
	locale  string
	folders []string
}

// history is "followup history".
func history(p process) int {
	what := "list"
	if len(p.args) > 0 && (p.args[0] == "list" || p.args[0] == "search" || p.args[0] == "export") {
		what, p.args = p.args[0], p.args[1:]
	}
	o, err := historyFlags(p, what)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(p.stderr, "followup history: %v\nRun 'followup history -h' for the flags.\n", err)
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	from, err := openStorage(ctx, o.storage, false)
	if err == nil {
		if what == "export" {
			err = exportHistory(ctx, p, o, from)
		} else {
			err = listHistory(ctx, p, o, from)
		}
		err = errors.Join(err, from.Close())
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "followup history: %v\n", err)
		return exitFailed
	}
	return 0
}

// historyFlags reads the command line; help goes to standard output.
func historyFlags(p process, what string) (historyOptions, error) {
	var o historyOptions
	flags := flag.NewFlagSet("history", flag.ContinueOnError)
	flags.Usage = func() {
		flags.SetOutput(p.stdout)
		fmt.Fprint(p.stdout, historyUsage)
		flags.PrintDefaults()
	}
	storage := storageFlag(flags, p.env)
	flags.Func("agent", "only what the agent of this `name` asked; may be repeated", appendTo(&o.filter.Agents))
	flags.Func("workspace", "only what was asked in this `folder`, a path or URI; may be repeated", appendTo(&o.folders))
	flags.Func("outcome", "only this `outcome`: answered, dismissed, replied, withdrawn, notShown or invalid; may be repeated", o.addOutcome)
	flags.Func("since", "only what ended at this `time` or later: 2006-01-02, a time as in RFC 3339, or an age such as 36h or 7d", moment(&o.filter.From))
	flags.Func("until", "only what ended before this `time`", moment(&o.filter.To))
	flags.StringVar(&o.locale, "locale", "", "`language` of the output (default from LC_ALL, LC_MESSAGES, LANG)")
	if what == "export" {
		flags.StringVar(&o.format, "format", "markdown", "`form` of the output: markdown or json")
		flags.StringVar(&o.output, "output", "", "the `file` to write, whole or not at all (default: standard output)")
	} else {
		flags.IntVar(&o.limit, "limit", 20, "at most this `many`; 0: all")
		flags.BoolVar(&o.json, "json", false, "print each as one line of JSON")
	}
	flags.SetOutput(io.Discard)
	if err := flags.Parse(p.args); err != nil {
		return o, err
	}
	o.storage = *storage
	o.filter.Text = strings.Join(flags.Args(), " ")
	for _, folder := range o.folders {
		o.filter.Workspaces = append(o.filter.Workspaces, folder, fileURI(folder))
	}
	if o.locale == "" {
		o.locale = environmentLocale(p.env)
	}
	switch {
	case what == "list" && flags.NArg() > 0:
		return o, fmt.Errorf("there is no argument %q; to search, say: followup history search %s", flags.Arg(0), o.filter.Text)
	case what == "search" && strings.TrimSpace(o.filter.Text) == "":
		return o, errors.New("there is no text to search for")
	case o.limit < 0:
		return o, errors.New("the limit must not be negative")
	case what == "export" && o.format != string(protocol.HistoryMarkdown) && o.format != string(protocol.HistoryJSON):
		return o, fmt.Errorf("there is no format %q; there are markdown and json", o.format)
	}
	return o, nil
}

func (o *historyOptions) speak() locale.Tag { return locale.Match(o.locale) }

func (o *historyOptions) addOutcome(name string) error {
	for _, known := range []question.Outcome{
		question.Answered, question.Dismissed, question.Replied, question.Withdrawn, question.NotShown, question.Invalid,
	} {
		if string(known) == name {
			o.filter.Outcomes = append(o.filter.Outcomes, known)
			return nil
		}
	}
	return errors.New("there is no such outcome")
}

func appendTo(list *[]string) func(string) error {
	return func(value string) error {
		*list = append(*list, value)
		return nil
	}
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
	return uriOf(path)
}
