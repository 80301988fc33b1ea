package connect

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"followup/internal/locale"
)

// format is a configuration file format.
type format struct {
	// parse returns the values of a text. A *syntaxError has the position of the error.
	parse func(text []byte) (object, error)
	// edit returns the body with the minimum of changes that give it the document's values.
	edit func(document) ([]byte, error)
	// line returns the line of a value; 0 if unknown.
	line func(text []byte, at path) int
}

// document is the text of a configuration file and its values. Changing the values does not change the text.
type document struct {
	format
	name       string
	mark, body []byte // mark is a byte order mark, or empty
	values     object
}

// parse parses a text in the format of the file's extension.
func parse(name string, text []byte) (d document, err error) {
	d.name = name
	d.format = format{parseJSON, editJSON, lineInJSON}
	if filepath.Ext(name) == ".toml" {
		d.format = format{parseTOML, editTOML, lineInTOML}
	}
	d.body = text
	if body, ok := bytes.CutPrefix(text, []byte("\xef\xbb\xbf")); ok {
		d.mark, d.body = text[:3:3], body
	}
	d.values, err = d.parse(d.body)
	var wrong *syntaxError
	if errors.As(err, &wrong) {
		err = locale.Refuse(notRead, name, wrong.line, wrong.column, wrong.reason)
	}
	return d, err
}

// text returns the text that has the values.
func (d document) text() ([]byte, error) {
	body, err := d.edit(d)
	return slices.Concat(d.mark, body), err
}

// refuse returns the error for a value that connect cannot change.
func (d document) refuse(key locale.Key, at path) error {
	where := d.name
	if line := d.line(d.body, at); line > 0 {
		where = fmt.Sprintf("%s:%d", where, line)
	}
	return locale.Refuse(key, where, at)
}

// syntaxError is the position of a syntax error.
type syntaxError struct {
	line, column int
	reason       string
}

func (e *syntaxError) Error() string { return e.reason }

// newline returns the line ending of a text.
func newline(text []byte) string {
	if at := bytes.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func lineAt(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }
