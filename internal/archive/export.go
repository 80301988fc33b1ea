package archive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/robustio"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// Writer writes entries in one format, holding one entry in memory at a time.
type Writer struct {
	out    *bufio.Writer
	format protocol.HistoryFormat
	locale locale.Tag
	zone   *time.Location
	count  int
}

// NewWriter begins an export. Markdown is in the given language and time zone. Unknown formats are an error.
func NewWriter(to io.Writer, format protocol.HistoryFormat, t locale.Tag, zone *time.Location) (*Writer, error) {
	switch format {
	case protocol.HistoryMarkdown, protocol.HistoryJSON:
	default:
		return nil, fmt.Errorf("the format is %q; it must be %s or %s", format, protocol.HistoryMarkdown, protocol.HistoryJSON)
	}
	return &Writer{out: bufio.NewWriter(to), format: format, locale: t, zone: zone}, nil
}

// Add writes one entry.
func (w *Writer) Add(entry protocol.HistoryEntry) (err error) {
	w.count++
	if w.format == protocol.HistoryMarkdown {
		if w.count == 1 {
			_, err = fmt.Fprintf(w.out, "# %s\n\n", w.locale.Text("Questions and answers"))
		}
		_, err2 := w.out.WriteString(Markdown(w.locale, w.zone, entry))
		return errors.Join(err, err2)
	}
	separator := ",\n"
	if w.count == 1 {
		separator = "[\n"
	}
	body, err := Line(entry)
	if err != nil {
		return err
	}
	_, err = w.out.WriteString(separator + string(body))
	return err
}

// Close ends the export. It does not close the underlying writer.
func (w *Writer) Close() error {
	var err error
	if w.format == protocol.HistoryJSON {
		end := "\n]\n"
		if w.count == 0 {
			end = "[]\n"
		}
		_, err = w.out.WriteString(end)
	}
	return errors.Join(err, w.out.Flush())
}

// Line returns a value as one line of JSON. HTML is not escaped; characters that control a terminal are.
func Line(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return quietJSON(bytes.TrimRight(b.Bytes(), "\n")), nil
}

// Exporter calls emit with each question, like store.Store.Export.
type Exporter func(ctx context.Context, what store.Selection, emit func(store.Question) error) error

// Export writes the selected entries, newest first, and returns their number. If ctx ends, it stops and returns ctx's error.
func Export(
	ctx context.Context, from Exporter, what store.Selection, to io.Writer, format protocol.HistoryFormat, t locale.Tag,
	zone *time.Location,
) (int, error) {
	w, err := NewWriter(to, format, t, zone)
	if err != nil {
		return 0, err
	}
	err = from(ctx, what, func(q store.Question) error {
		entry, err := Entry(q)
		if err != nil {
			return err
		}
		return w.Add(entry)
	})
	if err != nil {
		return 0, err
	}
	return w.count, w.Close()
}

// Errors of WriteFile.
var (
	ErrIrregular = errors.New("it is not a regular file")
	ErrOwned     = errors.New("it belongs to the history itself")
)

// WriteFile writes a file completely or not at all: first beside the target, then it replaces it; for a link, the file that it
// points to. Only the user can read it. If write or the disk fails, or write is cancelled, the target does not change. Irregular
// files return ErrIrregular, and files that owns reports return ErrOwned.
func WriteFile(path string, owns func(path string) bool, write func(io.Writer) error) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	switch {
	case owns(path):
		return &fs.PathError{Op: "write", Path: path, Err: ErrOwned}
	case err == nil && !info.Mode().IsRegular():
		return &fs.PathError{Op: "write", Path: path, Err: ErrIrregular}
	}
	beside, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = beside.Close()
			_ = os.Remove(beside.Name())
		}
	}()
	if err := errors.Join(write(beside), beside.Sync()); err != nil {
		return err
	}
	if err := beside.Close(); err != nil {
		return err
	}
	return robustio.Rename(beside.Name(), path) // Windows refuses it while another process reads
}
