package toolcall

import (
	"iter"
	"strings"
)

// hiding is the element, span or fence at s.at that is being read. It hides calls, unless it is never closed. Its text is emitted at its end.
type hiding struct {
	at      int    // its content was read up to here
	open    int    // the start of its content
	to      int    // the end of a fence's content
	name    string // an element's name, or the word that closes a span
	foreign bool   // it may be, or hold, a call in another format
	by      Hider  // of an element or span
	fence   fence
	end     int  // the end of a fence, or of JSON
	only    Tag  // the only call in a fence
	depth   int  // the number of open brackets in JSON
	quoted  bool // inside a string of JSON
}

// readWords reads the span at s.at.
func (s *Scanner) readWords() {
	h := &s.hiding
	if content := s.find(h.name, h.open); !s.starved {
		s.endElement(min(content+len(h.name), len(s.raw)), content < len(s.raw))
	}
}

// readElement reads the element at s.at.
func (s *Scanner) readElement() {
	for h := &s.hiding; ; {
		i := s.config.Outer.index(s.raw[h.at:])
		s.scanned += i
		if h.at += i; s.lacks(h.at + 2) {
			return
		}
		if h.at == len(s.raw) {
			s.endElement(h.at, false)
			return
		}
		tag, ok := s.readTag(s.config.Outer, h.at)
		switch {
		case s.starved:
			return
		case !ok || tag.Name != h.name:
		case tag.Closing:
			s.endElement(tag.End, true)
			return
		case h.foreign && tag.Opening() && s.config.Opens(s.raw[tag.Start:tag.End]):
			s.notForeign(tag.Start)
			return
		}
		h.at = tag.End
	}
}

// notForeign reads a foreign element again as text, since it is not a call. No other of its name opens in it before the offset,
// so each byte is read at most twice.
func (s *Scanner) notForeign(to int) {
	s.foreignFrom[s.hiding.name] = s.base + to
	s.state = (*Scanner).readText
	s.at++
}

// endElement ends the hiding element or span.
func (s *Scanner) endElement(end int, closed bool) {
	h := &s.hiding
	switch {
	case h.foreign && (closed || !s.overLimit) && s.takeForeign(s.raw[s.at:end], end, !closed):
	case h.foreign && closed:
		s.notForeign(end)
	case closed:
		s.skipHidden(end, h.by)
	default:
		s.reread = s.newReread(s.at)
		s.state = (*Scanner).readText
		s.at++
	}
}

// takeForeign passes a text to the sink that may have a foreign call, and reports whether it has. If so, reading continues at end.
func (s *Scanner) takeForeign(text string, end int, cut bool) bool {
	s.emitText(s.at)
	s.Unclosed, s.Fenced = s.reread != nil, s.hiding.fence.length > 0
	taken := s.sink.Foreign(text, cut)
	if taken {
		s.consumed = end
		s.skipTo(end)
		s.state = (*Scanner).readText
	}
	return taken
}

// skipHidden skips hidden text up to an offset and reports each call in it.
func (s *Scanner) skipHidden(to int, by Hider) {
	text, alone := s.raw[s.at:to], by == ByThinking && s.alone()
	for range s.hiddenCalls(text) {
		s.sink.Hidden(by)
	}
	for range s.config.Shown(text) {
		s.sink.Hidden(by)
	}
	s.state = (*Scanner).readText
	if s.skipTo(to); alone {
		s.aloneTo = to
	}
}

// readFence reads the lines of the fenced code block at s.at. If no line closes it, its start is text.
func (s *Scanner) readFence() {
	for h := &s.hiding; h.at <= len(s.raw); {
		eol := s.find("\n", h.at)
		if s.starved {
			return
		}
		line := h.at
		closing, _, _, closes := fenceOn(s.raw[line:eol])
		h.at = eol + 1
		if closes && closing.char == h.fence.char && closing.length >= h.fence.length && closing.indent <= h.fence.indent+maxExtraIndent {
			h.end, h.at, h.to = eol, eol, max(h.open, line-1)
			inner := s.raw[h.open:h.to]
			h.only, h.foreign = s.onlyCall(inner), h.fence.indent == 0 && s.alone() && s.config.Opens(strings.TrimLeft(inner, blanks))
			s.state = (*Scanner).readAfterFence
			return
		}
	}
	s.reread = s.newReread(s.at)
	s.state = (*Scanner).readText
}

