package history

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// largestText limits an export as text.
const largestText = 4 << 20

var errTooLong = errors.New("the text is too long")

// Text returns entries as text.
func (h *History) Text(ctx context.Context, p protocol.HistoryTextParams) (result protocol.HistoryTextResult, err error) {
	from, err := h.exportable(ctx, p.Format)
	if err != nil {
		return result, err
	}
	text := limited{}
	result.Count, err = h.write(ctx, from, &text, p)
	switch {
	case errors.Is(err, errTooLong):
		return result, locale.Refuse("This is more than {0} MiB of text. Export it to a file instead.", largestText>>20)
	case err != nil:
		return result, h.unreadable(ctx, err)
	}
	result.Text = text.String()
	return result, nil
}

// Export writes entries to a file.
func (h *History) Export(ctx context.Context, p protocol.HistoryExportParams) (result protocol.HistoryExportResult, err error) {
	from, err := h.exportable(ctx, p.Format)
	if err != nil {
		return result, err
	}
	if !filepath.IsAbs(p.Path) {
		return result, locale.Refuse("The path must be absolute: {0}", p.Path)
	}
	err = archive.WriteFile(p.Path, from.Owns, func(to io.Writer) (err error) {
		result.Count, err = h.write(ctx, from, to, p.HistoryTextParams)
		return err
	})
	if err != nil {
		return result, unwritable(ctx, p.Path, err)
	}
	return result, nil
}

// exportable returns the store, or an error if there is none or the format is unknown.
func (h *History) exportable(ctx context.Context, format protocol.HistoryFormat) (store.Store, error) {
	from, err := h.store(ctx)
	if err == nil && format != protocol.HistoryMarkdown && format != protocol.HistoryJSON {
		err = locale.Refuse(`Unknown export format "{0}": use markdown or json.`, format)
	}
	return from, err
}

// write writes entries, and returns their number. It skips those that cannot be read.
func (h *History) write(ctx context.Context, from store.Store, to io.Writer, p protocol.HistoryTextParams) (count int, err error) {
	out := archive.NewWriter(to, p.Format, h.Locale(), time.Local)
	what := store.Selection{IDs: p.QuestionIDs, Filter: h.filter(p.Filter, p.Text)}
	err = from.Export(ctx, what, func(q store.Question) error {
		entry, err := archive.Entry(q)
		if err != nil {
			_ = h.odd(err)
			return nil
		}
		count++
		return out.Add(entry)
	})
	if err == nil {
		err = out.Close()
	}
	return count, err
}

func unwritable(ctx context.Context, path string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return locale.Refuse("The file {0} could not be written: {1}", path, err)
}

// limited is a buffer with a maximum size.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > largestText {
		return 0, errTooLong
	}
	return l.Buffer.Write(p)
}
