package toolcall

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf8"
)

// buffer collects a text that arrives in pieces, as valid UTF-8.
type buffer struct {
	text  strings.Builder
	clean cleaner
}

// write adds the next bytes. A piece may end inside a character.
func (b *buffer) write(piece []byte) { b.add(b.clean.next(piece)) }

func (b *buffer) add(piece []byte) {
	reserve(&b.text, max(len(piece), 2<<10-b.text.Len())) // enough for most texts
	b.text.Write(piece)
}

// drop removes the first n bytes.
func (b *buffer) drop(n int) {
	rest := b.text.String()[n:]
	b.text = strings.Builder{}
	b.add([]byte(rest))
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

// Feed runs a parser as a coroutine over text that arrives in pieces. More suspends the parser until the next piece.
type Feed struct {
	buffer
	parse  func()
	seen   int // bytes of the text that More has returned
	ended  bool
	resume func() (struct{}, bool) // nil before the parser starts
	stop   func()
	wait   func(struct{}) bool
}

// NewFeed returns a feed for a parser. parse must return at the end of the text, and may return earlier. The caller ends the text
// with End or Stop.
func NewFeed(parse func()) *Feed { return &Feed{parse: parse} }

// Append adds the next bytes and runs the parser on them. A piece may end inside a character.
func (f *Feed) Append(piece []byte) {
	f.write(piece)
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

// More blocks until new text arrives, and returns all text so far. It returns false at the end of the text.
func (f *Feed) More() (text string, more bool) {
	for f.text.Len() == f.seen && !f.ended {
		f.ended = !f.wait(struct{}{}) || f.ended
	}
	more = f.text.Len() > f.seen
	f.seen = f.text.Len()
	return f.text.String(), more
}

// cleaner converts a stream to valid UTF-8: each invalid byte becomes U+FFFD. A character split between two chunks is returned with
// the second.
type cleaner struct {
	tail   []byte // the start of an incomplete character
	joined []byte // buffer for tail and the next chunk
	valid  []byte // buffer for a chunk in which bytes were replaced
}

// next returns the next chunk as valid UTF-8. The result is valid until the next call.
func (c *cleaner) next(b []byte) []byte {
	if len(c.tail) > 0 {
		c.joined = append(append(c.joined[:0], c.tail...), b...)
		b, c.tail = c.joined, c.tail[:0]
	}
	last := len(b) - 1 // the start of the last character
	for last > 0 && len(b)-last < utf8.UTFMax && !utf8.RuneStart(b[last]) {
		last--
	}
	if last >= 0 && !utf8.FullRune(b[last:]) {
		c.tail = append(c.tail, b[last:]...)
		b = b[:last]
	}
	if utf8.Valid(b) {
		return b
	}
	c.valid = c.valid[:0]
	for _, r := range string(b) { // U+FFFD for an invalid byte
		c.valid = utf8.AppendRune(c.valid, r)
	}
	return c.valid
}

// Valid returns b as valid UTF-8: each invalid byte becomes U+FFFD.
func Valid(b []byte) string {
	var c cleaner
	return string(c.next(b)) + string(c.end())
}

// end returns U+FFFD for each byte of a character that is incomplete at the end of the stream.
func (c *cleaner) end() []byte {
	out := bytes.Repeat([]byte("\uFFFD"), len(c.tail))
	c.tail = nil
	return out
}