// readAfterFence reads the white space after a fence that has only a call in it. The call counts if the message ends there.
func (s *Scanner) readAfterFence() {
	h := &s.hiding
	waits := h.only.End > 0 || h.foreign
	for ; waits && h.at < len(s.raw) && isSpace(s.raw[h.at]); h.at++ {
		s.scanned++
	}
	if waits && s.lacks(h.at+1) {
		return
	}
	switch {
	case !waits || h.at < len(s.raw) || s.overLimit, h.only.End == 0 && !s.takeForeign(s.raw[h.open:h.to], h.end, false):
		s.skipHidden(h.end, ByFence)
	case h.only.End > 0:
		s.emitText(s.at)
		s.at = h.only.Start
		s.consumed = s.at
		s.beginCall(h.only, h.end)
	}
}

// onlyCall returns the opening tag of the only call in the fence, or no tag. The fence must be unindented.
func (s *Scanner) onlyCall(inner string) Tag {
	from := s.hiding.open
	for found, closed := range s.hiddenCalls(inner) {
		if s.hiding.fence.indent == 0 && strings.TrimSpace(inner[:found.Start]) == "" && strings.TrimSpace(inner[closed:]) == "" {
			found.Start, found.End = found.Start+from, found.End+from
			return found
		}
		break
	}
	return Tag{}
}

// hiddenCalls returns an iterator over the calls in hidden text: opening tag and end. A call needs another tag right after its opening
// tag, a parameter and a closing tag, because prose that mentions tags has words between them.
func (s *Scanner) hiddenCalls(text string) iter.Seq2[Tag, int] {
	return func(yield func(Tag, int) bool) {
		var open Tag // End is 0 outside calls
		hasParam := false
		for tag := range EachTag(text, s.config.Known) {
			switch call := tag.Name == s.config.Call; {
			case open.End == 0 && call && tag.Opening() && !tag.Loose && strings.HasPrefix(strings.TrimLeft(text[tag.End:], blanks), "<"):
				open, hasParam = tag, false
			case open.End > 0 && s.config.param(&tag):
				hasParam = true
			case open.End > 0 && call && tag.Closing:
				if hasParam && !yield(open, tag.End) {
					return
				}
				open = Tag{}
			}
		}
	}
}

// reread indexes the closing tags, fences and words in a part of the message that is read again as text, because its opening tag, fence
// or CDATA section is never closed. With the index, the scanner opens only what is closed, so it reads no part more than twice. A nil
// reread has no index.
type reread struct {
	text   string
	offset int            // of text in the message
	last   map[string]int // offset of the last end tag of each name, and of the last occurrence of each word looked up
	fences map[int]bool   // offsets of the fences that a later line closes
}

// newReread indexes the message from an offset to its end.
func (s *Scanner) newReread(from int) *reread {
	r := &reread{text: s.raw[from:], offset: s.base + from, last: map[string]int{}, fences: map[int]bool{}}
	s.scanned += len(r.text)
	for tag := range eachTag(r.text, s.config.Outer, true) {
		if tag.Closing {
			r.last[tag.Name] = r.offset + tag.Start
		}
	}
	r.findFences()
	return r
}

// findFences finds the closed fences, from the last line to the second. The first line begins with the unclosed opening.
func (r *reread) findFences() {
	var closing [2][maxFence + 1]int // by character and length of a fence: 1 + the least indentation of a later line that closes it
	for end := len(r.text); ; {
		start := strings.LastIndexByte(r.text[:end], '\n') + 1
		if start == 0 {
			break
		}
		f, at, opens, closes := fenceOn(r.text[start:end])
		least := &closing[f.char/2%2]
		if opens && least[f.length] > 0 && least[f.length] <= f.indent+1+maxExtraIndent {
			r.fences[r.offset+start+at] = true
		}
		for n := f.length; closes && n >= 3 && (least[n] == 0 || least[n] > f.indent+1); n-- {
			least[n] = f.indent + 1
		}
		end = start - 1
	}
}

// neverClosed reports whether no end tag of the name follows an offset.
func (r *reread) neverClosed(name string, at int) bool {
	return r != nil && r.last[name] < at
}

// neverEnds reports whether the word does not occur after an offset.
func (r *reread) neverEnds(word string, at int) bool {
	if r == nil {
		return false
	}
	if _, known := r.last[word]; !known {
		r.last[word] = r.offset + strings.LastIndex(r.text, word)
	}
	return r.last[word] < at
}

// neverFenced reports whether no line closes the fence at an offset.
func (r *reread) neverFenced(at int) bool { return r != nil && !r.fences[at] }
