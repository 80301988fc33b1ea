package transcript

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// scanner splits a log into JSON documents: consecutive objects, or the elements of an array. It copies one document at a
// time, in bounded memory, and omits parts of a long one that cannot belong to a question. It only recognizes brackets and
// strings; encoding/json parses the rest.
type scanner struct {
	to      *log
	in      io.Reader
	buf     []byte
	rest    []byte // the unread part of buf
	line    int    // from 1
	isFirst bool   // the next byte is the first of its line
	isArray bool   // the documents are elements of an array

	most  int    // the limit of a document's copy, in bytes
	doc   []byte // the copy of a document, without white space
	start int    // the line on which it begins
	open  []bracket
	hit   int // the position of the last string that may belong to a question, or -1
	image int // the position of the last object that is an image, or -1
}

// bracket is an open bracket of a document: the byte that closes it, and its position.
type bracket struct {
	closing byte
	at      int
}

const (
	windowBytes = 64 << 10
	softBytes   = 128 << 10 // in a longer document, large elements of arrays are dropped
	bigBytes    = 4 << 10
	maxDepth    = 10_000 // as in encoding/json
	maxWord     = 200    // the limit of a name or an id, in bytes
)

// scan reads all documents. After damage, it continues at the next line that begins a document.
func (s *scanner) scan() error {
	s.buf, s.line, s.isFirst = make([]byte, windowBytes), 1, true
	err := s.fill()
	s.rest = bytes.TrimPrefix(s.rest, []byte("\ufeff"))
	for isLost := false; err == nil; {
		var c byte
		if c, err = s.peek(); err != nil {
			break
		}
		if isLost && !s.isNext(c) {
			line, _, _ := bytes.Cut(s.rest, []byte("\n"))
			s.skip(len(line))
			continue
		}
		s.start = s.line
		switch {
		case c == '{':
			err = s.document()
		case c == '[' || c == ']':
			s.isArray = c == '['
			s.skip(1)
		case c == ',' && s.isArray, c == '-': // the line of --- between two requests of cc-viewer
			s.skip(1)
		case s.isArray:
			s.skip(1)
			s.to.flaw(ReasonMalformed)
		default:
			err = ReasonMalformed
		}
		var bad Reason
		if isLost = errors.As(err, &bad) && (bad == ReasonTruncated || bad == ReasonMalformed); isLost {
			s.to.flaw(bad)
			err = nil
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	if s.isArray {
		s.to.flaw(ReasonTruncated)
	}
	return nil
}

// fill replaces the window with the next part of the input. It returns io.EOF at the end of the input, or the context's
// error.
func (s *scanner) fill() error {
	n, err := 0, s.to.ctx.Err()
	if err == nil {
		n, err = io.ReadAtLeast(s.in, s.buf, 1)
	}
	s.rest = s.buf[:n]
	return err
}

// peek skips white space and returns the next byte without consuming it.
func (s *scanner) peek() (byte, error) {
	for {
		for i, c := range s.rest {
			switch c {
			case '\n':
				s.line++
				s.isFirst = true
			case ' ', '\t', '\r':
				s.isFirst = false
			default:
				s.rest = s.rest[i:]
				return c, nil
			}
		}
		if err := s.fill(); err != nil {
			return 0, err
		}
	}
}

// skip consumes n bytes. The next one does not begin a line.
func (s *scanner) skip(n int) { s.rest, s.isFirst = s.rest[n:], false }

// isNext reports whether a document, or the line before one, begins with c. In an indented document, no line after the
// first one begins with these.
func (s *scanner) isNext(c byte) bool { return s.isFirst && (c == '{' || c == '[' || c == '-') }

// document copies a document, and passes a complete one to the log.
func (s *scanner) document() error {
	s.doc, s.open, s.hit, s.image = s.doc[:0], s.open[:0], -1, -1
	for len(s.doc) == 0 || len(s.open) > 0 {
		c, err := s.peek()
		switch {
		case errors.Is(err, io.EOF), err == nil && len(s.doc) > 0 && s.isNext(c):
			return ReasonTruncated
		case err != nil:
			return err
		case len(s.open) > maxDepth:
			return ReasonMalformed
		case c == '"':
			err = s.str()
		case c == '{' || c == '[':
			s.open = append(s.open, bracket{c + 2, len(s.doc)}) // in ASCII, each closing bracket is its opening one plus 2
			s.take(c)
		case c == '}' || c == ']':
			s.take(c)
			s.close(c)
		default:
			s.take(c)
		}
		if err != nil {
			return err
		}
	}
	if len(s.doc) <= s.most {
		return s.to.document(s.doc)
	}
	if s.hit >= 0 || s.isArray {
		s.to.flaw(ReasonTooLarge)
	}
	return nil
}

// take consumes a byte outside of strings, and copies it unless the document is too large.
func (s *scanner) take(c byte) {
	if s.skip(1); len(s.doc) <= s.most {
		s.doc = append(s.doc, c)
	}
}

// imageType marks an image. droppedImage replaces a large image, since an answer can consist of an image alone.
const (
	imageType    = `"type":"image"`
	droppedImage = "{" + imageType + "}"
)

// close closes the innermost bracket of a kind, and the brackets inside it, which are open only if the log is damaged. If
// the document is long, close drops a large element of an array that cannot belong to a question. An element within another
// one may be the answer to the call whose id follows, so it is kept while there is room.
func (s *scanner) close(c byte) {
	i := len(s.open) - 1
	for i > 0 && s.open[i].closing != c {
		i--
	}
	last := s.open[i]
	s.open = s.open[:i]
	isElement := i > 0 && s.open[i-1].closing == ']'
	if !isElement || len(s.doc) <= softBytes || s.hit >= last.at || len(s.doc)-last.at <= bigBytes {
		return
	}
	left, isWithin := "null", slices.ContainsFunc(s.open[:i-1], func(b bracket) bool { return b.closing == ']' })
	if s.image == last.at {
		left = droppedImage
	} else if isWithin && len(s.doc) <= s.most/2 {
		return
	}
	s.doc, s.image = append(s.doc[:last.at], left...), -1
}

// str reads a string. A line that ends inside the string ends a truncated document, unless the document is an element of an
// array.
func (s *scanner) str() error {
	begin := len(s.doc)
	s.doc = append(s.doc, '"')
	s.skip(1)
	for isEscaped := false; ; {
		part := s.rest
		i := bytes.IndexByte(part, '"')
		if i >= 0 {
			part = part[:i]
		}
		if n := bytes.IndexByte(part, '\n'); n >= 0 && !s.isArray {
			s.skip(n)
			return ReasonTruncated
		}
		// An odd number of backslashes escapes what follows them.
		backslashes := len(part) - len(bytes.TrimRight(part, `\`))
		isEscaped = (isEscaped && backslashes == len(part)) != (backslashes%2 == 1)
		if i >= 0 {
			part = part[:i+1]
		}
		if s.skip(len(part)); len(s.doc) <= s.most || len(s.doc)-begin <= maxWord {
			s.doc = append(s.doc, part...)
		}
		if i >= 0 && !isEscaped {
			break
		}
		if i >= 0 {
			isEscaped = false
		} else if err := s.fill(); errors.Is(err, io.EOF) {
			return ReasonTruncated
		} else if err != nil {
			return err
		}
	}
	if n := len(s.doc); n-begin <= maxWord && s.to.matches(string(s.doc[begin+1:n-1])) {
		s.hit = begin
	}
	if bytes.HasSuffix(s.doc, []byte(imageType)) && len(s.open) > 0 {
		s.image = s.open[len(s.open)-1].at
	}
	if begin > s.most {
		s.doc = s.doc[:begin]
	}
	return nil
}
