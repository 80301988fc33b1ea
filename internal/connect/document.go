package connect

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// path leads to a value: a string is a key of an object, an int an index of an array; that of its length is one more.
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

// object is an object whose members have an order. Values are objects, []any, strings, ints and bools.
type object []member

type member struct {
	name  string
	value any
}

// has tells whether a member has a value.
func (o object) has(name string, value any) bool {
	return slices.ContainsFunc(o, func(m member) bool { return m.name == name && reflect.DeepEqual(m.value, value) })
}

// plain gives a value as it is read: objects as maps, ints as float64.
func plain(value any) any {
	switch value := value.(type) {
	case object:
		read := map[string]any{}
		for _, m := range value {
			read[m.name] = plain(m.value)
		}
		return read
	case []any:
		read := make([]any, 0, len(value))
		for _, each := range value {
			read = append(read, plain(each))
		}
		return read
	case int:
		return float64(value)
	}
	return value
}

// format is a language of configuration files. What it writes differs from what it was given only in what was to be changed.
type format interface {
	// read gives all values: maps, slices, strings, float64 and bools. A *SyntaxError says where the text is wrong.
	read(text []byte) (map[string]any, error)
	// set puts a value where the path leads, and makes the objects and arrays on the way.
	set(text []byte, at path, value any) ([]byte, error)
	// remove takes a value away.
	remove(text []byte, at path) ([]byte, error)
}

// SyntaxError tells where a file cannot be read.
type SyntaxError struct {
	Line   int
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// ShapeError tells that what stands at a place is not of the kind that it has to be.
type ShapeError struct{ At string }

func (e *ShapeError) Error() string { return e.At + " is of another kind than expected" }

// document is a text in a format, while it is changed.
type document struct {
	format
	text []byte
	// known are the text's values, once they were asked for.
	known map[string]any
	// made are the objects and arrays that were not there before.
	made []path
}

// newDocument reads a text. A byte order mark stays where it is.
func newDocument(f format, text []byte) (*document, error) {
	d := &document{format: f, text: text}
	if _, err := d.values(); err != nil {
		return nil, err
	}
	return d, nil
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func (d *document) body() (mark, body []byte) {
	if rest, ok := bytes.CutPrefix(d.text, byteOrderMark); ok {
		return byteOrderMark, rest
	}
	return nil, d.text
}

// values are those of the text, which are not to be changed.
func (d *document) values() (values map[string]any, err error) {
	if d.known == nil {
		_, body := d.body()
		d.known, err = d.read(body)
	}
	return d.known, err
}

// get gives the value at a path.
func (d *document) get(at path) (any, bool) {
	values, err := d.values()
	if err != nil {
		return nil, false
	}
	return find(values, at)
}

func find(value any, at path) (any, bool) {
	for _, step := range at {
		switch step := step.(type) {
		case string:
			fields, _ := value.(map[string]any)
			next, ok := fields[step]
			if !ok {
				return nil, false
			}
			value = next
		case int:
			elements, _ := value.([]any)
			if step >= len(elements) {
				return nil, false
			}
			value = elements[step]
		}
	}
	return value, true
}

// put sets a value, and notes what it had to make for that.
func (d *document) put(at path, value any) error {
	for n := 1; n < len(at); n++ {
		if there, ok := d.get(at[:n]); !ok || there == nil {
			d.made = append(d.made, at[:n])
		} else if !holds(there, at[n]) {
			return &ShapeError{at[:n].String()}
		}
	}
	return d.change(func(body []byte) ([]byte, error) { return d.set(body, at, value) },
		func(values map[string]any) { put(values, at, plain(value)) })
}

func holds(there, step any) (ok bool) {
	if _, key := step.(string); key {
		_, ok = there.(map[string]any)
		return ok
	}
	_, ok = there.([]any)
	return ok
}

// take removes a value.
func (d *document) take(at path) error {
	return d.change(func(body []byte) ([]byte, error) { return d.remove(body, at) },
		func(values map[string]any) { take(values, at) }, at[:len(at)-1])
}

// change changes the text, and makes sure that it means then what it meant before but for the one thing. In some formats there is
// nothing where an object is empty, on the path that may be.
func (d *document) change(text func([]byte) ([]byte, error), meaning func(map[string]any), empty ...path) error {
	mark, body := d.body()
	want, err := d.read(body)
	if err != nil {
		return err
	}
	meaning(want)
	changed, err := text(bytes.Clone(body))
	if err != nil {
		return err
	}
	got, err := d.read(changed)
	if err != nil {
		return fmt.Errorf("it could not be read after the change: %w", err)
	}
	for _, at := range empty {
		prune(got, at)
		prune(want, at)
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("it would mean something else after the change")
	}
	d.text, d.known = append(bytes.Clone(mark), changed...), nil
	return nil
}

// put is what setting means.
func put(value any, at path, new any) any {
	if len(at) == 0 {
		return new
	}
	switch step := at[0].(type) {
	case string:
		fields, ok := value.(map[string]any)
		if !ok {
			fields = map[string]any{}
		}
		fields[step] = put(fields[step], at[1:], new)
		return fields
	case int:
		elements, _ := value.([]any)
		if step == len(elements) {
			elements = append(elements, nil)
		}
		elements[step] = put(elements[step], at[1:], new)
		return elements
	}
	return value
}

// take is what removing means.
func take(value any, at path) any {
	last := len(at) == 1
	switch step := at[0].(type) {
	case string:
		fields, _ := value.(map[string]any)
		if last {
			delete(fields, step)
		} else {
			fields[step] = take(fields[step], at[1:])
		}
	case int:
		elements, _ := value.([]any)
		if last {
			return append(append([]any{}, elements[:step]...), elements[step+1:]...)
		}
		elements[step] = take(elements[step], at[1:])
	}
	return value
}

// prune takes empty objects on a path away.
func prune(values map[string]any, at path) {
	for n := len(at); n > 0; n-- {
		if value, there := find(values, at[:n]); there {
			if fields, ok := value.(map[string]any); !ok || len(fields) > 0 {
				return
			}
			take(values, at[:n])
		}
	}
}

// splice is a piece of a text that is replaced.
type splice struct {
	from, to int
	by       string
}

// spliced applies splices, which stand in order and do not overlap.
func spliced(text []byte, all ...splice) []byte {
	var out []byte
	done := 0
	for _, s := range all {
		s.from = max(s.from, done)
		out = append(append(out, text[done:s.from]...), s.by...)
		done = s.to
	}
	return append(out, text[done:]...)
}

// newline is how a text ends its lines.
func newline(text []byte) string {
	if at := bytes.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

const spaces = " \t\r\n"

// trimmedEnd is where a piece of a text ends without the white space behind it.
func trimmedEnd(text []byte, from, to int) int {
	return from + len(bytes.TrimRight(text[from:to], spaces))
}

// lineIndent is the white space at the beginning of the line in which a place is.
func lineIndent(text []byte, at int) string {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}
