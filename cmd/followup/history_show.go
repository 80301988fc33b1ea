package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// showCommand is "followup history show".
func showCommand(p process, o *historyOptions) *cobra.Command {
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show one question and its answer in full",
		Long: "Show a question with all its options, how it ended, when, and by whom. ID is a question's id, or the beginning\n" +
			"of one, as \"followup history\" and \"followup inbox\" print it. --json includes the images of the answer.\n" + readsOnly + "\n\n" + plainStatuses,
		Example: "  followup history show 019a9c00\n  followup history show --json 019a9c00 | jq -r .outcome.text",
		Args:    oneArgument("ID"),

		ValidArgsFunction: p.questions(o),
		RunE: interruptible(func(ctx context.Context, args []string) error {
			return runHistory(ctx, p, o, func(ctx context.Context, p process, o *historyOptions, conn *rpc.Conn) error {
				return showQuestion(ctx, p, o, conn, args[0])
			})
		}),
	}
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	return c
}

// mostCandidates is how many ids are listed for an ambiguous prefix.
const mostCandidates = 10

// showQuestion prints the question whose id begins with prefix, as text or JSON: an entry of the history, or an item of the inbox
// if the question is open.
func showQuestion(ctx context.Context, p process, o *historyOptions, conn *rpc.Conn, prefix string) error {
	if prefix == "" {
		return wrongUsage("ID is empty")
	}
	var found protocol.HistoryFindResult
	var err error
	if conn != nil {
		found, err = rpc.Call(ctx, conn, protocol.HistoryFind, protocol.HistoryFindParams{Prefix: prefix, Limit: mostCandidates})
	}
	switch {
	case err != nil:
		return err
	case len(found.Questions) == 0:
		return fmt.Errorf("there is no question %q; followup history and followup inbox list their ids", prefix)
	case len(found.Questions) > 1:
		several := fmt.Sprintf("several ids begin with %q; give more characters:", prefix)
		for _, q := range found.Questions {
			line := candidate(o.speak, asEntry(q))
			if terminal := terminalWidth(p.stderr); terminal > 0 {
				line = cut(line, max(terminal-2, 1))
			}
			several += "\n  " + line
		}
		if found.More {
			several += "\n  …"
		}
		return errors.New(several)
	}
	return printQuestion(p, o, found.Questions[0])
}

func printQuestion(p process, o *historyOptions, q protocol.FoundQuestion) error {
	if o.json && q.Item != nil {
		return printJSON(p.stdout, q.Item)
	}
	if o.json {
		return printJSON(p.stdout, q.Entry)
	}
	text := archive.Text(o.speak, time.Local, asEntry(q))
	if q.Item != nil {
		text += "\n" + o.speak.Text(askKept, archive.Inline(q.Item.QuestionID)) + "\n"
	}
	_, err := fmt.Fprint(p.stdout, text)
	return err
}

// asEntry returns a question as an entry of the history; an open one has no outcome.
func asEntry(q protocol.FoundQuestion) protocol.HistoryEntry {
	if q.Item == nil {
		return *q.Entry
	}
	entry := protocol.HistoryEntry{
		QuestionID: q.Item.QuestionID, Agent: q.Item.Agent, Envelope: q.Item.Envelope, Payload: &q.Item.Payload, AskedAt: q.Item.AskedAt,
	}
	if len(q.Item.Workspaces) > 0 {
		entry.Workspace = string(q.Item.Workspaces[0].URI)
	}
	return entry
}

// candidate returns a line that identifies a question: its id, time and text.
func candidate(t locale.Tag, entry protocol.HistoryEntry) string {
	parts := []string{archive.Inline(entry.QuestionID)}
	if entry.AskedAt != 0 {
		parts = append(parts, time.UnixMilli(entry.AskedAt).Format(minutes))
	}
	parts = append(parts, archive.Inline(archive.QuestionSummary(t, entry)))
	return strings.Join(parts, columnGap)
}
