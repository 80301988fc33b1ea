package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"followup/internal/archive"
	"followup/internal/importing"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// foundLogs are the logs of one tool, with what importing them would bring.
type foundLogs struct {
	protocol.LogPlace
	protocol.HistoryImportResult
}

// listLogs tells of the logs that were found: a line for each tool as soon as they are counted, or one JSON document. It only reads.
func listLogs(p process, o *importOptions, places []importing.Place) error {
	listed := struct {
		Places []foundLogs `json:"places"`
	}{[]foundLogs{}}
	width, added := 0, 0
	for _, place := range places {
		width = max(width, len(place.Tool))
	}
	err := interruptible(func(ctx context.Context) error {
		in, err := openKnown(ctx, p, o.storage)
		if err != nil {
			return err
		}
		for _, place := range places {
			progress, over := meter(p)
			count, err := importing.Count(ctx, in, place.Paths, locale.Match(o.locale), progress)
			if over(); err != nil {
				return errors.Join(err, in.Close())
			}
			added += count.Added
			if o.json {
				listed.Places = append(listed.Places, foundLogs{protocol.LogPlace(place), count})
				continue
			}
			at := archive.Inline(place.Paths[0])
			if more := len(place.Paths) - 1; more > 0 {
				at += fmt.Sprintf(" and %d more", more)
			}
			if count.SkippedCount > 0 {
				at += fmt.Sprintf(" (not read: %s)", counted(count.SkippedCount, "file", "files"))
			}
			if _, err := fmt.Fprintf(p.stdout, "%-*s  %6d new  %s\n", width, place.Tool, count.Added, at); err != nil {
				return errors.Join(err, in.Close())
			}
		}
		return in.Close()
	})
	switch {
	case err != nil:
		return err
	case o.json:
		return printJSON(p.stdout, listed)
	case len(places) == 0:
		fmt.Fprintln(p.stderr, noLogs)
	case added > 0:
		fmt.Fprintln(p.stderr, "Nothing was imported. To import them: followup import --all, or of one tool: followup import --from TOOL")
	}
	return nil
}

// openKnown opens the history to look up what is in it; where there is none, nothing is.
func openKnown(ctx context.Context, p process, storage string) (interface {
	importing.Knower
	Close() error
}, error,
) {
	in, err := openHistory(ctx, storage, p.env)
	if errors.Is(err, fs.ErrNotExist) {
		return noneKnown{}, nil
	}
	return in, err
}

type noneKnown struct{}

func (noneKnown) Known(context.Context, []store.Imported) (int, error) { return 0, nil }
func (noneKnown) Close() error                                         { return nil }
