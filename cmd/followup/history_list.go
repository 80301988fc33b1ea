package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// pageSize is how many entries are read at a time.
const pageSize = 200

// The widths that texts are cut at, in characters.
const (
	agentWidth    = 20
	questionWidth = 60
	answerWidth   = 50
)

// listHistory prints the newest entries that the filter lets through: aligned for a terminal, or as one JSON document.
func listHistory(ctx context.Context, p process, o *historyOptions, from store.Reader) error {
	out := bufio.NewWriter(p.stdout)
	printed := 0
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
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	err := eachEntry(ctx, from, o.filter, o.limit, func(entry protocol.HistoryEntry) error {
		printed++
		_, err := fmt.Fprintln(table, row(o.speak(), entry, o.colours))
		return err
	})
	err = errors.Join(err, table.Flush(), out.Flush())
	if err == nil && printed == 0 {
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

// row is an entry's line of the table. Every row has the same colours, so that the columns stay aligned.
func row(t locale.Tag, e protocol.HistoryEntry, colours bool) string {
	at := strings.Repeat(" ", len(minutes)) // it is not known when
	if e.Outcome.At != 0 {
		at = time.UnixMilli(e.Outcome.At).Format(minutes)
	}
	columns := []string{at, cut(e.Agent, agentWidth), cut(archive.Asked(t, e), questionWidth), cut(archive.Said(t, e), answerWidth)}
	if colours {
		for i, colour := range []string{dim, cyan, "", bold} {
			if colour != "" {
				columns[i] = paint(columns[i], colour)
			}
		}
	}
	return strings.Join(columns, "\t")
}

// minutes is how times are told in a list.
const minutes = "2006-01-02 15:04"

// cut is a text on one line, and not longer than fits; what is left out is shown by an ellipsis.
func cut(text string, width int) string {
	runes := []rune(archive.Inline(text))
	if len(runes) > width {
		return strings.TrimSpace(string(runes[:width-1])) + "…"
	}
	return string(runes)
}

// uriOf is an absolute path as a URI.
func uriOf(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}
