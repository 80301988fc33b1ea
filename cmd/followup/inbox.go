package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// inboxOptions are the flags of "followup inbox".
type inboxOptions struct {
	place          place
	locale, colour string
	json           bool
}

// inboxCommand is "followup inbox": lists the open questions once.
func inboxCommand(p process) *cobra.Command {
	var o inboxOptions
	c := &cobra.Command{
		Use:   "inbox",
		Short: "List open questions",
		Long: "List the questions that wait for an answer, oldest first: the id (for followup ask --await and followup history show), when it was\n" +
			"asked, by whom, what, and where. To answer them, run followup answer.\n" + readsOnly + "\n\n" + hubHelp + "\n\n" + plainStatuses,
		Example: "  followup inbox\n  followup inbox --json | jq '.items[].payload.question'",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			return interruptible(func(ctx context.Context) error {
				items, err := o.items(ctx, p)
				if err != nil {
					return err
				}
				return o.list(p, items)
			})
		},
	}
	flags := c.Flags()
	flags.BoolVar(&o.json, "json", false, "print one JSON document: {\"items\": […]}, with items as in docs/protocol.md")
	placeFlags(c, &o.place, p.env)
	localeFlag(c, flags, &o.locale, "the output", p.env)
	colourFlag(c, &o.colour)
	return c
}

// items returns the open questions of the storage or the hub.
func (o *inboxOptions) items(ctx context.Context, p process) ([]protocol.InboxItem, error) {
	log := newWordsLog(p, "followup inbox", logLevel{Level: zap.FatalLevel})
	speak := locale.Match(o.locale)
	hub, err := o.place.hub(speak, log, "")
	switch {
	case err != nil:
		return nil, err
	case hub == nil:
		folder, err := keptOrNone(ctx, o.place.storage, p.env)
		if errors.Is(err, fs.ErrNotExist) {
			return []protocol.InboxItem{}, nil
		}
		if err != nil {
			return nil, err
		}
		return keptItems(ctx, p, speak, folder)
	}
	return hubItems(ctx, p, log, hub)
}

// list prints the open questions, as a table or as one JSON document.
func (o inboxOptions) list(p process, items []protocol.InboxItem) error {
	if o.json {
		return printJSON(p.stdout, map[string]any{"items": items})
	}
	speak := locale.Match(o.locale)
	if len(items) == 0 {
		fmt.Fprintln(p.stderr, speak.Text("No question is open."))
		return nil
	}
	var rows [][]string
	for _, item := range items {
		rows = append(rows, []string{
			archive.Inline(item.QuestionID), time.UnixMilli(item.AskedAt).Format(minutes), archive.Inline(item.Agent),
			archive.Inline(archive.Asked(speak, protocol.HistoryEntry{Payload: &item.Payload})), standing(speak, item),
		})
	}
	for _, line := range aligned(rows, columnWidths(rows, terminalWidth(p.stdout)), coloured(p, o.colour)) {
		if _, err := fmt.Fprintln(p.stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// standing returns where an item was asked, and why it may not be answerable.
func standing(speak locale.Tag, item protocol.InboxItem) string {
	var parts []string
	for _, folder := range item.Workspaces {
		parts = append(parts, archive.Inline(folder.Name))
	}
	if item.State == protocol.ItemQueued {
		parts = append(parts, speak.Text("queued behind another question"))
	}
	if item.Orphaned {
		parts = append(parts, speak.Text("no agent waits"))
	}
	return strings.Join(parts, " · ")
}
