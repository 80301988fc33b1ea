package toolcall

import (
	"iter"
	"strings"
	"unicode"
)

// readElement reads the element or span at s.at. Its content begins at open. For a span, name is the closing word. The element hides
// calls, or is foreign: possibly a call in another format. Its text is emitted only at its end, because an element that is never closed
// hides nothing. A foreign element that is not a call is read again as text. No other of that name opens inside it, so each byte is read
// at most twice.
func (s *Scanner) readElement(name string, open int, span, foreign bool) {
	content, end, again := open, 0, 0
	if !span {
		content, end, again = s.findElementEnd(name, open, foreign)
	} else if s.findWord(name, &content) {
		end = content + len(name)
	}
	tag := s.raw[s.at:open]
	switch s.emitText(s.at); {
	case foreign && again > 0:
		s.foreignFrom[name] = s.base + again
	case foreign && end > 0:
		if s.sink.Foreign(tag, s.raw[open:content], false, s.reread != nil) {
			s.consumed = end
			s.skipTo(end)
			return
		}
		s.foreignFrom[name] = s.base + end
	case foreign && !s.overLimit && s.sink.Foreign(tag, s.raw[open:], true, s.reread != nil):
		s.at = len(s.raw)
		s.consumed = s.at
		return
	case end > 0 && (span || s.config.Thinking.has(name)):
		s.skipHidden(end, ByThinking)
		return
	case end > 0:
		s.skipHidden(end, ByElement)
		return
	default:
		s.reread = s.newReread(s.at)
	}
	s.at++
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

// findElementEnd returns the ends of an element's content and of the element; end is 0 if it is never closed. In a foreign element it
// stops at the next opening tag of that name and returns its offset as again.
func (s *Scanner) findElementEnd(name string, open int, foreign bool) (content, end, again int) {
	for at := open; ; {
		if at = s.find(at, "<"); at == len(s.raw) {
			return open, 0, 0
		}
		tag, ok := s.readTag(s.config.Outer, at, false, false)
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

// readFence reads the fenced code block at s.at. It returns false if no later line closes the fence.
func (s *Scanner) readFence(f fence) bool {
	if s.reread.neverFenced(s.base + s.at) {
		return false
	}
	end := 0
	for eol := s.find(s.at, "\n"); end == 0 && eol < len(s.raw); {
		begin := eol + 1
		eol = s.find(begin, "\n")
		closing, _, _, closes := fenceOn(s.raw[begin:eol])
		if closes && closing.char == f.char && closing.length >= f.length && closing.indent <= f.indent+maxExtraIndent {
			end = eol
		}
	}
	if end == 0 {
		s.reread = s.newReread(s.at)
		return false
	}
	if open, ok := s.onlyCall(f, end); ok {
		s.emitText(s.at)
		open.End += s.at
		s.at += open.Start
		s.consumed = s.at
		s.Fenced = true
		s.readCall(open)
		s.Fenced = false
		s.consumed = end
		s.skipTo(end)
		return true
	}
	s.skipHidden(end, ByFence)
	return true
}

// onlyCall returns the opening tag of the only call in a fence, with offsets from the fence. The fence must be unindented and end a
// message that is within its limit.
func (s *Scanner) onlyCall(f fence, end int) (open Tag, ok bool) {
	block := s.raw[s.at:end]
	from := strings.IndexByte(block, '\n') + 1
	to := strings.LastIndexByte(block, '\n')
	if f.indent > 0 || to < from {
		return open, false
	}
	inner := strings.TrimLeftFunc(block[from:to], unicode.IsSpace)
	for found, closed := range s.hiddenCalls(inner) {
		if found.Name == s.config.Call {
			open, ok = found, found.Start == 0 && strings.TrimSpace(inner[closed:]) == ""
			break
		}
	}
	for ; ok && s.more(end); end++ {
		ok = isSpace(s.raw[end])
		s.scanned++
	}
	open.Start += to - len(inner)
	open.End += to - len(inner)
	return open, ok && !s.overLimit
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
	fences []int          // offsets of the fences that a later line closes, last first
}

// newReread indexes the message from an offset to its end.
func (s *Scanner) newReread(from int) *reread {
	r := &reread{text: s.raw[from:], offset: s.base + from, last: map[string]int{}}
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
			r.fences = append(r.fences, r.offset+start+at)
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

// neverFenced reports whether no line closes the fence at an offset. Calls must have ascending offsets.
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
