package transcript

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// scanner splits a stream into JSON documents: lines, indented objects, or elements of an array. It copies one document at a time, in
// bounded memory, for encoding/json to decode. From a long document it drops what cannot belong to a question.
type scanner struct {
	to       *log
	in       io.Reader
	buf      []byte
	pos, end int  // the unread part of buf
	line     int  // from 1
	first    bool // nothing of the line was read
	form     form
	isArray  bool // the documents are elements of an array
	isEnded  bool // an array was read to its end

	longest int             // string that is kept, in bytes
	doc     []byte          // the copy of a document, without white space
	open    []byte          // the closing brackets of what is open in it
	starts  [maxTracked]int // where that begins
	hit     int             // where the last string begins that can belong to a question, or -1
}

// form is how a document is laid out in lines. It shows where a damaged document ends.
type form int

const (
	free     form = iota
	flat          // on one line: a newline in it is damage
	indented      // on several, of which only the first begins with a brace, and none with a dash
)

const (
	windowBytes = 64 << 10
	softBytes   = 128 << 10 // a longer document loses large elements of arrays
	bigBytes    = 4 << 10
	maxTracked  = 64  // how deep such an element can be
	maxWord     = 200 // bytes of a name or an id

	tooLong = `"\u0000too long\u0000"` // replaces a string that is longer than the limit
)

// asFlaw returns the damage that err stands for. The end of the input inside a value is damage. Other errors end the reading.
func asFlaw(err error) (bad Reason, ok bool) {
	if errors.Is(err, io.EOF) {
		return ReasonTruncated, true
	}
	ok = errors.As(err, &bad)
	return bad, ok && (bad == ReasonTruncated || bad == ReasonMalformed || bad == ReasonTooLarge)
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
	s.pos = 0
	s.end, err = io.ReadAtLeast(s.in, s.buf, 1)
	return err
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
			c := s.buf[s.pos]
			if c == '\n' && s.form == flat || s.atNext() {
				return 0, ReasonTruncated
			}
			if s.first = c == '\n'; s.first {
				s.line++
			} else if c != ' ' && c != '\t' && c != '\r' {
				return c, nil
			}
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
	for {
		isLast, err := s.next()
		for bad, isFlaw := asFlaw(err); isFlaw && !isLast; bad, isFlaw = asFlaw(err) {
			s.to.flaw(s.line, bad)
			if !s.isArray {
				err = s.resume()
				break
			}
			if err = s.seek(); err != nil {
				break
			}
			err = s.read()
		}
		if isLast || err != nil {
			return ended(err)
		}
	}
}

// next reads the next document, or what separates two. It reports whether there are no more.
func (s *scanner) next() (isLast bool, err error) {
	if !s.isArray {
		s.form = free
	}
	c, err := s.peek()
	switch s.begin(); {
	case err != nil:
		return !s.isArray, err
	case c == '{' && !s.isArray:
		s.push(c)
		if c, err = s.past(" \t\r"); err != nil {
			return false, err
		}
		if s.form = flat; c == '\n' {
			s.form = indented
		}
		return false, s.read()
	case c == '{', c == '[' && s.isArray:
		s.push(c)
		return false, s.read()
	case c == '[':
		s.pos++
		s.isArray = true
		err = s.documents()
		s.isArray = false
		return false, err
	case c == '"' && s.isArray:
		return false, s.str()
	case c == ']' && s.isArray, isScalar(c) && s.isArray, c == ',' && s.isArray:
		s.pos++
		s.isEnded = c == ']'
		return s.isEnded, nil
	case c == '-': // the line of --- between two requests of cc-viewer
		if c, err = s.past("- \t\r"); err != nil || c == '\n' {
			return false, ended(err)
		}
	}
	if !s.isArray {
		s.form = flat
	}
	return false, ReasonMalformed
}

// begin makes room for the copy of a document.
func (s *scanner) begin() {
	s.doc, s.open, s.hit = s.doc[:0], s.open[:0], -1
}

