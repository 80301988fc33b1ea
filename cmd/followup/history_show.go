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
	"followup/internal/store"
)

// showCommand is "followup history show".
func showCommand(p process, o *historyOptions) *cobra.Command {
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show one question and its answer in full",
		Long: "Show a question with everything that was offered, how it ended, when, and by whom. ID is a question's id, or the beginning\n" +
			"of one, as \"followup history\" and \"followup inbox\" print it. --json includes the images of the answer.\n" + readsOnly + "\n\n" + plainStatuses,
		Example: "  followup history show 019a9c00\n  followup history show --json 019a9c00 | jq -r .outcome.text",
		Args:    oneArgument("ID"),
		RunE: func(_ *cobra.Command, args []string) error {
			return runHistory(p, o, func(ctx context.Context, p process, o *historyOptions, from store.Reader) error {
				return showEntry(ctx, p, o, from, args[0])
			})
		},
	}
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	return c
}

// showEntry prints the question whose id begins with prefix, as text or as JSON: an entry of the history, or an item of the inbox if
// the question is open.
func showEntry(ctx context.Context, p process, o *historyOptions, from store.Reader, prefix string) error {
	id, err := wholeID(ctx, o.speak(), from, prefix)
	if err != nil {
		return err
	}
	q, err := from.Question(ctx, id)
	if err != nil {
		return err
	}
	if q.Outcome == nil {
		return showOpen(ctx, p, o, from, q)
	}
	entry, err := archive.Entry(q)
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(p.stdout, entry)
	}
	_, err = fmt.Fprint(p.stdout, archive.Text(o.speak(), time.Local, entry))
	return err
}

// showOpen prints a question that waits for its answer.
func showOpen(ctx context.Context, p process, o *historyOptions, from store.Reader, q store.Question) error {
	session, err := from.Session(ctx, q.Session)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	item, err := archive.Item(q, session)
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(p.stdout, item)
	}
	text := archive.Text(o.speak(), time.Local, protocol.HistoryEntry{
		QuestionID: q.ID, Agent: q.Agent, Workspace: q.Workspace, Envelope: item.Envelope, Payload: &item.Payload, AskedAt: item.AskedAt,
	})
	_, err = fmt.Fprintf(p.stdout, "%s\n%s\n", text, o.speak().Text(locale.AskKept, archive.Inline(q.ID)))
	return err
}

// mostCandidates is how many ids are listed where a beginning fits several.
const mostCandidates = 10

// wholeID returns the one id that begins with prefix, or is that.
func wholeID(ctx context.Context, t locale.Tag, from store.Reader, prefix string) (string, error) {
	if prefix == "" {
		return "", wrongUsage("ID is empty")
	}
	ids, err := from.IDs(ctx, prefix, mostCandidates+1)
	if err != nil {
		return "", err
	}
	switch {
	case len(ids) == 0:
		return "", fmt.Errorf("there is no question %q; followup history and followup inbox list their ids", prefix)
	case len(ids) == 1 || ids[0] == prefix:
		return ids[0], nil
	}
	several := fmt.Sprintf("several ids begin with %q; write more of the one that is meant:", prefix)
	for _, id := range ids[:min(len(ids), mostCandidates)] {
		q, err := from.Question(ctx, id)
		if err != nil {
			return "", err
		}
		several += "\n  " + candidate(t, q)
	}
	if len(ids) > mostCandidates {
		several += "\n  …"
	}
	return "", errors.New(several)
}

// candidate returns a line that identifies a question: its id, when it was asked, and its text.
func candidate(t locale.Tag, q store.Question) string {
	parts := []string{archive.Inline(q.ID)}
	if !q.AskedAt.IsZero() {
		parts = append(parts, q.AskedAt.Local().Format(minutes))
	}
	var entry protocol.HistoryEntry
	if q.Outcome != nil {
		entry, _ = archive.Entry(q) // an unreadable entry is listed without its text
	} else if item, err := archive.Item(q, store.Session{}); err == nil {
		entry.Payload = &item.Payload
	}
	parts = append(parts, cut(archive.Inline(archive.Asked(t, entry)), widest[columnAsked]))
	return strings.Join(parts, columnGap)
}
