package main

import (
	"context"
	"fmt"
	"strings"

	"followup/internal/agentfolder"
	"followup/internal/archive"
	"followup/internal/importing"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
)

// foundLogs are the logs of one tool and what importing them would add.
type foundLogs struct {
	protocol.LogPlace
	protocol.HistoryImportResult
}

// listLogs lists the logs that were found: a line for each tool as soon as they are counted, or one JSON document. It writes
// nothing.
func listLogs(ctx context.Context, p process, o *importOptions, storage string, places []agentfolder.Place) error {
	listed := struct {
		Places []foundLogs `json:"places"`
	}{[]foundLogs{}}
	width, added := 0, 0
	for _, place := range places {
		width = max(width, len(place.Tool))
	}
	err := withCounter(ctx, p, o, storage, func(count counter) error {
		for _, place := range places {
			result, err := count(place.Paths)
			if err != nil {
				return err
			}
			added += result.Added
			if o.json {
				listed.Places = append(listed.Places, foundLogs{protocol.LogPlace(place), result})
				continue
			}
			paths := place.Paths
			if isTerminal(p.stdout) { // other programs get all of them
				paths = paths[:1]
			}
			at := archive.Inline(strings.Join(paths, ", "))
			if more := len(place.Paths) - len(paths); more > 0 {
				at += " " + o.speak.Text(andMore, more)
			}
			if result.SkippedCount > 0 {
				at += " " + o.speak.Count(result.SkippedCount, "(not read: {0} file)", "(not read: {0} files)")
			}
			added := o.speak.Text("{0} new", fmt.Sprintf("%6d", result.Added))
			if _, err := fmt.Fprintf(p.stdout, "%-*s  %s  %s\n", width, place.Tool, added, at); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case o.json:
		return printJSON(p.stdout, listed)
	case len(places) == 0:
		fmt.Fprintln(p.stderr, o.speak.Text(noLogs))
	case added > 0:
		fmt.Fprintln(p.stderr, o.speak.Text(
			"Nothing was imported. To import all of them: followup import --all; those of one tool: followup import --from TOOL"))
	}
	return nil
}

// counter returns what an import of logs would add.
type counter func(paths []string) (protocol.HistoryImportResult, error)

// withCounter calls do with the keeper's counter. If there is no storage yet, it uses an empty history, so that none is created.
func withCounter(ctx context.Context, p process, o *importOptions, storage string, do func(counter) error) error {
	if !isStored(ctx, storage, p.env) {
		return do(func(paths []string) (protocol.HistoryImportResult, error) {
			none := func(context.Context, []store.Imported) (int, error) { return 0, nil }
			return importing.Count(ctx, none, paths, o.speak, nil)
		})
	}
	router, over := importMeter(p, o.speak)
	defer over()
	return atKeeper(ctx, p, storage, o.speak, router, func(ctx context.Context, conn *rpc.Conn) error {
		return do(func(paths []string) (protocol.HistoryImportResult, error) {
			defer over()
			return rpc.CallOrLeave(ctx, conn, importID, protocol.HistoryCountLogs, protocol.HistoryImportParams{Paths: paths, Token: importID.Str})
		})
	})
}
