package damaged

import (
	"encoding/binary"
	"math"
	"slices"
	"unicode/utf8"
)

// The kinds of pages that hold rows: of tables, of indexes and of tables without rowids.
const (
	tableLeaf     = 0x0d
	indexLeaf     = 0x0a
	indexInterior = 0x02
)

// Kind is what a value of a row is.
type Kind byte

// The kinds of values.
const (
	Null Kind = iota
	Integer
	Float
	Text
	Blob
)

// Cell is a row as it stands on its page.
type Cell struct {
	// Rowid is 0 in an index, and in a table without rowids.
	Rowid int64
	// Types tell what the row's values are.
	Types []Type

	size     int    // of all of the row
	begin    []byte // what of it is on the page
	overflow uint32 // the page on which it goes on; 0: all of it is here
	body     int    // where the values begin
}

// Type is a value's type and length, as the row has it.
type Type uint64

// Kind is what the value is.
func (t Type) Kind() Kind {
	switch {
	case t == 0:
		return Null
	case t == 7:
		return Float
	case t < 10:
		return Integer
	case t%2 == 0:
		return Blob
	default:
		return Text
	}
}

// integers are the lengths of the types of integers and of floating-point numbers; 10 and 11 are not used.
var integers = [...]int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}

func (t Type) length() int {
	if int(min(t, 12)) < len(integers) {
		return integers[t]
	}
	return int((t - 12) / 2)
}

// Cells gives the rows that begin on a page, if it is one that has rows. Cells that make no sense are left out.
func (f *File) Cells(page uint32) (cells []Cell) {
	data, readable := f.page(page)
	if !readable || page == 1 { // the first one has the schema
		return nil
	}
	header := 8
	switch data[0] {
	case tableLeaf, indexLeaf:
	case indexInterior:
		header = 12
	default:
		return nil
	}
	for i := range int(binary.BigEndian.Uint16(data[3:])) {
		pointer := header + 2*i
		if pointer+2 > len(data) {
			break
		}
		at := int(binary.BigEndian.Uint16(data[pointer:]))
		if at >= len(data) {
			continue
		}
		if c, sound := f.cell(data[0], data[at:]); sound {
			cells = append(cells, c)
		}
	}
	return cells
}

// cell reads what of a row is on its page.
func (f *File) cell(kind byte, data []byte) (c Cell, sound bool) {
	if kind == indexInterior {
		if len(data) < 4 {
			return c, false
		}
		data = data[4:] // the page to its left
	}
	size, n := varint(data)
	if n == 0 || size > min(uint64(f.pages)*uint64(f.size), math.MaxInt32) {
		return c, false
	}
	c.size, data = int(size), data[n:]
	most := (f.size-12)*64/255 - 23
	if kind == tableLeaf {
		rowid, n := varint(data)
		if n == 0 {
			return c, false
		}
		c.Rowid, data = int64(rowid), data[n:]
		most = f.size - 35
	}
	here := c.size
	if c.size > most {
		least := (f.size-12)*32/255 - 23
		if here = least + (c.size-least)%(f.size-4); here > most {
			here = least
		}
		if len(data) < here+4 {
			return c, false
		}
		c.overflow = binary.BigEndian.Uint32(data[here:])
	}
	if len(data) < here {
		return c, false
	}
	c.begin = slices.Clone(data[:here])
	return c, c.readTypes()
}

// readTypes reads the head of a row, which tells what its values are. They have to fill the row.
func (c *Cell) readTypes() bool {
	head, n := varint(c.begin)
	if n == 0 || head > uint64(len(c.begin)) || head < uint64(n) {
		return false
	}
	c.body = int(head)
	end := c.body
	for types := c.begin[n:c.body]; len(types) > 0; {
		t, n := varint(types)
		if n == 0 || t == 10 || t == 11 || t > math.MaxInt32 {
			return false
		}
		c.Types, types = append(c.Types, Type(t)), types[n:]
		end += Type(t).length()
	}
	return end == c.size
}

// Values gives a row's values: nil, int64, float64, string or []byte. It gives false where a page on which it goes on cannot be
// read, or a text is none.
func (f *File) Values(c Cell) ([]any, bool) {
	row := slices.Clone(c.begin)
	for next := c.overflow; len(row) < c.size; {
		data, readable := f.page(next)
		if !readable {
			return nil, false
		}
		next = binary.BigEndian.Uint32(data)
		row = append(row, data[4:4+min(c.size-len(row), len(data)-4)]...)
	}
	var values []any
	for rest := row[c.body:]; len(values) < len(c.Types); {
		t := c.Types[len(values)]
		value := rest[:t.length()]
		rest = rest[t.length():]
		switch t.Kind() {
		case Null:
			values = append(values, nil)
		case Integer:
			values = append(values, integer(t, value))
		case Float:
			values = append(values, math.Float64frombits(binary.BigEndian.Uint64(value)))
		case Text:
			if !utf8.Valid(value) {
				return nil, false
			}
			values = append(values, string(value))
		case Blob:
			values = append(values, value)
		}
	}
	return values, true
}

// integer is a number of up to eight bytes, with its sign; the types 8 and 9 are 0 and 1.
func integer(t Type, value []byte) (n int64) {
	if len(value) == 0 {
		return int64(t) - 8
	}
	n = int64(int8(value[0]))
	for _, b := range value[1:] {
		n = n<<8 | int64(b)
	}
	return n
}

// varint reads a number of up to nine bytes and tells how many it has; 0 where there is none.
func varint(data []byte) (n uint64, length int) {
	for i, b := range data {
		if i == 8 {
			return n<<8 | uint64(b), 9
		}
		n = n<<7 | uint64(b&0x7f)
		if b < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}
