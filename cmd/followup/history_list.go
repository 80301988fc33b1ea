package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// pageSize is how many entries are read at a time.
const pageSize = 200

// listHistory prints the newest entries that the filter lets through: aligned for a terminal, or as one JSON document.
func listHistory(ctx context.Context, p process, o *historyOptions, from store.Reader) error {
	out := bufio.NewWriter(p.stdout)
	if o.json {
		separator := "{\"entries\":["
		err := eachEntry(ctx, from, o.filter, o.limit, func(entry protocol.HistoryEntry) error {
			entry.Images = nil // a list is not given them
			line, err := archive.Line(entry)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "%s\n%s", separator, line)
			separator = ","
			return err
		})
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		_, err = fmt.Fprintln(out, strings.TrimPrefix(separator, ",")+"]}")
		return errors.Join(err, out.Flush())
	}
	var rows [][]string
	err := eachEntry(ctx, from, o.filter, o.limit, func(entry protocol.HistoryEntry) error {
		id, err := shortID(ctx, from, entry.QuestionID)
		rows = append(rows, row(o.speak(), id, entry))
		return err
	})
	for _, line := range aligned(rows, columnWidths(rows, terminalWidth(p.stdout)), o.colours) {
		_, _ = fmt.Fprintln(out, line) // its error is that of Flush
	}
	err = errors.Join(err, out.Flush())
	if err == nil && len(rows) == 0 {
		fmt.Fprintln(p.stderr, "Nothing was found.")
	}
	return err
}

// eachEntry goes through the history, newest first, page by page; a limit of 0 is none.
func eachEntry(ctx context.Context, from store.Reader, f store.Filter, limit int, emit func(protocol.HistoryEntry) error) error {
	var before store.Key
	for left := limit; ; {
		size := pageSize
		if limit > 0 {
			size = min(size, left)
		}
		page, err := from.History(ctx, f, before, size)
		if err != nil {
			return err
		}
		for _, q := range page.Entries {
			entry, err := archive.Entry(q)
			if err == nil {
				err = emit(entry)
			}
			if err != nil {
				return err
			}
		}
		left -= len(page.Entries)
		before = page.Next
		if before == 0 || limit > 0 && left <= 0 {
			return nil
		}
	}
}

// shortIDLength is the least that is printed of an id.
const shortIDLength = 8

// shortID is the beginning of an id that no other one has: what history show takes.
func shortID(ctx context.Context, from store.Reader, id string) (string, error) {
	for length := shortIDLength; length < len(id); {
		for length < len(id) && !utf8.RuneStart(id[length]) {
			length++
		}
		near, err := from.IDs(ctx, id[:length], 2)
		if err != nil || len(near) <= 1 {
			return id[:length], err
		}
		for _, other := range near {
			if other != id {
				length = max(length, commonPrefix(id, other)+1)
			}
		}
	}
	return id, nil
}

// commonPrefix is how many bytes two texts begin with in common.
func commonPrefix(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// row is an entry's line of the table: its id, when, who asked, what, and what was said.
func row(t locale.Tag, id string, e protocol.HistoryEntry) []string {
	at := "" // it is not known when
	if e.Outcome.At != 0 {
		at = time.UnixMilli(e.Outcome.At).Format(minutes)
	}
	return []string{archive.Inline(id), at, archive.Inline(e.Agent), archive.Inline(archive.Asked(t, e)), archive.Inline(archive.Said(t, e))}
}

// minutes is how times are told in a list.
const minutes = "2006-01-02 15:04"
