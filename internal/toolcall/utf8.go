package toolcall

import (
	"bytes"
	"unicode/utf8"
)

var replacement = []byte("\uFFFD")

// cleaner makes valid UTF-8 of a stream: each invalid byte becomes U+FFFD, and a character that is split over two chunks
// is handed on whole, with the second.
type cleaner struct {
	tail   [utf8.UTFMax]byte // the beginning of a character
	n      int               // bytes of it
	joined []byte            // room for that and the chunk behind it
}

// next returns what the next chunk reads as, which is valid until it is called again.
func (c *cleaner) next(b []byte) []byte {
	if c.n > 0 {
		c.joined = append(append(c.joined[:0], c.tail[:c.n]...), b...)
		b, c.n = c.joined, 0
	}
	last := len(b) - 1 // where the last character begins
	for last > 0 && len(b)-last < utf8.UTFMax && !utf8.RuneStart(b[last]) {
		last--
	}
	if last >= 0 && !utf8.FullRune(b[last:]) {
		c.n = copy(c.tail[:], b[last:])
		b = b[:last]
	}
	if !utf8.Valid(b) {
		b = bytes.Map(func(r rune) rune { return r }, b) // which writes U+FFFD for what is none
	}
	return b
}

// Valid returns the whole of a text as valid UTF-8.
func Valid(b []byte) string {
	var c cleaner
	return string(c.next(b)) + string(c.end())
}

// end returns what a held, incomplete character becomes at the end of the stream.
func (c *cleaner) end() []byte {
	out := bytes.Repeat(replacement, c.n)
	c.n = 0
	return out
}
