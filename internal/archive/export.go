package archive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// Writer writes entries in one form, one after the other, so that memory holds one of them at a time.
type Writer struct {
	out    *bufio.Writer
	format protocol.HistoryFormat
	locale locale.Tag
	zone   *time.Location
	count  int
}

// NewWriter begins an export. Markdown is written in the language, with times in the zone. It refuses unknown formats.
func NewWriter(to io.Writer, format protocol.HistoryFormat, t locale.Tag, zone *time.Location) (*Writer, error) {
	switch format {
	case protocol.HistoryMarkdown, protocol.HistoryJSON:
	default:
		return nil, fmt.Errorf("the format is %q; it must be %s or %s", format, protocol.HistoryMarkdown, protocol.HistoryJSON)
	}
	return &Writer{out: bufio.NewWriter(to), format: format, locale: t, zone: zone}, nil
}

// Add writes one question.
func (w *Writer) Add(q store.Question) error {
	entry, err := Entry(q)
	if err != nil {
		return err
	}
	w.count++
	if w.format == protocol.HistoryMarkdown {
		if w.count == 1 {
			_, err = fmt.Fprintf(w.out, "# %s\n\n", w.locale.Text(locale.HistoryTitle))
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

// Count is how many were written.
func (w *Writer) Count() int { return w.count }

// Close ends the export. It does not close what is written to.
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

// Line is an entry as one line of JSON, with markup in it as it is.
func Line(entry protocol.HistoryEntry) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(entry); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
