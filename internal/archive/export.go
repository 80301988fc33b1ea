package archive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"followup/internal/atomicfile"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// Writer writes entries in one format, holding one entry in memory at a time.
type Writer struct {
	out    *bufio.Writer
	encode func(protocol.HistoryEntry) ([]byte, error)
	// before begins the next entry, and end ends the export. After the first entry they are between and after.
	before, end, between, after string
}

// NewWriter begins an export as Markdown, in the given language and time zone, or as JSON.
func NewWriter(to io.Writer, format protocol.HistoryFormat, t locale.Tag, zone *time.Location) *Writer {
	w := &Writer{out: bufio.NewWriter(to)}
	if format == protocol.HistoryMarkdown {
		w.before = "# " + t.Text("Questions and answers") + "\n\n"
		w.encode = func(e protocol.HistoryEntry) ([]byte, error) { return []byte(Markdown(t, zone, e)), nil }
		return w
	}
	w.before, w.end, w.between, w.after = "[\n", "[]\n", ",\n", "\n]\n"
	w.encode = func(e protocol.HistoryEntry) ([]byte, error) { return Line(e) }
	return w
}

// Add writes one entry.
func (w *Writer) Add(entry protocol.HistoryEntry) error {
	text, err := w.encode(entry)
	if err != nil {
		return err
	}
	_, err = w.out.WriteString(w.before + string(text))
	w.before, w.end = w.between, w.after
	return err
}

// Close ends the export. It does not close the underlying writer.
func (w *Writer) Close() error {
	_, err := w.out.WriteString(w.end)
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

var (
	errIrregular = errors.New("it is not a regular file")
	errOwned     = errors.New("it belongs to the history itself")
)

// WriteFile writes a file completely or not at all; for a link, the file that it points to. Only the user can read it. If write or
// the disk fails, or write is cancelled, the file does not change. Irregular files are errors, and so are those that owns reports.
func WriteFile(path string, owns func(path string) bool, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	switch {
	case owns(path):
		return &fs.PathError{Op: "write", Path: path, Err: errOwned}
	case err == nil && !info.Mode().IsRegular():
		return &fs.PathError{Op: "write", Path: path, Err: errIrregular}
	}
	return atomicfile.WriteFrom(path, 0o600, func(to *os.File) error { return write(to) })
}
