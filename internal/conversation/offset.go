package conversation

// received counts the bytes of a text that arrives in pieces with offsets.
type received struct {
	next int // where the next new byte is expected
	end  int // the end of the farthest piece; larger than next while a piece is missing
}

// take returns the part of a piece that is new. Bytes that have arrived before are dropped. A piece behind a gap is dropped whole, until the missing
// one arrives.
func (r *received) take(offset int, piece []byte) []byte {
	end := offset + len(piece)
	r.end = max(r.end, end)
	if offset > r.next || end <= r.next {
		return nil
	}
	fresh := piece[r.next-offset:]
	r.next = end
	return fresh
}
