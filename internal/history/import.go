package history

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"go.uber.org/zap"

	"followup/internal/importing"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
	"followup/internal/transcript"
)

// Import imports other tools' logs. It returns as soon as ctx ends; calls that ignore cancellation end in the background.
func (h *History) Import(ctx context.Context, paths []string, progress importing.Progress) (protocol.HistoryImportResult, error) {
	var known []string
	for _, place := range h.Places() {
		known = append(known, place.Paths...)
	}
	var found, named []string
	for _, path := range paths {
		if slices.Contains(known, path) {
			found = append(found, path)
		} else {
			named = append(named, path)
		}
	}
	return h.logs(ctx, paths, func(ctx context.Context, into store.Store, t locale.Tag) (protocol.HistoryImportResult, error) {
		result, err := importing.Import(ctx, into, found, named, t, progress)
		result.Summary = importing.Summary(result, t)
		return result, err
	})
}

// CountLogs returns the result that Import would have.
func (h *History) CountLogs(ctx context.Context, paths []string, progress importing.Progress) (protocol.HistoryImportResult, error) {
	return h.logs(ctx, paths, func(ctx context.Context, in store.Store, t locale.Tag) (protocol.HistoryImportResult, error) {
		return importing.Count(ctx, in.Known, paths, t, progress)
	})
}

// FindLogs returns where other tools keep logs.
func (h *History) FindLogs(context.Context, protocol.None) (protocol.HistoryFindLogsResult, error) {
	found := protocol.HistoryFindLogsResult{Places: []protocol.LogPlace{}}
	for _, place := range h.Places() {
		found.Places = append(found.Places, protocol.LogPlace(place))
	}
	return found, nil
}

// reads is an operation on logs.
type reads func(context.Context, store.Store, locale.Tag) (protocol.HistoryImportResult, error)

func (h *History) logs(ctx context.Context, paths []string, reads reads) (protocol.HistoryImportResult, error) {
	none := importing.None()
	into, err := h.store(ctx)
	if err != nil {
		return none, err
	}
	if len(paths) == 0 {
		return none, locale.Refuse("No files or folders to import were named.")
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			return none, locale.Refuse("The path must be absolute: {0}", path)
		}
	}
	type imported struct {
		result protocol.HistoryImportResult
		err    error
	}
	done := make(chan imported, 1)
	h.Background("import", func() {
		end := imported{none, errImport}
		defer func() { done <- end }()
		end.result, end.err = h.read(ctx, into, reads)
	})
	select {
	case end := <-done:
		return end.result, end.err
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}

// errImport is the error of an import that crashed.
var errImport = errors.New("the import failed; the log has the details")

const importUnknownFormat locale.Key = "No log in a known format was found. Followup reads the logs of Claude Code, cc-viewer, Codex, " +
	"Gemini CLI, Qwen Code, opencode, Kilo Code, Roo Code, Zoo Code, IBM Bob, Cline, Copilot CLI, Kimi Code, and the chats of VS Code."

func (h *History) read(ctx context.Context, into store.Store, reads reads) (protocol.HistoryImportResult, error) {
	result, err := reads(ctx, into, h.Locale())
	switch {
	case err == nil:
		h.Log.Info("read logs", zap.Int("added", result.Added), zap.Int("known", result.Known), zap.Int("damaged", result.DamagedCount))
		return result, nil
	case ctx.Err() != nil:
		return result, context.Cause(ctx)
	case errors.Is(err, transcript.ErrUnknownFormat):
		return result, locale.Refuse(importUnknownFormat)
	}
	return result, locale.Refuse("The import ended early: {0}", err)
}
