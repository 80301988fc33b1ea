package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"
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
	into     *capture
	mark     int // from where into takes what is read
	name     capture
	small    capture
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
	if s.into != nil {
		s.into.add(s.buf[s.mark:s.end])
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

// take takes the next value of the input.
type take func() error

// members are the members of an object that matter, and what takes the value of each. All others are skipped.
type members map[string]take

// object takes an object. It skips any other value.
func (s *scanner) object(of members) take {
	return func() error {
		if ok, err := s.enter('{'); !ok {
			return err
		}
		return s.members(nil, of)
	}
}

// enter takes the bracket that begins an object or an array. It skips any other value and returns false.
func (s *scanner) enter(opening byte) (bool, error) {
	c, err := s.peek()
	switch {
	case err != nil:
		return false, err
	case c != opening:
		return false, s.skip()
	}
	s.pos++
	return true, nil
}

// members takes the inside of an object. If key is not nil, the first key was taken already.
func (s *scanner) members(key []byte, of members) error {
	return s.eachMember(key, func(key []byte) error {
		if take := of[string(key)]; take != nil {
			return take()
		}
		return s.skip()
	})
}

// eachMember calls member for each key of an object; member takes the value. The key is valid until then.
func (s *scanner) eachMember(key []byte, member func(key []byte) error) error {
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

// list takes an array, and each of its elements with each. It skips any other value.
func (s *scanner) list(each take) take {
	return func() error {
		if ok, err := s.enter('['); !ok {
			return err
		}
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

// separator takes what stands before the i-th member, and reports whether there is none.
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
	if err := s.keep(&s.name); err != nil {
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

// text sets to to a string.
func (s *scanner) text(to *string) take {
	return s.value(func(raw []byte) { *to = decode(raw) })
}

// is sets to to whether a value is the JSON literal.
func (s *scanner) is(literal string, to *bool) take {
	return s.value(func(raw []byte) { *to = string(raw) == literal })
}

// time sets to to a time.
func (s *scanner) time(to *time.Time) take {
	return s.value(func(raw []byte) { *to = instant(raw) })
}

// number sets to to a number. It leaves to as it is for any other value.
func (s *scanner) number(to any) take {
	return s.value(func(raw []byte) { _ = json.Unmarshal(raw, to) })
}

// decode returns the string that the JSON raw is, and "" for any other value.
func decode(raw []byte) string {
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
