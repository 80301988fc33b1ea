package toolcall

import (
	"iter"
	"strings"
	"unicode"
)

// hidden reads an element or span, which begins with what comes next: a tag of the name, or the word before the one that ends the span.
// It hides calls, or it may be a call in another spelling. Nothing of it is passed on before its end, since without one it hides
// nothing. What may be a call and is none is read as text, in which nothing like it opens a second time, so that each byte is read twice
// at most.
func (s *Scanner) hidden(name string, open int, span, foreign bool) {
	content, end, again := open, 0, 0
	if !span {
		content, end, again = s.elementEnds(name, open, foreign)
	} else if s.ends(name, &content) {
		end = content + len(name)
	}
	tag := s.raw[s.at:open]
	switch s.pass(s.at); {
	case foreign && again > 0:
		s.native[name] = s.base + again
	case foreign && end > 0:
		if s.sink.Foreign(tag, s.raw[open:content], false, s.reread != nil) {
			s.passed = end
			s.leave(end)
			return
		}
		s.native[name] = s.base + end
	case foreign && !s.over && s.sink.Foreign(tag, s.raw[open:], true, s.reread != nil):
		s.at = len(s.raw)
		s.passed = s.at
		return
	case end > 0 && (span || s.config.Thinking.has(name)):
		s.hide(end, ByThinking)
		return
	case end > 0:
		s.hide(end, ByElement)
		return
	default:
		s.reread = s.newReread(s.at)
	}
	s.at++
}

// hide reads what hides calls, up to a place, and counts these.
func (s *Scanner) hide(to int, by Hider) {
	text := s.raw[s.at:to]
	for range s.calls(text) {
		s.sink.Hidden(by)
	}
	for i := range s.config.Spans {
		if span := &s.config.Spans[i]; span.Foreign {
			for range strings.Count(text, span.Open) {
				s.sink.Hidden(by)
			}
		}
	}
	s.leave(to)
}

// elementEnds returns where the content of an element ends, and where the element does, which is 0 if it has no end. In one that may be a
// call, it looks no further than to the next such tag.
func (s *Scanner) elementEnds(name string, open int, foreign bool) (content, end, again int) {
	for at := open; ; {
		if at = s.find(at, "<"); at == len(s.raw) {
			return open, 0, 0
		}
		tag, ok := s.tag(s.config.Outer, at, false, false)
		switch {
		case !ok || tag.Name != name:
		case tag.Closing:
			return at, tag.End, 0
		case foreign && tag.Opening() && s.sink.Opens(s.raw[at:tag.End], false):
			return open, 0, at
		}
		at = tag.End
	}
}

// fenced reads a fenced code block, which begins with what comes next, and reports whether it is one: a line closes it.
func (s *Scanner) fenced(f fence) bool {
	if s.reread.neverFenced(s.base + s.at) {
		return false
	}
	end := 0
	for eol := s.find(s.at, "\n"); end == 0 && eol < len(s.raw); {
		begin := eol + 1
		eol = s.find(begin, "\n")
		closing, _, _, closes := fenceOn(s.raw[begin:eol])
		if closes && closing.char == f.char && closing.length >= f.length && closing.indent <= f.indent+maxDeeper {
			end = eol
		}
	}
	if end == 0 {
		s.reread = s.newReread(s.at)
		return false
	}
	if open, ok := s.onlyCall(f, end); ok {
		s.pass(s.at)
		open.End += s.at
		s.at += open.Start
		s.passed = s.at
		s.Fenced = true
		s.begin(open)
		s.Fenced = false
		s.passed = end
		s.leave(end)
		return true
	}
	s.hide(end, ByFence)
	return true
}

