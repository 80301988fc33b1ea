package toolcall

import "unicode/utf8"

var replacement = []byte("\uFFFD")

// cleaner makes valid UTF-8 of a stream: each invalid byte becomes U+FFFD, and a character that is split over two chunks
// is handed on whole, with the second.
type cleaner struct {
	tail  [utf8.UTFMax]byte // the beginning of a character
	n     int               // bytes of it
	whole [utf8.UTFMax]byte // the character, when it is complete
}

// next returns valid bytes from the front of b, and what of b is left to clean; it is called again until nothing is left.
func (c *cleaner) next(b []byte) (clean, rest []byte) {
	if c.n > 0 {
		return c.complete(b)
	}
	if ascii(b) || utf8.Valid(b) {
		return b, nil
	}
	i := 0
	for {
		r, size := utf8.DecodeRune(b[i:])
		if r != utf8.RuneError || size > 1 {
			i += size
			continue
		}
		switch {
		case !utf8.FullRune(b[i:]):
			c.n = copy(c.tail[:], b[i:])
			return b[:i], nil
		case i > 0:
			return b[:i], b[i:]
		default:
			return replacement, b[1:]
		}
	}
}

// complete goes on with the character whose beginning is held.
func (c *cleaner) complete(b []byte) (clean, rest []byte) {
	for !utf8.FullRune(c.tail[:c.n]) {
		if len(b) == 0 {
			return nil, nil
		}
		c.tail[c.n] = b[0]
		c.n++
		b = b[1:]
	}
	if r, size := utf8.DecodeRune(c.tail[:c.n]); r != utf8.RuneError || size > 1 {
		c.whole, c.n = c.tail, 0
		return c.whole[:size], b
	}
	c.drop()
	return replacement, b
}

// drop takes the first held byte away, which is invalid.
func (c *cleaner) drop() {
	copy(c.tail[:], c.tail[1:c.n])
	c.n--
}

// pending tells whether next must be called again although nothing is left of its input.
func (c *cleaner) pending() bool { return c.n > 0 && utf8.FullRune(c.tail[:c.n]) }

// end returns what a held, incomplete character becomes at the end of the stream.
func (c *cleaner) end() []byte {
	var out []byte
	for ; c.n > 0; c.n-- {
		out = append(out, replacement...)
	}
	return out
}
