package toolcall

import "strings"

const (
	maxHead    = 128 // the most text of a span before its JSON
	maxKey     = 24  // the most text that the first name in JSON is judged by
	maxMention = 224 // the most text that a mention is judged by
)

// alone reports whether only white space and thoughts precede s.at in the message.
func (s *Scanner) alone() bool {
	if s.aloneTo >= 0 && strings.TrimLeft(s.raw[s.aloneTo:max(s.aloneTo, s.at)], blanks) == "" {
		s.aloneTo = max(s.aloneTo, s.at)
		return true
	}
	s.aloneTo = -1
	return false
}

// midSentence reports whether the text before s.at on its line ends inside a sentence, with white space. There, prose only mentions a
// call.
func (s *Scanner) midSentence() bool {
	before := s.raw[min(s.lineBegin, s.at):s.at]
	text := strings.TrimRight(before, blanks)
	return text != "" && len(text) < len(before) && !strings.HasSuffix(text, "。") && strings.IndexByte(".!?>]})", text[len(text)-1]) < 0
}

// readHead begins the span at s.at, which JSON ends, and reports whether there is one. It reports a call that the text only mentions as
// hidden.
func (s *Scanner) readHead(span *Span) bool {
	whole := len(span.Open) == 1
	runs := !whole || s.alone()
	if !runs && span.Open == "[" {
		return false
	}
	text := s.raw[s.at:min(s.at+maxHead, len(s.raw))]
	brace := strings.IndexByte(text, '{')
	if brace < 0 {
		if len(text) < maxHead && (!whole || strings.TrimLeft(text[1:], blanks) == "") {
			s.lacks(len(s.raw) + 1)
		}
		return false
	}
	name := skipSpace(s.raw, s.at+brace+1)
	switch {
	case whole && strings.TrimLeft(text[:brace], blanks+"[") != "",
		s.lacks(name + 1),
		name == len(s.raw) || s.raw[name] != '"' && s.raw[name] != '}',
		s.lacks(name + maxKey),
		!s.config.Opens(s.raw[s.at:min(name+maxKey, len(s.raw))]),
		s.base+s.at < s.foreignFrom[span.Open]:
		return false
	case s.backtickRuns%2 == 1 && s.inCode(s.at+1, false), s.starved:
		return s.mention(ByCode, s.at+maxMention)
	case !runs || !whole && s.midSentence():
		return s.mention(ByText, s.at+maxMention)
	}
	s.hiding = hiding{name: span.Open, at: s.at + brace}
	s.state = (*Scanner).readArguments
	return true
}

// mention reports the foreign call at s.at as hidden, if the text up to an offset looks like one and was not reported yet. It returns
// false.
func (s *Scanner) mention(by Hider, to int) bool {
	if s.base+s.at < s.shownTo || s.lacks(to) {
		return false
	}
	if to = min(to, s.at+maxMention, len(s.raw)); s.config.Shown(s.raw[s.at:to]) > 0 {
		s.shownTo = s.base + to
		s.sink.Hidden(by)
	}
	return false
}

// readArguments reads the JSON of the span at s.at, and what follows it. The span is a call only if nothing follows but other spans.
func (s *Scanner) readArguments() {
	h := &s.hiding
	s.scanned -= h.at
	for ; h.end == 0 && h.at < len(s.raw); h.at++ {
		switch c := s.raw[h.at]; {
		case c == '\\' && h.quoted:
			h.at++
		case c == '"':
			h.quoted = !h.quoted
		case h.quoted:
		case c == '{' || c == '[':
			h.depth++
		case c == '}' || c == ']':
			if h.depth--; h.depth == 0 {
				h.end = h.at + 1
			}
		}
	}
	for n := 1; n > 0 && h.end > 0 && h.at < len(s.raw); h.at += n {
		n = len(s.raw[h.at:]) - len(strings.TrimLeft(s.raw[h.at:], blanks+"]}`,;")) // what may follow by mistake
		for _, word := range s.config.Ends {
			if n == 0 && s.hasPrefix(h.at, word) {
				n = len(word)
			}
		}
	}
	s.scanned += h.at
	if s.starved || s.lacks(h.at+1) {
		return
	}
	at := min(h.at, len(s.raw))
	ends := at == len(s.raw)
	if !ends {
		span, _ := s.readSpan(at)
		switch {
		case s.starved:
			return
		case span != nil && span.Open == "{": // the next object of a list
			h.end = 0
			return
		}
		ends = span != nil && span.Close == "" && span.Open != "["
	}
	if !ends || s.overLimit || !s.takeForeign(s.raw[s.at:at], at, h.end == 0) {
		s.mention(ByText, at)
		s.notForeign(at)
	}
}
