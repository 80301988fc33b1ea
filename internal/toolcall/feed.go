package toolcall

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf8"
)

// Feed runs a parser as a coroutine over text that arrives in pieces. More suspends the parser until the next piece.
type Feed struct {
	parse  func()
	text   strings.Builder
	clean  cleaner
	seen   int // bytes of the text that More has returned
	ended  bool
	resume func() (struct{}, bool) // nil before the parser starts
	stop   func()
	wait   func(struct{}) bool
}

// NewFeed returns a feed for a parser. parse must return at the end of the text, and may return earlier. The caller ends the text
// with End or Stop.
func NewFeed(parse func()) *Feed { return &Feed{parse: parse} }

// Write adds the next bytes without running the parser. A piece may end inside a character.
func (f *Feed) Write(piece []byte) { f.add(f.clean.next(piece)) }

func (f *Feed) add(piece []byte) {
	reserve(&f.text, max(len(piece), 2<<10-f.text.Len())) // enough for most texts
	f.text.Write(piece)
}

// reserve makes room for n more bytes. It grows the buffer by half, whereas a Builder would double it.
func reserve(text *strings.Builder, n int) {
	if text.Cap()-text.Len() < n {
		before := text.String()
		*text = strings.Builder{}
		text.Grow(len(before)*3/2 + n)
		text.WriteString(before)
	}
}

// Append writes the next bytes and runs the parser on them.
func (f *Feed) Append(piece []byte) {
	f.Write(piece)
	f.read()
}

func (f *Feed) read() {
	if f.resume == nil {
		f.resume, f.stop = iter.Pull(func(wait func(struct{}) bool) {
			f.wait = wait
			f.parse()
		})
	}
	f.resume()
}

// End ends the text and runs the parser to its end.
func (f *Feed) End() {
	f.add(f.clean.end())
	if f.ended = true; f.resume == nil {
		f.parse()
		return
	}
	f.resume()
}

// Stop ends the parser before the end of the text.
func (f *Feed) Stop() {
	if f.stop != nil {
		f.stop()
	}
}

// Len returns the number of bytes of the text, without dropped ones.
func (f *Feed) Len() int { return f.text.Len() }

// More blocks until new text arrives, and returns all text so far. It returns false at the end of the text.
func (f *Feed) More() (text string, more bool) {
	for f.text.Len() == f.seen && !f.ended {
		f.ended = !f.wait(struct{}{}) || f.ended
	}
	more = f.text.Len() > f.seen
	f.seen = f.text.Len()
	return f.text.String(), more
}

// Drop removes the first n bytes of the text and returns the rest.
func (f *Feed) Drop(n int) string {
	rest := f.text.String()[n:]
	f.text = strings.Builder{}
	f.add([]byte(rest))
	f.seen -= n
	return rest
}

// cleaner converts a stream to valid UTF-8: each invalid byte becomes U+FFFD. A character split between two chunks is returned with
// the second.
type cleaner struct {
	tail   [utf8.UTFMax]byte // the start of an incomplete character
	n      int               // bytes in tail
	joined []byte            // buffer for tail and the next chunk
}

// next returns the next chunk as valid UTF-8. The result is valid until the next call.
func (c *cleaner) next(b []byte) []byte {
	if c.n > 0 {
		c.joined = append(append(c.joined[:0], c.tail[:c.n]...), b...)
		b, c.n = c.joined, 0
	}
	last := len(b) - 1 // the start of the last character
	for last > 0 && len(b)-last < utf8.UTFMax && !utf8.RuneStart(b[last]) {
		last--
	}
	if last >= 0 && !utf8.FullRune(b[last:]) {
		c.n = copy(c.tail[:], b[last:])
		b = b[:last]
	}
	if !utf8.Valid(b) {
		b = bytes.Map(func(r rune) rune { return r }, b) // Map writes U+FFFD for invalid bytes
	}
	return b
}

// Valid returns b as valid UTF-8: each invalid byte becomes U+FFFD.
func Valid(b []byte) string {
	var c cleaner
	return string(c.next(b)) + string(c.end())
}

// end returns U+FFFD for each byte of a character that is incomplete at the end of the stream.
func (c *cleaner) end() []byte {
	out := bytes.Repeat([]byte("\uFFFD"), c.n)
	c.n = 0
	return out
}