// resume moves to where the next document begins: the next line, or, after an indented document, the next line that can be the first
// of one.
func (s *scanner) resume() error {
	for !s.atNext() {
		if i := bytes.IndexByte(s.buf[s.pos:s.end], '\n'); i < 0 {
			s.first = s.first && s.pos == s.end
			s.pos = s.end
		} else {
			s.pos += i + 1
			s.line++
			s.first = true
		}
		if s.first && s.form == flat {
			return nil
		}
		if s.pos == s.end {
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
			return nil
		}
	}
}

// read reads the rest of a document and passes it on. Of a damaged document it passes on what is before the damage.
func (s *scanner) read() error {
	err := s.copy()
	_, isCut := asFlaw(err)
	if (err == nil || isCut) && s.doc[0] == '{' {
		if failed := s.to.document(s.doc, isCut); failed != nil {
			return failed
		}
	}
	return err
}

// copy copies a document up to its last bracket. It only compares each byte with the one before; encoding/json checks the rest.
func (s *scanner) copy() error {
	for len(s.open) > 0 {
		c, err := s.peek()
		if err != nil {
			return err
		}
		last := s.doc[len(s.doc)-1]
		isFirst, isNext := last == '{' || last == '[', last == ',' || last == ':' // a value can begin
		switch {
		case len(s.doc) > s.most():
			return ReasonTooLarge
		case c == s.open[len(s.open)-1] && !isNext:
			s.pop()
		case (c == ',' || c == ':') && !isFirst && !isNext, isScalar(c) && (isNext || last == '[' || isScalar(last)):
			s.take(c)
		case c == '"' && (isFirst || isNext):
			err = s.str()
		case (c == '{' || c == '[') && (isNext || last == '['):
			s.push(c)
		default:
			return ReasonMalformed
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isScalar reports whether a byte can be in a number, true, false or null.
func isScalar(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '+' || c == '-' || c == '.'
}

func (s *scanner) take(c byte) {
	s.pos++
	s.doc = append(s.doc, c)
}

// most is the length of a document that is too large.
func (s *scanner) most() int { return s.longest + 2<<20 }

// push takes an opening bracket.
func (s *scanner) push(c byte) {
	if len(s.open) < maxTracked {
		s.starts[len(s.open)] = len(s.doc)
	}
	s.take(c)
	s.open = append(s.open, c+2) // both closing brackets follow two behind in ASCII
}

// pop takes the closing bracket. If the document is long, it drops a large element of an array that cannot belong to a question.
func (s *scanner) pop() {
	depth := len(s.open) - 1
	s.take(s.open[depth])
	s.open = s.open[:depth]
	if depth > 0 && depth < maxTracked && s.open[depth-1] == ']' && len(s.doc) > softBytes && !s.isArray {
		if start := s.starts[depth]; s.hit < start && len(s.doc)-start > bigBytes {
			s.doc = append(s.doc[:start], "null"...)
		}
	}
}

// str takes a string.
func (s *scanner) str() error {
	begin, isLong := len(s.doc), false
	s.take('"')
	for isEscaped := false; ; {
		part := s.buf[s.pos:s.end]
		i := bytes.IndexByte(part, '"')
		if i >= 0 {
			part = part[:i]
		}
		if n := bytes.IndexByte(part, '\n'); n >= 0 {
			s.pos += n
			return ReasonTruncated
		}
		// An odd number of backslashes escapes what follows them.
		backslashes := len(part) - len(bytes.TrimRight(part, `\`))
		isEscaped = (isEscaped && backslashes == len(part)) != (backslashes%2 == 1)
		if i >= 0 {
			part = part[:i+1]
		}
		if s.pos += len(part); !isLong {
			s.doc = append(s.doc, part...)
			isLong = len(s.doc)-begin-2 > s.longest || len(s.doc) > s.most()
		}
		if i >= 0 && !isEscaped {
			break
		}
		if i >= 0 {
			isEscaped = false
		} else if err := s.fill(); err != nil {
			return err
		}
	}
	if isLong {
		s.doc = append(s.doc[:begin], tooLong...)
	} else if n := len(s.doc); n-begin <= maxWord && s.to.matches(s.doc[begin+1:n-1]) {
		s.hit = begin
	}
	return nil
}
