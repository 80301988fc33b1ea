package toolcall

import (
	"slices"
	"strings"
)

// reread is what is known when a part that nothing closed is read again at the end of the message: which of the fences,
// elements and CDATA sections in it are closed. Knowing that, no part is read more than twice. A nil reread knows nothing.
type reread struct {
	last   map[string]int // where the last end tag of each name begins
	fences []int          // where the fences that a later line closes begin
	cdata  int            // where the last end of a CDATA section is
}

// newReread looks through the message from a place to its end.
func (s *Scanner) newReread(from int) *reread {
	b, offset := s.raw[from:], s.base+from
	s.looked += len(b)
	r := &reread{last: map[string]int{}, cdata: offset + strings.LastIndex(b, cdataEnd)}
	for _, span := range s.config.Spans {
		if i := strings.LastIndex(b, span.Close); i >= 0 {
			r.last[span.Close] = offset + i
		}
	}
	for tag := range eachTag(b, s.config.Outer, false) {
		if tag.Closing {
			r.last[tag.Name] = offset + tag.Start
		}
	}
	r.findFences(b, offset)
	return r
}

// findFences goes through the lines from the last to the first, the first excepted since it begins with what is not closed.
func (r *reread) findFences(b string, offset int) {
	var least [2][maxFence + 1]int // the least indentation of a line that closes a fence of that length
	for c := range least {
		for n := range least[c] {
			least[c][n] = maxIndent * 2
		}
	}
	for end := len(b); ; {
		start := strings.LastIndexByte(b[:end], '\n') + 1
		if start == 0 {
			break
		}
		text := b[start:end]
		if f, at, ok := fenceOn(text, true); ok && least[charOf(f.char)][f.length] <= f.indent+3 {
			r.fences = append(r.fences, offset+start+at)
		}
		if f, _, ok := fenceOn(text, false); ok {
			for n := 3; n <= f.length; n++ {
				least[charOf(f.char)][n] = min(least[charOf(f.char)][n], f.indent)
			}
		}
		end = start - 1
	}
	slices.Reverse(r.fences)
}

func charOf(char byte) int {
	if char == '~' {
		return 1
	}
	return 0
}

// neverClosed reports whether no end tag of the name follows the position.
func (r *reread) neverClosed(name string, at int) bool {
	if r == nil {
		return false
	}
	last, ok := r.last[name]
	return !ok || last < at
}

// neverFenced reports whether no line closes the fence that begins at the position.
func (r *reread) neverFenced(at int) bool {
	if r == nil {
		return false
	}
	_, closed := slices.BinarySearch(r.fences, at)
	return !closed
}

// cdataUnclosed reports whether no end of a CDATA section follows the position.
func (r *reread) cdataUnclosed(at int) bool { return r != nil && r.cdata < at }
