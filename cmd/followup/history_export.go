package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"followup/internal/archive"
	"followup/internal/protocol"
	"followup/internal/store"
)

// exportHistory writes everything that the filter lets through, with images, to a file or to standard output.
func exportHistory(ctx context.Context, p process, o *historyOptions, from store.Reader) error {
	count := 0
	write := func(to io.Writer) (err error) {
		what := store.Selection{Filter: o.filter}
		count, err = archive.Export(ctx, from, what, to, protocol.HistoryFormat(o.format), o.speak(), time.Local)
		return err
	}
	if o.output == "" {
		return write(p.stdout)
	}
	if err := archive.WriteFile(o.output, from.Owns, write); err != nil {
		return fmt.Errorf("%s could not be written: %w", o.output, err)
	}
	fmt.Fprintf(p.stderr, "%s: %d exported\n", o.output, count)
	return nil
}
