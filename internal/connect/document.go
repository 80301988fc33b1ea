package connect

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// path leads to a value: a string is a key of an object, an int an index of an array. The index one past the end appends.
type path []any

func (p path) String() string {
	var text strings.Builder
	for i, step := range p {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&text, "[%d]", step)
		default:
			if i > 0 {
				text.WriteByte('.')
			}
			fmt.Fprint(&text, step)
		}
	}
	return text.String()
}

func (p path) to(steps ...any) path { return slices.Concat(p, steps) }

// object is an object whose members have an order. Values are objects, []any, strings, ints and bools.
type object []member

type member struct {
	name  string
	value any
}

// has reports whether a member has a value.
func (o object) has(name string, value any) bool {
	return slices.ContainsFunc(o, func(m member) bool { return m.name == name && same(m.value, value) })
}

// same compares values by their text, in which numbers of all types are alike.
func same(a, b any) bool { return fmt.Sprint(whole(a)) == fmt.Sprint(whole(b)) }

// whole returns a number without a fraction as an int, since large floats are printed with an exponent.
func whole(value any) any {
	if number, is := value.(float64); is && number == float64(int(number)) {
		return int(number)
	}
	return value
}

// document is a configuration file. A change leaves every other byte of it as it is.
type document interface {
	// get returns the value at a path: a map, slice, string, float64, bool or nil.
	get(at path) (value any, ok bool)
	// put sets the value at a path, with the objects and arrays that lead to it.
	put(at path, value any) error
	// take removes the value at a path.
	take(at path) error
	// restore makes the value at a path what it is in another document of the same format.
	restore(at path, from document) error
	// foreign returns a *ForeignError or *ShapeError if the value at a path stands where connect writes none.
	foreign(at path) error
	text() []byte
}

// format parses a language of configuration files. A *SyntaxError says where the text is wrong.
type format func(text []byte) (document, error)

// SyntaxError is a place where a file cannot be read.
type SyntaxError struct {
	Line   int
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// ShapeError is a value of another kind than Followup's needs at its place.
type ShapeError struct {
	At   string
	Line int // zero if it is not known
}

func (e *ShapeError) Error() string { return e.At + " has an unexpected type" }

// cutMark returns the byte order mark of a text, and the rest.
func cutMark(text []byte) (mark, body []byte) {
	if body, ok := bytes.CutPrefix(text, []byte("\xef\xbb\xbf")); ok {
		return text[:3:3], body
	}
	return nil, text
}

func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// newline returns the line ending of a text.
func newline(text []byte) string {
	if at := bytes.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func lineAt(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }
