package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// scanner splits a stream into JSON documents: lines, indented objects, or elements of an array. It copies one document at a time, in
// bounded memory, for encoding/json to decode. From a long document it drops what cannot belong to a question.
type scanner struct {
	to       visitor
	in       io.Reader
	buf      []byte
	pos, end int // the unread part of buf
	line     int // from 1
	first    bool
	form     form
	listed   bool // the documents are elements of an array
	list     bool // one was read

	longest int             // string that is kept, in bytes
	doc     []byte          // the copy of a document, without white space
	open    []byte          // the closing brackets of what is open in it
	starts  [maxTracked]int // where that begins
	sound   int             // where the last complete value ends
	over    bool            // it has become too long, and the rest is not copied
	hit     int             // where the last string begins that can belong to a question, or -1
}

// visitor receives what a scanner finds.
type visitor interface {
	// member is called with the name of each member of a document.
	member(name []byte)
	// matches reports whether a short string can belong to a question.
	matches(word []byte) bool
	// element is called with an element of an array that has such a string.
	element(raw []byte)
	// document is called with each document. One that is cut ends before the damage.
	document(raw []byte, hit, over, cut bool) error
	// flaw is called with each place that is damaged.
	flaw(line int, reason Reason)
}

// state is what comes next in a document.
type state int

const (
	value state = iota
	first       // the first item of an object or an array, or its end
	item        // another item
	colon
	comma // or the end
)

// form is how a document is laid out in lines. It shows where a damaged document ends.
type form int

const (
	free     form = iota
	flat          // on one line: a newline in it is a flaw
	indented      // on several, of which only the first begins with a brace, and none with a dash
)

const (
	windowBytes = 64 << 10
	softBytes   = 1 << 20 // a document that is longer has elements of arrays left out
	maxWord     = 200     // bytes of a name or an id
	maxScalar   = 64      // bytes of a number
	maxTracked  = 64      // how deep an element can be that is left out
)

// tooLong replaces a string that is longer than the limit.
const tooLong = `"\u0000too long\u0000"`

// flaw is what is wrong with a place of the input. Reading can continue behind it.
type flaw Reason

func (f flaw) Error() string { return "transcript: " + string(f) }

// asFlaw returns the flaw that err is: the end of the input inside a value is one.
func asFlaw(err error) (flaw, bool) {
	if errors.Is(err, io.EOF) {
		return flaw(ReasonTruncated), true
	}
	var f flaw
	return f, errors.As(err, &f)
}

// ended returns err, or nil for the end of the input.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// scan reads all documents.
func (s *scanner) scan() error {
	s.buf, s.line = make([]byte, windowBytes), 1
	if err := s.fill(); err != nil {
		return ended(err)
	}
	if bytes.HasPrefix(s.buf[:s.end], []byte("\ufeff")) {
		s.pos += len("\ufeff")
	}
	return s.documents()
}

// fill replaces the window with the next part of the input. It returns io.EOF at its end.
func (s *scanner) fill() (err error) {
	s.pos, s.end = 0, 0
	for range 100 {
		if s.end, err = s.in.Read(s.buf); s.end > 0 {
			return nil
		} else if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// past skips the bytes of a set, and returns the next byte without taking it.
func (s *scanner) past(set string) (byte, error) {
	for {
		for ; s.pos < s.end; s.pos++ {
			if strings.IndexByte(set, s.buf[s.pos]) < 0 {
				return s.buf[s.pos], nil
			}
		}
		if err := s.fill(); err != nil {
			return 0, err
		}
	}
}

// peek skips white space and returns the next byte without taking it.
func (s *scanner) peek() (byte, error) {
	for {
		for ; s.pos < s.end; s.pos++ {
			switch c := s.buf[s.pos]; {
			case c == '\n' && s.form == flat, s.atNext():
				return 0, flaw(ReasonTruncated)
			case c == '\n':
				s.line++
			case c != ' ' && c != '\t' && c != '\r':
				s.first = false
				return c, nil
			}
			s.first = s.buf[s.pos] == '\n'
		}
		if err := s.fill(); err != nil {
			return 0, err
		}
	}
}

// atNext reports whether the next document begins here, within an indented one that is cut off.
func (s *scanner) atNext() bool {
	return s.first && s.form == indented && s.pos < s.end && (s.buf[s.pos] == '{' || s.buf[s.pos] == '-')
}

// documents reads documents up to the end of the input, or of the array that is open. Damage costs the document that it is in.
func (s *scanner) documents() error {
	for begun := false; ; {
		end, err := false, error(nil)
		if begun {
			err = s.read(colon)
		} else {
			end, err = s.next()
		}
		bad, isFlaw := asFlaw(err)
		switch begun = false; {
		case end:
			return ended(err)
		case err == nil:
			continue
		case !isFlaw:
			return err
		}
		s.to.flaw(s.line, Reason(bad))
		if s.listed {
			begun, err = true, s.seek()
		} else {
			err = s.resume()
		}
		if err != nil {
			return ended(err)
		}
	}
}

// next reads the next document, or what separates two. It reports whether there are no more.
func (s *scanner) next() (end bool, err error) {
	if !s.listed {
		s.form = free
	}
	c, err := s.peek()
	switch s.begin(); {
	case err != nil:
		return !s.listed, err
	case c == '{':
		if s.push(c); !s.listed {
			if c, err = s.past(" \t\r"); err != nil {
				return false, err
			}
			if s.form = flat; c == '\n' {
				s.form = indented
			}
		}
		return false, s.read(first)
	case c == '-' && !s.listed:
		return false, s.rule()
	case c == '[' && !s.listed:
		s.pos++
		s.listed = true
		err = s.documents()
		s.list = err == nil
		s.listed = false
		return false, err
	case !s.listed:
		s.form = flat
		return false, flaw(ReasonMalformed)
	case c == ',' || c == ']':
		s.pos++
		return c == ']', nil
	}
	return false, s.read(value)
}

// begin makes room for the copy of a document.
func (s *scanner) begin() {
	s.doc, s.open, s.sound, s.over, s.hit = s.doc[:0], s.open[:0], 0, false, -1
}

// rule takes the line of --- between two requests of cc-viewer.
func (s *scanner) rule() error {
	if c, err := s.past("- \t\r"); err != nil || c == '\n' {
		return ended(err)
	}
	s.form = flat
	return flaw(ReasonMalformed)
}

// resume moves to where the next document begins: the next line, or, after an indented document, the next line that can be the first
// of one.
func (s *scanner) resume() error {
	for !s.atNext() {
		i := bytes.IndexByte(s.buf[s.pos:s.end], '\n')
		if s.pos += i + 1; i >= 0 {
			s.line++
			s.first = true
			if s.form == flat {
				return nil
			}
		}
		if i < 0 || s.pos == s.end {
			if err := s.fill(); err != nil {
				return err
			}
		}
	}
	return nil
}

// seek moves to where the next message of an array begins, and takes its first name. No string can have a brace and a quotation mark
// in a row.
func (s *scanner) seek() error {
	for {
		before, _, found := bytes.Cut(s.buf[s.pos:s.end], []byte("{"))
		s.line += bytes.Count(before, []byte("\n"))
		if s.pos += len(before); !found {
			if err := s.fill(); err != nil {
				return err
			}
			continue
		}
		s.begin()
		s.push('{')
		c, err := s.peek()
		if c == '"' {
			err = s.str()
		}
		if _, bad := asFlaw(err); err != nil && !bad || errors.Is(err, io.EOF) {
			return err
		}
		if text := string(s.doc); text == `{"ts"` || text == `{"role"` || text == `{"id"` {
			s.to.member(s.doc[2 : len(s.doc)-1])
			return nil
		}
	}
}

// read reads the rest of a value, and gives it out if it is an object. Of a damaged one it gives out what is before the damage.
func (s *scanner) read(next state) error {
	err := s.values(next)
	_, cut := asFlaw(err)
	if cut {
		s.doc = s.doc[:s.sound]
		slices.Reverse(s.open)
		s.doc = append(s.doc, s.open...)
	}
	if bytes.HasPrefix(s.doc, []byte("{")) && (err == nil || cut) {
		if failed := s.to.document(s.doc, s.hit >= 0, s.over, cut); failed != nil {
			return failed
		}
	}
	return err
}

// values copies values until no bracket is open.
func (s *scanner) values(next state) error {
	for {
		c, err := s.peek()
		if err != nil {
			return err
		}
		depth := len(s.open)
		switch {
		case next == colon && c == ':':
			s.take(c)
			next = value
			continue
		case next == comma && c == ',':
			s.take(c)
			next = item
			continue
		case (next == first || next == comma) && c == s.open[depth-1]:
			s.take(c)
			s.pop()
		case next == colon || next == comma || next != value && s.open[depth-1] == '}' && c != '"':
			return flaw(ReasonMalformed)
		case next != value && s.open[depth-1] == '}':
			at := len(s.doc)
			if err := s.str(); err != nil {
				return err
			}
			if depth == 1 && !s.over {
				s.to.member(s.doc[at+1 : len(s.doc)-1])
			}
			next = colon
			continue
		case c == '"':
			err = s.str()
		case c == '{' || c == '[':
			s.push(c)
			next = first
			continue
		default:
			err = s.scalar()
		}
		if err != nil {
			return err
		}
		if s.sound = len(s.doc); len(s.open) == 0 {
			return nil
		}
		next = comma
	}
}

func (s *scanner) put(b ...byte) {
	if s.over = s.over || len(s.doc)+len(b) > s.longest+2*softBytes; !s.over {
		s.doc = append(s.doc, b...)
	}
}

func (s *scanner) take(c byte) {
	s.pos++
	s.put(c)
}

// push takes an opening bracket.
func (s *scanner) push(c byte) {
	if len(s.open) < maxTracked {
		s.starts[len(s.open)] = len(s.doc)
	}
	s.take(c)
	s.open = append(s.open, c+2) // in ASCII both closing brackets follow two behind
	s.sound = len(s.doc)
}

// pop closes the innermost bracket.
func (s *scanner) pop() {
	depth := len(s.open) - 1
	isObject := s.open[depth] == '}'
	s.open = s.open[:depth]
	if depth == 0 || depth >= maxTracked || s.open[depth-1] != ']' || s.over {
		return
	}
	start := s.starts[depth]
	switch {
	case s.hit >= start:
		if isObject {
			s.to.element(s.doc[start:])
		}
	case len(s.doc) > softBytes && !s.listed:
		s.doc = append(s.doc[:start], "null"...)
	}
}

// str takes a string.
func (s *scanner) str() error {
	begin, cut, wasOver := len(s.doc), false, s.over
	s.take('"')
	for escaped := false; ; {
		part := s.buf[s.pos:s.end]
		i := bytes.IndexByte(part, '"')
		if i >= 0 {
			part = part[:i]
		}
		if n := bytes.IndexByte(part, '\n'); n >= 0 {
			s.pos += n
			return flaw(ReasonTruncated)
		}
		// An odd number of backslashes escapes what follows them.
		backslashes := len(part) - len(bytes.TrimRight(part, `\`))
		escaped = (escaped && backslashes == len(part)) != (backslashes%2 == 1)
		if s.pos += len(part); !cut {
			s.put(part...)
			if cut = len(s.doc)-begin > s.longest || s.over != wasOver; cut {
				s.doc, s.over = s.doc[:begin], wasOver
			}
		}
		if i < 0 {
			if err := s.fill(); err != nil {
				return err
			}
			continue
		}
		if s.pos++; !escaped {
			break
		}
		escaped = false
		if !cut {
			s.put('"')
		}
	}
	if cut {
		s.put([]byte(tooLong)...)
		return nil
	}
	s.put('"')
	if n := len(s.doc); !s.over && n-begin <= maxWord && s.to.matches(s.doc[begin+1:n-1]) {
		s.hit = begin
	}
	return nil
}

// scalarBytes are those of numbers, true, false and null.
const scalarBytes = "+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// scalar takes a number or a literal, and null for what only looks like one.
func (s *scanner) scalar() error {
	if strings.IndexByte(scalarBytes, s.buf[s.pos]) < 0 {
		return flaw(ReasonMalformed)
	}
	var word [maxScalar]byte
	n := 0
	for s.pos < s.end && strings.IndexByte(scalarBytes, s.buf[s.pos]) >= 0 {
		if n < len(word) {
			word[n] = s.buf[s.pos]
		}
		n++
		if s.pos++; s.pos == s.end {
			if err := s.fill(); err != nil {
				return err
			}
		}
	}
	if n <= len(word) && json.Valid(word[:n]) {
		s.put(word[:n]...)
	} else {
		s.put([]byte("null")...)
	}
	return nil
}
