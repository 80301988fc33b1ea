package transcript

import (
	"bytes"
	"errors"
	"io"
)

// scanner reads JSON from a stream by pulling: a value is entered, kept, or skipped without being kept, whatever its length. It
// holds one window of the input. Its errors are flaws, and those of the input; io.EOF inside a value means that it is cut off.
type scanner struct {
	in       io.Reader
	buf      []byte
	pos, end int // what has not been read of buf
	lines    int // newlines before buf[counted]
	counted  int
	next     [3]int // see find
	form     form
	base     int64 // offset of buf
	fresh    int64 // offset of the last line that began in white space
	keep     *capture
	mark     int // from where keep takes what is read
	name     capture
	small    capture
}

// form is how a document stands in its lines. It tells where one ends that is cut off.
type form int

const (
	free     form = iota // as it likes
	flat                 // on one line: a newline in it is a flaw
	indented             // on several, of which none but the first begins with a brace, and none with a dash
)

const (
	windowBytes = 64 << 10
	nameBytes   = 64      // longest key that can matter
	smallBytes  = 4 << 10 // longest id, time or path that can matter
)

func newScanner(in io.Reader) *scanner {
	s := &scanner{in: in, buf: make([]byte, windowBytes), name: capture{limit: nameBytes}, small: capture{limit: smallBytes}}
	s.forget()
	return s
}

// flaw is what is wrong with a place of the input. Reading can go on behind it.
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

// line returns the number of the line that is being read, from 1.
func (s *scanner) line() int {
	s.lines += bytes.Count(s.buf[s.counted:s.pos], []byte{'\n'})
	s.counted = s.pos
	return s.lines + 1
}

// fill moves the window on. It returns io.EOF at the end of the input.
func (s *scanner) fill() error {
	if s.keep != nil {
		s.keep.add(s.buf[s.mark:s.end])
		s.mark = 0
	}
	s.pos = s.end
	s.line()
	s.base += int64(s.end)
	s.pos, s.end, s.counted = 0, 0, 0
	s.forget()
	for range 100 {
		n, err := s.in.Read(s.buf)
		if s.end = n; n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

func (s *scanner) forget() { s.next = [...]int{-1, -1, -1} }

// What find finds.
const (
	quote = iota
	backslash
	newline
)

// find returns where the next such character stands in the window, or its end. It remembers, so that all calls together look
// at each byte once.
func (s *scanner) find(what int) int {
	if s.next[what] < s.pos {
		s.next[what] = s.end
		if i := bytes.IndexByte(s.buf[s.pos:s.end], "\"\\\n"[what]); i >= 0 {
			s.next[what] = s.pos + i
		}
	}
	return s.next[what]
}

// peek skips white space and returns the next byte without taking it.
func (s *scanner) peek() (byte, error) {
	for {
		for ; s.pos < s.end; s.pos++ {
			switch c := s.buf[s.pos]; c {
			case ' ', '\t', '\r':
			case '\n':
				if s.form == flat {
					return 0, flaw(ReasonTruncated)
				}
				s.fresh = s.base + int64(s.pos) + 1
			default:
				if s.atNext() {
					return 0, flaw(ReasonTruncated)
				}
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
	return s.form == indented && s.base+int64(s.pos) == s.fresh && (s.buf[s.pos] == '{' || s.buf[s.pos] == '-')
}

// skipLine takes everything up to the next newline, and that.
func (s *scanner) skipLine() error {
	for {
		if s.pos = s.find(newline); s.pos < s.end {
			s.pos++
			return nil
		}
		if err := s.fill(); err != nil {
			return err
		}
	}
}

// skip takes a value.
func (s *scanner) skip() error {
	c, err := s.peek()
	switch {
	case err != nil:
		return err
	case c == '"':
		return s.str()
	case c == '{' || c == '[':
		return s.nested()
	}
	return s.scalar()
}

// str takes a string, of which the opening quotation mark is next.
func (s *scanner) str() error {
	s.pos++
	for {
		if s.pos = min(s.find(quote), s.find(backslash), s.find(newline)); s.pos == s.end {
			if err := s.fill(); err != nil {
				return err
			}
			continue
		}
		switch s.buf[s.pos] {
		case '"':
			s.pos++
			return nil
		case '\n':
			return flaw(ReasonTruncated)
		}
		if s.pos++; s.pos == s.end {
			if err := s.fill(); err != nil {
				return err
			}
		}
		if s.buf[s.pos] != '\n' {
			s.pos++
		}
	}
}

// isScalar holds the bytes of numbers, true, false and null.
var isScalar = func() (table [256]bool) {
	for _, c := range []byte("+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
		table[c] = true
	}
	return table
}()

func (s *scanner) scalar() error {
	for some := false; ; some = true {
		start := s.pos
		for s.pos < s.end && isScalar[s.buf[s.pos]] {
			s.pos++
		}
		if s.pos < s.end {
			if some = some || s.pos > start; !some {
				return flaw(ReasonMalformed)
			}
			return nil
		}
		if err := s.fill(); err != nil {
			return err
		}
	}
}

// nested takes an object or an array.
func (s *scanner) nested() error {
	depth := 0
	for {
		for s.pos < s.end {
			switch c := s.buf[s.pos]; {
			case c == '"':
				if err := s.str(); err != nil {
					return err
				}
				continue
			case (c == '{' || c == '-') && s.atNext():
				return flaw(ReasonTruncated)
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				if depth--; depth == 0 {
					s.pos++
					return nil
				}
			case c == '\n' && s.form == flat:
				return flaw(ReasonTruncated)
			case c == '\n':
				s.fresh = s.base + int64(s.pos) + 1
			case isScalar[c] || c == ',' || c == ':' || c == ' ' || c == '\t' || c == '\r':
			default:
				return flaw(ReasonMalformed)
			}
			s.pos++
		}
		if err := s.fill(); err != nil {
			return err
		}
	}
}

// object enters an object and calls member for each key; member takes the value. The key is valid until then. Any other value is
// skipped.
func (s *scanner) object(member func(key []byte) error) error {
	c, err := s.peek()
	switch {
	case err != nil:
		return err
	case c != '{':
		return s.skip()
	}
	s.pos++
	return s.members(nil, member)
}

// members is the inside of an object, from its first key, which may have been taken already.
func (s *scanner) members(key []byte, member func(key []byte) error) error {
	for i := 0; ; i++ {
		if key == nil {
			end, err := s.separator(i, '}')
			if end || err != nil {
				return err
			}
			if key, err = s.takeKey(); err != nil {
				return err
			}
		}
		c, err := s.peek()
		switch {
		case err != nil:
			return err
		case c != ':':
			return flaw(ReasonMalformed)
		}
		s.pos++
		if err := member(key); err != nil {
			return err
		}
		key = nil
	}
}

// array enters an array and calls each for every element, which takes it. Any other value is skipped.
func (s *scanner) array(each func() error) error {
	c, err := s.peek()
	switch {
	case err != nil:
		return err
	case c != '[':
		return s.skip()
	}
	s.pos++
	for i := 0; ; i++ {
		end, err := s.separator(i, ']')
		if end || err != nil {
			return err
		}
		if err := each(); err != nil {
			return err
		}
	}
}

// separator takes what stands before the i-th member, and tells whether there is none.
func (s *scanner) separator(i int, closing byte) (end bool, err error) {
	c, err := s.peek()
	switch {
	case err != nil:
		return false, err
	case c == closing:
		s.pos++
		return true, nil
	case i == 0:
		return false, nil
	case c != ',':
		return false, flaw(ReasonMalformed)
	}
	s.pos++
	return false, nil
}

// takeKey takes the name of a member. One that is too long to matter is empty.
func (s *scanner) takeKey() ([]byte, error) {
	c, err := s.peek()
	switch {
	case err != nil:
		return nil, err
	case c != '"':
		return nil, flaw(ReasonMalformed)
	}
	s.name.reset()
	if err := s.raw(&s.name); err != nil {
		return nil, err
	}
	switch {
	case s.name.over:
		return []byte{}, nil
	case bytes.IndexByte(s.name.raw, '\\') >= 0:
		return []byte(decode(s.name.raw)), nil
	}
	return s.name.raw[1 : len(s.name.raw)-1], nil
}

// raw takes a value and adds its JSON to c.
func (s *scanner) raw(c *capture) error {
	if _, err := s.peek(); err != nil {
		return err
	}
	s.keep, s.mark = c, s.pos
	err := s.skip()
	c.add(s.buf[s.mark:s.pos])
	s.keep = nil
	return err
}

// text takes a string that is short where it matters.
func (s *scanner) text(to *string) error {
	return s.value(func(raw []byte) { *to = decode(raw) })
}

// value takes a value that is short where it matters, and hands its JSON to use.
func (s *scanner) value(use func(raw []byte)) error {
	s.small.reset()
	if err := s.raw(&s.small); err != nil {
		return err
	}
	if !s.small.over {
		use(s.small.raw)
	}
	return nil
}
