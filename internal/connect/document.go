package connect

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
)

// format is a language of configuration files.
type format struct {
	// parse returns what a text means. A *SyntaxError says where it is wrong.
	parse func(text []byte) (object, error)
	// edit returns the text with as few changes as make it mean what is wanted. A *ShapeError says what it cannot change.
	edit func(text []byte, want object) ([]byte, error)
	// line returns the line of a value, or zero if it is not known.
	line func(text []byte, at path) int
}

// document is the text of a configuration file and its values. Changing the values does not change the text.
type document struct {
	format
	mark, body []byte // mark is a byte order mark, or empty
	values     object
}

// parse reads a text in the language that a file's name ends with.
func parse(name string, text []byte) (d document, err error) {
	d.format = format{parseJSON, editJSON, lineInJSON}
	if filepath.Ext(name) == ".toml" {
		d.format = format{parseTOML, editTOML, lineInTOML}
	}
	d.body = text
	if body, ok := bytes.CutPrefix(text, []byte("\xef\xbb\xbf")); ok {
		d.mark, d.body = text[:3:3], body
	}
	d.values, err = d.format.parse(d.body)
	return d, err
}

// text returns the text that means the values.
func (d document) text() ([]byte, error) {
	body, err := d.edit(d.body, d.values)
	return slices.Concat(d.mark, body), err
}

// SyntaxError is a place where a file cannot be read.
type SyntaxError struct {
	Line, Column int
	Reason       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// ShapeError is a value of another kind than Followup's needs at its place.
type ShapeError struct {
	At   string
	Line int // zero if it is not known
}

// shapeError returns the error of a value of another kind.
func (d document) shapeError(at path) error { return &ShapeError{at.String(), d.line(d.body, at)} }

func (e *ShapeError) Error() string { return e.At + " has an unexpected type" }

// newline returns the line ending of a text.
func newline(text []byte) string {
	if at := bytes.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func lineAt(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }
