package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// scanner reads JSON from a stream by pulling: a value is entered, kept, or skipped without being kept, whatever its length. It
// holds one window of the input. Its errors are flaws, and those of the input; io.EOF inside a value means that it is cut off.
type scanner struct {
	in       io.Reader
	buf      []byte
	pos, end int // what has not been read of buf
	line     int // from 1
	first    bool
	form     form
	into     *capture // of what is read from mark on
	mark     int
	small    capture
}

// form is how a document is laid out in lines. It shows where a document ends that is cut off.
type form int

const (
	free     form = iota // as it likes
	flat                 // on one line: a newline in it is a flaw
	indented             // on several, of which none but the first begins with a brace, and none with a dash
)

const (
	windowBytes = 64 << 10
	smallBytes  = 4 << 10 // longest key, id, time or path that can matter
)

func newScanner(in io.Reader) *scanner {
	return &scanner{in: in, buf: make([]byte, windowBytes), line: 1, small: capture{limit: smallBytes}}
}

// capture keeps the bytes of values up to a limit.
type capture struct {
	raw   []byte
	limit int
	over  bool // a value did not fit, and raw has no meaning
}

func (c *capture) reset() { c.raw, c.over = c.raw[:0], false }

func (c *capture) add(b []byte) {
	if c.over = c.over || len(c.raw)+len(b) > c.limit; !c.over {
		c.raw = append(c.raw, b...)
	}
}

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

// fill moves the window to the next part of the input. It returns io.EOF at its end.
func (s *scanner) fill() error {
	if s.into != nil {
		s.into.add(s.buf[s.mark:s.end])
		s.mark = 0
	}
	s.pos, s.end = 0, 0
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

// expect reports a flaw unless the next byte is c. It does not take it.
func (s *scanner) expect(c byte) error {
	next, err := s.peek()
	if err == nil && next != c {
		err = flaw(ReasonMalformed)
	}
	return err
}

// atNext reports whether the next document begins here, within an indented one that is cut off.
func (s *scanner) atNext() bool {
	return s.first && s.form == indented && s.pos < s.end && (s.buf[s.pos] == '{' || s.buf[s.pos] == '-')
}

// skipLine takes everything up to the next newline, and that.
func (s *scanner) skipLine() error {
	for {
		if i := bytes.IndexByte(s.buf[s.pos:s.end], '\n'); i >= 0 {
			s.pos += i + 1
			s.line++
			s.first = true
			return nil
		}
		if err := s.fill(); err != nil {
			return err
		}
	}
}

// skip takes a value.
func (s *scanner) skip() error {
	for depth := 0; ; {
		c, err := s.peek()
		switch {
		case err != nil:
			return err
		case c == '"':
			err = s.str()
		case c == '{' || c == '[':
			depth++
			s.pos++
		case depth > 0 && (c == '}' || c == ']'):
			depth--
			s.pos++
		case depth > 0 && (c == ',' || c == ':'):
			s.pos++
		default:
			err = s.scalar()
		}
		if err != nil || depth == 0 {
			return err
		}
	}
}

// str takes a string, of which the opening quotation mark is next.
func (s *scanner) str() error {
	s.pos++
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
		s.pos += len(part)
		if i < 0 {
			if err := s.fill(); err != nil {
				return err
			}
			continue
		}
		if s.pos++; !escaped {
			return nil
		}
		escaped = false
	}
}

// scalarBytes are those of numbers, true, false and null.
const scalarBytes = "+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// scalar takes a number or a literal, whose first byte is next.
func (s *scanner) scalar() error {
	if strings.IndexByte(scalarBytes, s.buf[s.pos]) < 0 {
		return flaw(ReasonMalformed)
	}
	_, err := s.past(scalarBytes)
	return err
}

// take takes the next value of the input.
type take func() error

// members are the members of an object that matter, and what takes the value of each. All others are skipped.
type members map[string]take

// object takes an object, and skips any other value.
func (s *scanner) object(of members) take {
	member := s.memberOf(of)
	return func() error { return s.each(member) }
}

// memberOf takes the value of a member.
func (s *scanner) memberOf(of members) func(key []byte) error {
	return func(key []byte) error {
		if take := of[string(key)]; take != nil {
			return take()
		}
		return s.skip()
	}
}

// list takes an array, and each of its elements with each. It skips any other value.
func (s *scanner) list(each take) take {
	return func() error { return s.inside('[', func() error { return s.items(0, ']', each) }) }
}

// when takes a value with then if is reports true, and skips it otherwise.
func (s *scanner) when(is func() bool, then take) take {
	return func() error {
		if is() {
			return then()
		}
		return s.skip()
	}
}

// inside takes the bracket that begins an object or an array, and the rest with then. It skips any other value.
func (s *scanner) inside(opening byte, then take) error {
	c, err := s.peek()
	switch {
	case err != nil:
		return err
	case c != opening:
		return s.skip()
	}
	s.pos++
	return then()
}

// each takes an object. It calls member with each key, which is valid until member takes the value. It skips any other value.
func (s *scanner) each(member func(key []byte) error) error {
	return s.inside('{', func() error { return s.rest(0, member) })
}

// rest takes what is left of an object of which n members were taken.
func (s *scanner) rest(n int, member func(key []byte) error) error {
	return s.items(n, '}', func() error {
		key, err := s.key()
		if err != nil {
			return err
		}
		return s.pair(key, member)
	})
}

// pair takes what follows a key.
func (s *scanner) pair(key []byte, member func(key []byte) error) error {
	if err := s.expect(':'); err != nil {
		return err
	}
	s.pos++
	return member(key)
}

// items takes what is left of an object or an array, of which n items were taken, and each item with each.
func (s *scanner) items(n int, closing byte, each take) error {
	for ; ; n++ {
		c, err := s.peek()
		switch {
		case err != nil:
			return err
		case c == closing:
			s.pos++
			return nil
		case n > 0 && c != ',':
			return flaw(ReasonMalformed)
		case n > 0:
			s.pos++
		}
		if err := each(); err != nil {
			return err
		}
	}
}

// key takes the name of a member. One that is too long to matter is empty.
func (s *scanner) key() ([]byte, error) {
	if err := s.expect('"'); err != nil {
		return nil, err
	}
	s.small.reset()
	if err := s.keep(&s.small); err != nil {
		return nil, err
	}
	switch raw := s.small.raw; {
	case s.small.over:
		return []byte{}, nil
	case bytes.IndexByte(raw, '\\') >= 0:
		return []byte(decode(raw)), nil
	default:
		return raw[1 : len(raw)-1], nil
	}
}

// keep takes a value and appends its JSON to c.
func (s *scanner) keep(c *capture) error {
	if _, err := s.peek(); err != nil {
		return err
	}
	s.into, s.mark = c, s.pos
	err := s.skip()
	c.add(s.buf[s.mark:s.pos])
	s.into = nil
	return err
}

// raw sets c to the JSON of a value.
func (s *scanner) raw(c *capture) take {
	return func() error {
		c.reset()
		return s.keep(c)
	}
}

// value calls use with the JSON of a value, unless it is longer than any that matters.
func (s *scanner) value(use func(raw []byte)) take {
	return func() error {
		s.small.reset()
		if err := s.keep(&s.small); err != nil {
			return err
		}
		if !s.small.over {
			use(s.small.raw)
		}
		return nil
	}
}

// set sets what to points at to a value. If the value has another type, a string or a time becomes zero, and anything else keeps its value.
func (s *scanner) set(to any) take {
	return s.value(func(raw []byte) {
		switch to := to.(type) {
		case *string:
			*to = decode(raw)
		case *time.Time:
			*to = instant(raw)
		default:
			_ = json.Unmarshal(raw, to)
		}
	})
}

// flag sets to to true, whatever the value.
func (s *scanner) flag(to *bool) take {
	return func() error {
		*to = true
		return s.skip()
	}
}

// decode returns the string that the JSON raw is, and "" for any other value.
func decode(raw []byte) string {
	if n := len(raw) - 1; n > 0 && raw[0] == '"' && raw[n] == '"' && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1:n]) // most are so
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// instant reads a time: RFC 3339, or milliseconds since 1970.
func instant(raw []byte) time.Time {
	if t, err := time.Parse(time.RFC3339Nano, decode(raw)); err == nil {
		return t.UTC()
	}
	var ms float64
	if json.Unmarshal(raw, &ms) == nil && ms > 0 && ms < 1e14 {
		return time.UnixMilli(int64(ms)).UTC()
	}
	return time.Time{}
}
