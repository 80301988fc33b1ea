package history

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// largestText bounds an export that is given as text.
const largestText = 4 << 20

var errTooLong = errors.New("the text is too long")

// Export writes entries to a file, or gives them as text.
func (h *History) Export(ctx context.Context, p protocol.HistoryExportParams) (protocol.HistoryExportResult, error) {
	var result protocol.HistoryExportResult
	from, err := h.store(ctx)
	switch {
	case err != nil:
		return result, err
	case p.Format != protocol.HistoryMarkdown && p.Format != protocol.HistoryJSON:
		return result, locale.Refuse(locale.HistoryUnknownFormat, p.Format)
	case p.Path != "" && !filepath.IsAbs(p.Path):
		return result, locale.Refuse(locale.HistoryPathNotAbsolute, p.Path)
	}
	what := store.Selection{IDs: p.QuestionIDs, Filter: archive.NewFilter(p.Filter, p.Text)}
	write := func(to io.Writer) error {
		result.Count, err = archive.Export(ctx, from, what, to, p.Format, h.Locale(), h.zone())
		return err
	}
	if p.Path != "" {
		if err := archive.WriteFile(p.Path, from.Owns, write); err != nil {
			return result, unwritable(ctx, p.Path, err)
		}
		return result, nil
	}
	text := limited{}
	switch err := write(&text); {
	case errors.Is(err, errTooLong):
		return result, locale.Refuse(locale.HistoryTooLong, largestText>>20)
	case err != nil:
		return result, h.unreadable(ctx, err)
	}
	result.Text = text.String()
	return result, nil
}

func unwritable(ctx context.Context, path string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return locale.Refuse(locale.HistoryNotWritten, path, err)
}

// limited takes as much text as an answer can hold.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > largestText {
		return 0, errTooLong
	}
	return l.Buffer.Write(p)
}
