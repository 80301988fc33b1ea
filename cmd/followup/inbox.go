package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"followup/internal/archive"
	"followup/internal/inboxclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// inboxOptions are the flags of "followup inbox".
type inboxOptions struct {
	place  place
	speak  locale.Tag
	colour string
	json   bool
}

// inboxCommand is "followup inbox": it lists the open questions once.
func inboxCommand(p process) *cobra.Command {
	var o inboxOptions
	c := &cobra.Command{
		Use:   "inbox",
		Short: "List open questions",
		Long: "List the questions that wait for an answer, oldest first: the id, the time, the agent, the question and its folder. followup answer\n" +
			"answers them. followup ask --await and followup history show take an id. " + readsOnly + "\n\n" + plainStatuses,
		Example: "  followup inbox\n  followup inbox --json | jq '.items[].payload.question'",
		Args:    noArguments,
		RunE: interruptible(func(ctx context.Context, _ []string) error {
			items, err := o.items(ctx, p)
			if err != nil {
				return err
			}
			return o.list(p, items)
		}),
	}
	flags := c.Flags()
	flags.BoolVar(&o.json, "json", false, "print one JSON document: {\"items\": […]}")
	placeFlags(c, &o.place, p.env)
	localeFlag(c, flags, &o.speak, "the output", p.env)
	colourFlag(c, &o.colour)
	return c
}

// items returns the open questions of the storage or the hub, oldest first.
func (o *inboxOptions) items(ctx context.Context, p process) (items []protocol.InboxItem, err error) {
	log, speak, router := p.quietLog(), o.speak, &rpc.Router{}
	open := inboxclient.New(router)
	look := func(ctx context.Context, conn *rpc.Conn) (err error) {
		items, err = snapshot(ctx, conn, open)
		return err
	}
	hub, err := o.place.hub(speak, log, "")
	switch {
	case err != nil:
		return nil, err
	case hub != nil:
		err = plainError(p.whileLinked(ctx, log, hub, protocol.InitializationOptions{Locale: string(speak)}, router, look))
	default:
		var folder string
		if folder, err = readStorageFolder(o.place.storage, p.env); err != nil || !isStored(ctx, folder, p.env) {
			return []protocol.InboxItem{}, err
		}
		err = atKeeper(ctx, p, folder, speak, router, look)
	}
	return items, err
}

// snapshot returns the items of a snapshot of the inbox, all of its pages. It does not count as showing them to the user.
func snapshot(ctx context.Context, conn *rpc.Conn, open *inboxclient.Inbox) ([]protocol.InboxItem, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rpc.Notify(conn, protocol.InboxDidShow, protocol.InboxDidShowParams{Shown: false})
	change, err := open.Subscribe(ctx, conn)
	if err != nil {
		return nil, err
	}
	for open.Apply(change); change.More > 0; open.Apply(change) {
		select {
		case change = <-open.Changes:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	items := []protocol.InboxItem{}
	for _, item := range open.Open() {
		item.Draft, item.Rendered = nil, nil // as in a store
		if item.State != protocol.ItemStreaming {
			items = append(items, *item)
		}
	}
	return items, nil
}

// list prints the open questions, as a table or as one JSON document.
func (o inboxOptions) list(p process, items []protocol.InboxItem) error {
	if o.json {
		return printJSON(p.stdout, map[string]any{"items": items})
	}
	if len(items) == 0 {
		fmt.Fprintln(p.stderr, o.speak.Text("No question is open."))
		return nil
	}
	var rows [][]string
	for _, item := range items {
		rows = append(rows, []string{
			archive.Inline(item.QuestionID), time.UnixMilli(item.AskedAt).Format(minutes), archive.Inline(item.Agent),
			archive.Inline(archive.QuestionSummary(o.speak, protocol.HistoryEntry{Payload: &item.Payload})), standing(o.speak, item),
		})
	}
	return printTable(p.stdout, rows, coloured(p, o.colour))
}

// standing returns where a question was asked, and why it may not be answerable.
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
