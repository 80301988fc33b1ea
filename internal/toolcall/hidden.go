package toolcall

import (
	"iter"
	"strings"
)

// hiding is the element, span or fence at s.at that is being read. It hides calls, unless it is never closed. Its text is emitted at its end.
type hiding struct {
	at      int    // its content was read up to here
	open    int    // the start of its content
	name    string // an element's name, or the word that closes a span
	foreign bool   // it may be a call in another format
	by      Hider  // of an element or span
	fence   fence
	end     int // the end of a fence
	only    Tag // the only call in a fence
}

// readWords reads the span at s.at.
func (s *Scanner) readWords() {
	h := &s.hiding
	if content := s.find(h.name, h.open); !s.starved {
		s.endElement(content, min(content+len(h.name), len(s.raw)), content < len(s.raw))
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
			s.endElement(h.at, h.at, false)
			return
		}
		tag, ok := s.readTag(s.config.Outer, h.at)
		switch {
		case s.starved:
			return
		case !ok || tag.Name != h.name:
		case tag.Closing:
			s.endElement(tag.Start, tag.End, true)
			return
		case h.foreign && tag.Opening() && s.sink.Opens(s.raw[tag.Start:tag.End], false):
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
func (s *Scanner) endElement(content, end int, closed bool) {
	h, again := &s.hiding, s.reread != nil
	s.emitText(s.at)
	s.state = (*Scanner).readText
	switch {
	case h.foreign && (closed || !s.overLimit) && s.sink.Foreign(s.raw[s.at:h.open], s.raw[h.open:content], !closed, again):
		s.consumed = end
		s.skipTo(end)
	case h.foreign && closed:
		s.notForeign(end)
	case closed:
		s.skipHidden(end, h.by)
	default:
		s.reread = s.newReread(s.at)
		s.at++
	}
}

// skipHidden skips hidden text up to an offset and reports each call in it.
func (s *Scanner) skipHidden(to int, by Hider) {
	text := s.raw[s.at:to]
	for range s.hiddenCalls(text) {
		s.sink.Hidden(by)
	}
	for i := range s.config.Spans {
		if span := &s.config.Spans[i]; span.Foreign {
			for range strings.Count(text, span.Open) {
				s.sink.Hidden(by)
			}
		}
	}
	s.skipTo(to)
}

// readFence reads the lines of the fenced code block at s.at. If no line closes it, its start is text.
func (s *Scanner) readFence() {
	for h := &s.hiding; h.at <= len(s.raw); {
		eol := s.find("\n", h.at)
		if s.starved {
			return
		}
		closing, _, _, closes := fenceOn(s.raw[h.at:eol])
		h.at = eol + 1
		if closes && closing.char == h.fence.char && closing.length >= h.fence.length && closing.indent <= h.fence.indent+maxExtraIndent {
			h.end, h.at, h.only = eol, eol, s.onlyCall(h.fence, eol)
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
	for ; h.only.End > 0 && h.at < len(s.raw) && isSpace(s.raw[h.at]); h.at++ {
		s.scanned++
	}
	if h.only.End > 0 && s.lacks(h.at+1) {
		return
	}
	s.state = (*Scanner).readText
	if h.only.End == 0 || h.at < len(s.raw) || s.overLimit {
		s.skipHidden(h.end, ByFence)
		return
	}
	s.emitText(s.at)
	s.at = h.only.Start
	s.consumed = s.at
	s.beginCall(h.only, h.end)
}

// onlyCall returns the opening tag of the only call in the fence, or no tag. The fence must be unindented.
func (s *Scanner) onlyCall(f fence, end int) Tag {
	from := s.at + strings.IndexByte(s.raw[s.at:end], '\n') + 1
	inner := s.raw[from:max(from, strings.LastIndexByte(s.raw[:end], '\n'))]
	for found, closed := range s.hiddenCalls(inner) {
		if found.Name != s.config.Call {
			continue
		}
		if f.indent == 0 && strings.TrimSpace(inner[:found.Start]) == "" && strings.TrimSpace(inner[closed:]) == "" {
			found.Start, found.End = found.Start+from, found.End+from
			return found
		}
		break
	}
	return Tag{}
}

// hiddenCalls returns an iterator over the calls in hidden text: opening tag and end. A call needs another tag right after its opening
// tag, a parameter and a closing tag, because prose that mentions tags has words between them. A foreign call needs only its opening tag.
func (s *Scanner) hiddenCalls(text string) iter.Seq2[Tag, int] {
	return func(yield func(Tag, int) bool) {
		var open Tag // End is 0 outside calls
		hasParam := false
		for tag := range EachTag(text, s.config.Hidden) {
			call, stop := tag.Name == s.config.Call, false
			switch {
			case s.config.Foreign.has(tag.Name):
				stop = tag.Opening() && s.sink.Opens(text[tag.Start:], true) && !yield(tag, tag.End)
			case open.End == 0 && call && tag.Opening() && !tag.Loose && strings.HasPrefix(strings.TrimLeft(text[tag.End:], blanks), "<"):
				open, hasParam = tag, false
			case open.End > 0 && s.config.param(&tag):
				hasParam = true
			case open.End > 0 && call && tag.Closing:
				stop = hasParam && !yield(open, tag.End)
				open = Tag{}
			}
			if stop {
				return
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
