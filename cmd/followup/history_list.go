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

// listHistory prints the newest entries that the filter lets through: aligned for a terminal, or as lines of JSON.
func listHistory(ctx context.Context, p process, o historyOptions, from store.Store) error {
	out := bufio.NewWriter(p.stdout)
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	printed := 0
	err := eachEntry(ctx, from, o.filter, o.limit, func(q store.Question) error {
		entry, err := archive.Entry(q)
		if err != nil {
			return err
		}
		printed++
		if !o.json {
			_, err = fmt.Fprintln(table, row(o.speak(), entry))
			return err
		}
		entry.Images = nil // a list is not given them
		line, err := archive.Line(entry)
		if err != nil {
			return err
		}
		_, err = out.Write(append(line, '\n'))
		return err
	})
	err = errors.Join(err, table.Flush(), out.Flush())
	if err == nil && printed == 0 && !o.json {
		fmt.Fprintln(p.stderr, "Nothing was found.")
	}
	return err
}

// eachEntry goes through the history, newest first, page by page; a limit of 0 is none.
func eachEntry(ctx context.Context, from store.Store, f store.Filter, limit int, emit func(store.Question) error) error {
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
			if err := emit(q); err != nil {
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

// row is an entry's line of the table.
func row(t locale.Tag, e protocol.HistoryEntry) string {
	return strings.Join([]string{
		time.UnixMilli(e.Outcome.At).Format("2006-01-02 15:04"), cut(e.Agent, agentWidth), cut(archive.Asked(t, e), questionWidth),
		cut(archive.Said(t, e), answerWidth),
	}, "\t")
}

// cut is a text on one line, and not longer than fits; what is left out is shown by an ellipsis.
func cut(text string, width int) string {
	runes := []rune(strings.Join(strings.Fields(strings.Map(printable, text)), " "))
	if len(runes) > width {
		return strings.TrimSpace(string(runes[:width-1])) + "…"
	}
	return string(runes)
}

// printable keeps a terminal from taking what an agent wrote for commands.
func printable(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
		return '\uFFFD'
	}
	return r
}

// uriOf is an absolute path as a URI.
func uriOf(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}
