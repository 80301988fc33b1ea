package toolcall

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf8"
)

// Feed lets a parser read a text that arrives in pieces: More blocks it until the next piece. They take turns, as coroutines.
type Feed struct {
	parse  func()
	text   strings.Builder
	clean  cleaner
	seen   int // bytes of the text that the parser has got
	ended  bool
	resume func() (struct{}, bool) // nil before the parser has begun
	stop   func()
	wait   func(struct{}) bool
}

// NewFeed returns a feed of a parser, which returns at the end of the text, if not before. The text is ended by End, or by Stop.
func NewFeed(parse func()) *Feed { return &Feed{parse: parse} }

// Write adds the next bytes of the text, which may be cut anywhere, within a character too.
func (f *Feed) Write(piece []byte) { f.write(f.clean.next(piece)) }

func (f *Feed) write(piece []byte) {
	makeRoom(&f.text, max(len(piece), 2<<10-f.text.Len())) // most texts are shorter
	f.text.Write(piece)
}

// makeRoom makes room for n more bytes. A text that outgrows its room gets half as much again, where a Builder would double it.
func makeRoom(text *strings.Builder, n int) {
	if text.Cap()-text.Len() < n {
		before := text.String()
		*text = strings.Builder{}
		text.Grow(len(before)*3/2 + n)
		text.WriteString(before)
	}
}

// Append writes the next bytes and has the parser read them.
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

// End says that the text is complete, and has the parser read it to its end.
func (f *Feed) End() {
	f.write(f.clean.end())
	if f.ended = true; f.resume == nil {
		f.parse()
		return
	}
	f.resume()
}

// Stop ends the parser of a text that is not read any more.
func (f *Feed) Stop() {
	if f.stop != nil {
		f.stop()
	}
}

// Len returns how many bytes of the text there are, but for those dropped.
func (f *Feed) Len() int { return f.text.Len() }

// More blocks the parser until there is more of the text than it has seen. It returns all of it, and whether that is more.
func (f *Feed) More() (text string, more bool) {
	for f.text.Len() == f.seen && !f.ended {
		f.ended = !f.wait(struct{}{}) || f.ended
	}
	more = f.text.Len() > f.seen
	f.seen = f.text.Len()
	return f.text.String(), more
}

// Drop forgets the first n bytes of the text, and returns the others.
func (f *Feed) Drop(n int) string {
	rest := f.text.String()[n:]
	f.text = strings.Builder{}
	f.write([]byte(rest))
	f.seen -= n
	return rest
}

// cleaner makes valid UTF-8 of a stream: each invalid byte becomes U+FFFD, and a character in two chunks belongs to the second.
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
	out := bytes.Repeat([]byte("\uFFFD"), c.n)
	c.n = 0
	return out
}
