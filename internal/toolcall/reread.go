package toolcall

import (
	"bytes"
	"slices"
)

// reread is what is known when a part that nothing closed is read again at the end of the message: which of the fences,
// elements and CDATA sections in it are closed. Knowing that, no part is read more than twice. A nil reread knows nothing.
type reread struct {
	last   map[string]int // where the last end tag of each name begins
	fences []int          // where the fences that a later line closes begin
	cdata  int            // where the last end of a CDATA section is
}

// newReread looks through b, which begins at the offset in the message and reaches to its end.
func (s *Scanner) newReread(b []byte, offset int) *reread {
	r := &reread{last: map[string]int{}, cdata: offset + bytes.LastIndex(b, []byte(cdataEnd))}
	for _, span := range s.config.Spans {
		if i := bytes.LastIndex(b, []byte(span.Close)); i >= 0 {
			r.last[span.Close] = offset + i
		}
	}
	m := matcher{names: s.config.Outer}
	for i := 0; ; {
		j := bytes.IndexByte(b[i:], '<')
		if j < 0 {
			break
		}
		i += j
		var tag Tag
		n, v := match(&m, b[i:], &tag)
		if v == more {
			break // it holds no other <
		}
		if v == done && tag.Closing {
			r.last[tag.Name] = offset + i
		}
		i += n
	}
	r.findFences(b, offset)
	return r
}

// findFences goes through the lines from the last to the first, the first excepted since it begins with what is not closed.
func (r *reread) findFences(b []byte, offset int) {
	var least [2][maxFence + 1]int // the least indentation of a line that closes a fence of that length
	for c := range least {
		for n := range least[c] {
			least[c][n] = maxIndent * 2
		}
	}
	for end := len(b); ; {
		start := bytes.LastIndexByte(b[:end], '\n') + 1
		if start == 0 {
			break
		}
		text := b[start:end]
		if at, f, ok := fenceAt(text); ok && least[kind(f.char)][f.length] <= f.indent+3 {
			r.fences = append(r.fences, offset+start+at)
		}
		if f, ok := closingFence(text); ok {
			for n := 3; n <= f.length; n++ {
				least[kind(f.char)][n] = min(least[kind(f.char)][n], f.indent)
			}
		}
		end = start - 1
	}
	slices.Reverse(r.fences)
}

func kind(char byte) int {
	if char == '~' {
		return 1
	}
	return 0
}

// fenceAt returns where in a line a fence begins that might open a code block.
func fenceAt(text []byte) (at int, f fence, ok bool) {
	l := line{open: true}
	for at < len(text) && l.prefixed(text[at]) {
		at++
	}
	if at == len(text) || l.marker != noMarker || text[at] != '`' && text[at] != '~' {
		return 0, fence{}, false
	}
	n := at
	for n < len(text) && text[n] == text[at] {
		n++
	}
	return at, fence{text[at], min(n-at, maxFence), min(l.indent, maxIndent)}, n-at >= 3
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
