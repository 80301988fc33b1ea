package toolcall

// kept is the text of one value, as it was written. While nothing is kept it costs a look at each chunk.
type kept struct {
	on    bool
	from  int    // the offset from which bytes of the chunk are not kept yet
	bytes []byte // what was kept of earlier chunks
	chunk []byte // what is read now
	at    int    // the offset of its first byte
}

// Keep begins to keep what is read, from the value that the sink is told of.
func (j *JSON) Keep() {
	j.kept.on, j.kept.from, j.kept.bytes = true, j.offset, nil
}

// Kept returns what was read since Keep, up to n bytes behind Offset, and keeps no more.
func (j *JSON) Kept(n int) []byte {
	k := &j.kept
	j.keepTo(j.offset + n)
	k.on = false
	return k.bytes
}

// Literal returns the word of the boolean that the sink is told of.
func (j *JSON) Literal() string { return j.word }

// begin notes the chunk that is read next.
func (k *kept) begin(chunk []byte, at int) { k.chunk, k.at = chunk, at }

// keepTo keeps the bytes of the chunk before the offset.
func (j *JSON) keepTo(offset int) {
	k := &j.kept
	if n := min(offset-k.at, len(k.chunk)); k.on && n > k.from-k.at {
		k.bytes = append(k.bytes, k.chunk[k.from-k.at:n]...)
		k.from = k.at + n
	}
}
