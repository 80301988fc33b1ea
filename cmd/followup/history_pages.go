package main

import (
	"context"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// pageSize is the number of entries per request.
const pageSize = 200

// eachEntry calls emit with the entries that match a query, newest first, at most limit of them (0 = all). Long texts are
// complete. If images is set, the answers' images are included. If conn is nil, there are no entries.
func eachEntry(
	ctx context.Context, conn *rpc.Conn, query protocol.HistorySearchParams, limit int, images bool, emit func(protocol.HistoryEntry) error,
) error {
	if conn == nil {
		return nil
	}
	query.Plain = true
	for left := limit; ; {
		query.Limit = pageSize
		if limit > 0 {
			query.Limit = min(pageSize, left)
		}
		page, err := rpc.Call(ctx, conn, protocol.HistorySearch, query)
		if err != nil {
			return err
		}
		for _, entry := range page.Entries {
			if entry.Shortened || images && entry.Outcome.Images > 0 {
				whole, err := rpc.Call(ctx, conn, protocol.HistoryGet, protocol.QuestionParams{QuestionID: entry.QuestionID})
				if err != nil {
					return err
				}
				whole.ShortID, entry = entry.ShortID, whole
			}
			entry.Rendered = nil
			if !images {
				entry.Images = nil
			}
			if err := emit(entry); err != nil {
				return err
			}
		}
		left -= len(page.Entries)
		query.After = page.Next
		if page.Next == "" || limit > 0 && left <= 0 {
			return nil
		}
	}
}
