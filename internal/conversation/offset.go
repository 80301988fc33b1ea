package conversation

import "math"

// received counts the bytes of a text that arrives in pieces with offsets.
type received struct {
	next int // the offset of the next new byte
	end  int // the end of the farthest piece; larger than next while a piece is missing
}

// take returns the new part of a piece. A piece after a gap is dropped until the missing one arrives.
func (r *received) take(offset int, piece []byte) []byte {
	end := offset + len(piece)
	if end < offset { // overflow: the missing bytes can never arrive
		end = math.MaxInt
	}
	r.end = max(r.end, end)
	if offset > r.next || end <= r.next {
		return nil
	}
	fresh := piece[r.next-offset:]
	r.next = end
	return fresh
}