// onlyCall returns the opening tag of the only call in a fence that is not indented and ends the message, within its limit.
func (s *Scanner) onlyCall(f fence, end int) (open Tag, ok bool) {
	block := s.raw[s.at:end]
	from := strings.IndexByte(block, '\n') + 1
	to := strings.LastIndexByte(block, '\n')
	if f.indent > 0 || to < from {
		return open, false
	}
	inner := strings.TrimLeftFunc(block[from:to], unicode.IsSpace)
	for found, closed := range s.calls(inner) {
		if found.Name == s.config.Call {
			open, ok = found, found.Start == 0 && strings.TrimSpace(inner[closed:]) == ""
			break
		}
	}
	for ; ok && s.more(end); end++ {
		ok = isSpace(s.raw[end])
		s.looked++
	}
	open.Start += to - len(inner)
	open.End += to - len(inner)
	return open, ok && !s.over
}

// calls finds the calls in text that hides them, each with its opening tag and its end: whole ones, with a tag behind the opening tag, a
// parameter and a closing tag, since what is only talk of tags has words between them; and the opening tags of foreign ones.
func (s *Scanner) calls(text string) iter.Seq2[Tag, int] {
	return func(yield func(Tag, int) bool) {
		var open Tag // its End is 0 where none is
		certain := false
		for tag := range EachTag(text, s.config.Hidden) {
			call, stop := tag.Name == s.config.Call, false
			switch {
			case s.config.Foreign.has(tag.Name):
				stop = tag.Opening() && s.sink.Opens(text[tag.Start:], true) && !yield(tag, tag.End)
			case open.End == 0 && call && tag.Opening() && !tag.Loose && strings.HasPrefix(strings.TrimLeft(text[tag.End:], blanks), "<"):
				open, certain = tag, false
			case open.End > 0 && s.config.param(&tag):
				certain = true
			case open.End > 0 && call && tag.Closing:
				stop = certain && !yield(open, tag.End)
				open = Tag{}
			}
			if stop {
				return
			}
		}
	}
}

// reread is what is known when a part that nothing closed is read again at the end of the message: which of the fences,
// elements and CDATA sections in it are closed. Knowing that, no part is read more than twice. A nil reread knows nothing.
type reread struct {
	text   string
	offset int            // of the text in the message
	last   map[string]int // where the last end tag of each name begins, and the last one of each word that was asked for
	fences []int          // where the fences that a later line closes begin, the last one first
}

// newReread looks through the message from a place to its end.
func (s *Scanner) newReread(from int) *reread {
	r := &reread{text: s.raw[from:], offset: s.base + from, last: map[string]int{}}
	s.looked += len(r.text)
	for tag := range eachTag(r.text, s.config.Outer, true) {
		if tag.Closing {
			r.last[tag.Name] = r.offset + tag.Start
		}
	}
	r.findFences()
	return r
}

// findFences goes through the lines from the last to the first, the first excepted since it begins with what is not closed.
func (r *reread) findFences() {
	var closing [2][maxFence + 1]int // the least indentation of a line that closes such a fence, plus 1, by its character and length
	for end := len(r.text); ; {
		start := strings.LastIndexByte(r.text[:end], '\n') + 1
		if start == 0 {
			break
		}
		f, at, opens, closes := fenceOn(r.text[start:end])
		least := &closing[f.char/2%2]
		if opens && least[f.length] > 0 && least[f.length] <= f.indent+1+maxDeeper {
			r.fences = append(r.fences, r.offset+start+at)
		}
		for n := f.length; closes && n >= 3 && (least[n] == 0 || least[n] > f.indent+1); n-- {
			least[n] = f.indent + 1
		}
		end = start - 1
	}
}

// neverClosed reports whether no end tag of the name follows the position.
func (r *reread) neverClosed(name string, at int) bool {
	return r != nil && r.last[name] < at
}

// neverEnds reports whether the word does not follow the position.
func (r *reread) neverEnds(word string, at int) bool {
	if r == nil {
		return false
	}
	if _, known := r.last[word]; !known {
		r.last[word] = r.offset + strings.LastIndex(r.text, word)
	}
	return r.last[word] < at
}

// neverFenced reports whether no line closes the fence that begins at the position. Positions are asked for in their order.
func (r *reread) neverFenced(at int) bool {
	if r == nil {
		return false
	}
	n := len(r.fences)
	for n > 0 && r.fences[n-1] < at {
		n--
	}
	r.fences = r.fences[:n]
	return n == 0 || r.fences[n-1] > at
}
