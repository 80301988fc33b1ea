package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// How many entries were exported, and to which file.
const (
	exportedOne  locale.Key = "{0} entry was exported to {1}."
	exportedMany locale.Key = "{0} entries were exported to {1}."
)

// exportHistory writes all matching entries, with images, to a file or to standard output.
func exportHistory(ctx context.Context, p process, o *historyOptions, conn *rpc.Conn) error {
	count := 0
	show, over := meter(p)
	defer over()
	write := func(to io.Writer) error {
		return o.writeEntries(ctx, conn, to, protocol.HistoryFormat(o.format), 0, func() {
			count++
			if o.output != "" { // otherwise the terminal may show the entries
				show(func() string { return o.speak.Count(count, "{0} question exported", "{0} questions exported") })
			}
		})
	}
	if o.output == "" {
		err := write(p.stdout)
		if err == nil && count == 0 {
			o.reportEmpty(p, conn)
		}
		return err
	}
	inStorage := func(path string) bool { return sameFolder(filepath.Dir(path), o.storage) }
	err := archive.WriteFile(o.output, inStorage, write)
	over()
	if err != nil {
		return fmt.Errorf("could not write %s: %w", o.output, plainError(err))
	}
	fmt.Fprintln(p.stderr, o.speak.Count(count, exportedOne, exportedMany, o.output))
	return nil
}

// writeEntries writes at most limit matching entries (0 = all), with images, as they arrive. It calls wrote after each.
func (o *historyOptions) writeEntries(
	ctx context.Context, conn *rpc.Conn, to io.Writer, format protocol.HistoryFormat, limit int, wrote func(),
) error {
	out := archive.NewWriter(to, format, o.speak, time.Local)
	err := eachEntry(ctx, conn, o.query, limit, true, func(entry protocol.HistoryEntry) error {
		defer wrote()
		return out.Add(entry)
	})
	if err != nil { // the end would make an incomplete document look whole
		return err
	}
	return out.Close()
}

func sameFolder(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}
