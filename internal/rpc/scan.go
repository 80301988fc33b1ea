package rpc

import (
	"bytes"
	"strings"
)

// An agent's text would be looked at once more, and slowly, if encoding/json told whether a message is JSON and where its
// params end. This tells both at once; FuzzMembers holds it to what encoding/json says.

// maxDepth is how deeply containers may be nested for scan to read them. The library reads what is nested more deeply.
const maxDepth = 500

// scan reads JSON (RFC 8259) from place at on. Like encoding/json it lets any bytes from 0x80 on pass in strings.
type scan struct {
	b  []byte
	at int
}

// members tells the members of the object in b, and nothing else: the keys as they are written, without their quotes, and
// the values. It returns false, at the latest behind the last of them, if b is anything else.
func members(b []byte, tell func(key, value []byte)) bool {
	s := scan{b: b}
	s.space()
	if !s.object(maxDepth, tell) {
		return false
	}
	s.space()
	return s.at == len(b)
}

// next passes c, if that comes next.
func (s *scan) next(c byte) bool {
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scan) space() {
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

func (s *scan) value(depth int) bool {
	if s.at == len(s.b) || depth == 0 {
		return false
	}
	switch s.b[s.at] {
	case '"':
		return s.string()
	case '{':
		return s.object(depth, nil)
	case '[':
		return s.array(depth)
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

func (s *scan) object(depth int, tell func(key, value []byte)) bool {
	if !s.next('{') {
		return false
	}
	if s.space(); s.next('}') {
		return true
	}
	for {
		s.space()
		key := s.at + 1
		if !s.string() {
			return false
		}
		keyEnd := s.at - 1
		if s.space(); !s.next(':') {
			return false
		}
		s.space()
		value := s.at
		if !s.value(depth - 1) {
			return false
		}
		if tell != nil {
			tell(s.b[key:keyEnd], s.b[value:s.at:s.at])
		}
		if s.space(); s.next('}') {
			return true
		}
		if !s.next(',') {
			return false
		}
	}
}

func (s *scan) array(depth int) bool {
	s.at++
	if s.space(); s.next(']') {
		return true
	}
	for {
		s.space()
		if !s.value(depth - 1) {
			return false
		}
		if s.space(); s.next(']') {
			return true
		}
		if !s.next(',') {
			return false
		}
	}
}

// ends are the bytes at which the plain part of a string ends: its closing quote, an escape, a control character.
var ends = func() (ends [256]bool) {
	for c := range 0x20 {
		ends[c] = true
	}
	ends['"'], ends['\\'] = true, true
	return ends
}()

func (s *scan) string() bool {
	if !s.next('"') {
		return false
	}
	for {
		b := s.b[s.at:]
		n := 0
		for n < len(b) && !ends[b[n]] {
			n++
		}
		s.at += n
		switch {
		case s.next('"'):
			return true
		case !s.next('\\') || !s.escape():
			return false
		}
	}
}

// escape reads what follows a backslash.
func (s *scan) escape() bool {
	if s.next('u') {
		for range 4 {
			if s.at == len(s.b) || !isHex(s.b[s.at]) {
				return false
			}
			s.at++
		}
		return true
	}
	if s.at == len(s.b) || strings.IndexByte(escapes, s.b[s.at]) < 0 {
		return false
	}
	s.at++
	return true
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }

func (s *scan) word(word string) bool {
	if !bytes.HasPrefix(s.b[s.at:], []byte(word)) {
		return false
	}
	s.at += len(word)
	return true
}

func (s *scan) number() bool {
	s.next('-')
	if !s.next('0') && !s.digits() {
		return false
	}
	if s.next('.') && !s.digits() {
		return false
	}
	if s.next('e') || s.next('E') {
		if !s.next('+') {
			s.next('-')
		}
		return s.digits()
	}
	return true
}

// digits passes one digit or more.
func (s *scan) digits() bool {
	begin := s.at
	for s.at < len(s.b) && '0' <= s.b[s.at] && s.b[s.at] <= '9' {
		s.at++
	}
	return s.at > begin
}
