package toolcall

import "unicode/utf8"

// Spot is where a fault is, and what stands there.
type Spot struct {
	// Line and Column are in characters, from 1.
	Line, Column int
	// Text is what stands there, as far as an excerpt can need it.
	Text []byte
}

// maxQuote is how many bytes an excerpt can need.
const maxQuote = 256

// Place returns where the reader stands; Text is not set.
func (j *JSON) Place() (s Spot) {
	s.Line, s.Column = j.place.at(j.offset)
	return s
}

// Spot returns where the fault is at which reading stopped, or else what was mended first.
func (j *JSON) Spot() Spot {
	spot := j.spot
	spot.Text = j.quote.bytes
	return spot
}

// mark notes that a fault is where the reader stands.
func (j *JSON) mark() {
	j.spot = j.Place()
	j.quote.keep(j.offset, maxQuote)
}

// place counts lines and columns.
type place struct {
	line  int
	start int // the offset at which the line begins
	wide  int // bytes of the line's characters behind each one's first
}

func (p *place) newLine(offset int) { p.line, p.start, p.wide = p.line+1, offset+1, 0 }

// widen takes characters of the line into account.
func (p *place) widen(b []byte) {
	if !ascii(b) {
		p.wide += len(b) - utf8.RuneCount(b)
	}
}

func (p *place) at(offset int) (line, column int) { return p.line, offset - p.start - p.wide + 1 }

// Keep begins to keep what is read, from the value that the sink is told of, and at most so many bytes of it.
func (j *JSON) Keep(most int) { j.kept.keep(j.offset, most) }

// Kept returns what was read since Keep, and keeps no more.
func (j *JSON) Kept() []byte {
	j.kept.to(j.offset)
	j.kept.on = false
	return j.kept.bytes
}

// capture keeps a part of the input, as it was written. While it keeps nothing it costs a look at each chunk.
type capture struct {
	on    bool
	most  int
	from  int    // the offset from which bytes of the chunk are not kept yet
	bytes []byte // what was kept of earlier chunks
	chunk []byte // what is read now
	at    int    // the offset of its first byte
}

// begin notes the chunk that is read next.
func (c *capture) begin(chunk []byte, at int) { c.chunk, c.at = chunk, at }

// keep begins to keep.
func (c *capture) keep(from, most int) { c.on, c.from, c.most, c.bytes = true, from, most, nil }

// to keeps the bytes of the chunk before the offset.
func (c *capture) to(offset int) {
	if n := min(offset-c.at, len(c.chunk)); c.on && n > c.from-c.at {
		c.add(c.chunk[c.from-c.at : n])
		c.from = c.at + n
	}
}

func (c *capture) add(b []byte) {
	c.bytes = append(c.bytes, b[:min(len(b), c.most-len(c.bytes))]...)
	c.on = len(c.bytes) < c.most
}
