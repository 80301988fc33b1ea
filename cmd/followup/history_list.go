package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
)

// listHistory prints the newest matching entries, as a table or as JSON.
func listHistory(ctx context.Context, p process, o *historyOptions, conn *rpc.Conn) error {
	if o.json {
		return o.writeEntries(ctx, conn, p.stdout, protocol.HistoryJSON, o.limit, func() {})
	}
	query := o.query
	query.ShortIDs = true
	var rows [][]string
	err := eachEntry(ctx, conn, query, o.limit, false, func(entry protocol.HistoryEntry) error {
		rows = append(rows, row(o.speak, entry))
		return nil
	})
	err = errors.Join(err, printTable(p.stdout, rows, coloured(p, o.colour)))
	if err == nil && len(rows) == 0 {
		o.reportEmpty(p, conn)
	}
	return err
}

// reportEmpty says why there are no entries: nothing is stored yet, or nothing was found.
func (o *historyOptions) reportEmpty(p process, conn *rpc.Conn) {
	empty := locale.Key("Nothing was found.")
	if conn == nil {
		empty = "No questions are stored in {0} yet."
	}
	fmt.Fprintln(p.stderr, o.speak.Text(empty, store.Redacted(o.storage)))
}

// row returns an entry's cells: id, time, asker, question and answer.
func row(t locale.Tag, e protocol.HistoryEntry) []string {
	at := "" // empty if the time is unknown
	if e.Outcome.At != 0 {
		at = time.UnixMilli(e.Outcome.At).Format(minutes)
	}
	return []string{archive.Inline(e.ShortID), at, archive.Inline(e.Agent), archive.Inline(archive.QuestionSummary(t, e)), archive.Inline(archive.OutcomeSummary(t, e))}
}

// minutes is the format of times in a list.
const minutes = "2006-01-02 15:04"
