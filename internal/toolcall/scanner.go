// Package toolcall has incremental parsers for an assistant's output. A Scanner finds tool calls in text and the tags in a call. JSON
// reads arguments. Decoder and Checker process the content of elements. A Feed suspends a parser until the next piece of input arrives.
// The package knows no tool's parameters. It is pure: the results do not depend on how the input is cut, and the time is linear.
package toolcall

import (
	"strings"
	"unicode/utf8"
)

// End is how a call ended.
type End uint8

// The ends of a call.
const (
	// Closed: by its closing tag, or it is a self-closing tag.
	Closed End = iota
	// Cut: the message ended inside the call.
	Cut
	// Mention: the message ended before the call opened a parameter, so the tag is text.
	Mention
	// Overflow: the message was cut at its limit, inside the call.
	Overflow
)

// Hider is the kind of text, as sent on the wire, that hides a call, so that it is not run.
type Hider string

// The hiders.
const (
	ByFence    Hider = "fence"    // a fenced code block
	ByCode     Hider = "code"     // inline code
	ByThinking Hider = "thinking" // an element or span of the assistant's thinking
	ByElement  Hider = "element"  // another element
)

// Sink receives the text and calls that a Scanner finds.
type Sink interface {
	// Text receives text outside calls.
	Text(text string)
	// Hidden is called for each complete call in hidden text. Text gets that text before or afterwards.
	Hidden(by Hider)
	// Call reads a call by Scanner.Next. Offsets of tags count from the < of the opening tag.
	Call(opening Tag)
	// Grew is called during Call, before Next blocks. No incomplete tag begins before the offset.
	Grew(to int)
	// Opens reports whether a foreign opening tag at the start of text may begin a call of one of our tools. If whole, text has the
	// complete element, which must name the tool.
	Opens(text string, whole bool) bool
	// Foreign receives a foreign element's opening tag and content, and reports whether it is a call. cut means that the message ended
	// inside it. unclosed means that it follows a hiding element that is never closed.
	Foreign(tag, content string, cut, unclosed bool) bool
}

// Config configures a Scanner.
type Config struct {
	// Call is the element name of a call.
	Call string
	// Known are the names of the tags that Next returns: Call, and the names that open a parameter directly in a call.
	Known *Names
	// Outer are the names of the tags that matter outside calls: Call, and elements that hide calls or are foreign.
	Outer *Names
	// Thinking are the names of elements with the assistant's thinking.
	Thinking *Names
	// Foreign are the names of elements that may be a call in another format.
	Foreign *Names
	// Hidden are the Known and Foreign names.
	Hidden *Names
	// Spans are delimited like elements, but by words instead of tags.
	Spans []Span
}

// Span is text between two words that hides calls.
type Span struct {
	Open, Close string
	// Foreign means that the span may be a call in another format. Other spans are the assistant's thinking.
	Foreign bool
}

// Scanner splits an assistant's message into text and calls.
type Scanner struct {
	// The current or last call:

	End      End
	Fenced   bool // it is alone in a fence
	Unclosed bool // it follows, or contains, the start of an element, fence or CDATA section that is never closed

	config        Config
	sink          Sink
	feed          *Feed
	overLimit     bool // the message exceeds its limit
	betweenTokens bool // the parser is blocked, with no incomplete token

	raw      string // the message, without the part dropped from its start
	base     int    // length of the dropped part, and the offset of raw in the message
	at       int    // offset in raw up to which text outside calls was read
	consumed int    // offset in raw up to which text was emitted or calls were read
	scanned  int    // bytes read, for tests of the cost

	lineStart    bool // at is the start of a line
	backtickRuns int  // backtick runs so far on the line, outside calls and hidden elements
	codedCall    bool // a call in inline code has opened a parameter and is not closed yet
	marks        [markKinds]mark
	foreignFrom  map[string]int // by name: before this offset in the message no foreign element opens
	reread       *reread
	current      callState
	tags         tagReader
}

// param reports whether a tag directly in a call opens a parameter.
func (c *Config) param(t *Tag) bool { return !t.Closing && t.Name != c.Call && c.Known.has(t.Name) }

// Init resets s to scan a new message. The feed receives the message, and the sink its text and calls.
func (s *Scanner) Init(config Config, sink Sink, feed *Feed) {
	*s = Scanner{config: config, sink: sink, feed: feed, lineStart: true, foreignFrom: map[string]int{}}
	s.tags.scanner = s
}

// Overflow reports that the message was cut at its limit. It must be called before the feed ends.
func (s *Scanner) Overflow() { s.overLimit = true }

// Passed returns how many bytes of the feed's text are final: they are never read again.
func (s *Scanner) Passed() int { return s.consumed }

// Append reads the next bytes of the message. A piece in which nothing can begin or end bypasses the parser, at a tenth of the cost.
func (s *Scanner) Append(piece []byte) {
	f, c := s.feed, &s.current
	f.Write(piece)
	text := f.text.String()
	fresh := text[f.seen:]
	if !s.betweenTokens || c.open && s.config.Known.index(fresh) < len(fresh) || !c.open && indexAny(fresh, &textStops) < len(fresh) {
		f.read()
		return
	}
	s.raw, f.seen = text, len(text)
	if c.open {
		c.at = f.seen
		s.sink.Grew(c.at - c.start)
	} else {
		s.at = f.seen
		s.emitText(s.at)
	}
}

// Bytes that can begin or end a token: textStops outside calls, and valueStops in a quoted value.
var textStops, valueStops = stops("<[`\n"), stops("'\"<>\n")

func stops(chars string) (set [256]bool) {
	for i := range len(chars) {
		set[chars[i]] = true
	}
	return set
}

// indexAny returns the index of the first byte of s that is in the set, or len(s).
func indexAny(s string, set *[256]bool) int {
	for i := range len(s) {
		if set[s[i]] {
			return i
		}
	}
	return len(s)
}

// fillBetweenTokens is fill for a parser without an incomplete token, so that Append may bypass it.
func (s *Scanner) fillBetweenTokens() (more bool) {
	s.betweenTokens = !s.lineStart || s.current.open
	more = s.fill()
	s.betweenTokens = false
	return more
}

// Read reads the message to its end.
func (s *Scanner) Read() {
	for s.at < len(s.raw) || s.fillBetweenTokens() {
		if s.lineStart && s.readLineStart() || s.at == len(s.raw) {
			continue
		}
		if n := indexAny(s.raw[s.at:], &textStops); n > 0 {
			s.at += n
			s.scanned += n
			continue
		}
		switch s.scanned++; s.raw[s.at] {
		case '\n':
			s.at++
			s.lineStart, s.backtickRuns = true, 0
			if s.at > 64<<10 { // drop consumed text in large steps
				s.emitText(s.at)
				s.raw = s.feed.Drop(s.at)
				s.base += s.at
				s.at, s.consumed = 0, 0
			}
		case '`':
			for s.backtickRuns++; s.more(s.at) && s.raw[s.at] == '`'; s.at++ {
			}
		default:
			s.readOpening()
		}
	}
	s.emitText(s.at)
}

// fill passes finished text to the sink, blocks until more of the message arrives, and returns false at its end.
func (s *Scanner) fill() (more bool) {
	if s.current.open {
		s.sink.Grew(s.current.at - s.current.start)
	} else {
		s.emitText(s.at)
	}
	s.raw, more = s.feed.More()
	return more
}

// more reports whether the message has a byte at an offset.
func (s *Scanner) more(at int) bool {
	for at >= len(s.raw) && s.fill() {
	}
	return at < len(s.raw)
}

// find returns the offset of the first of the characters from an offset on, or the end of the message.
func (s *Scanner) find(from int, chars string) int {
	for {
		i := strings.IndexAny(s.raw[from:], chars)
		if i >= 0 {
			s.scanned += i + 1
			return from + i
		}
		s.scanned += len(s.raw) - from
		if from = len(s.raw); !s.fill() {
			return from
		}
	}
}

// hasPrefix reports whether the message has the word at an offset.
func (s *Scanner) hasPrefix(at int, word string) bool {
	for len(s.raw)-at < len(word) && strings.HasPrefix(word, s.raw[at:]) && s.fill() {
	}
	return strings.HasPrefix(s.raw[at:], word)
}

// findWord advances at to the next occurrence of the word, and reports whether there is one.
func (s *Scanner) findWord(word string, at *int) bool {
	for {
		if i := strings.Index(s.raw[*at:], word); i >= 0 {
			s.scanned += i
			*at += i
			return true
		}
		s.scanned += len(s.raw) - *at
		*at = max(*at, len(s.raw)-len(word)+1)
		for *at < len(s.raw) && !utf8.RuneStart(s.raw[*at]) { // Grew must not split a character
			*at--
		}
		if !s.fill() {
			return false
		}
	}
}

// readTag reads the tag at an offset. If there is none, there is no other < before t.End.
func (s *Scanner) readTag(names *Names, at int, strict, line bool) (t Tag, ok bool) {
	r := &s.tags
	r.strict, r.oneLine = strict, line
	t, ok = r.read(names, s.raw, at)
	s.scanned += t.End - at
	return t, ok
}

// emitText passes the text up to an offset to the sink.
func (s *Scanner) emitText(to int) {
	if to > s.consumed {
		s.sink.Text(s.raw[s.consumed:to])
		s.consumed = to
	}
}

// skipTo advances to the end of a call or of hidden text. Its backtick runs do not count for the line.
func (s *Scanner) skipTo(to int) {
	if strings.Contains(s.raw[s.at:to], "\n") {
		s.backtickRuns = 0
	}
	s.scanned += to - s.at
	s.at, s.lineStart = to, false
}

// readOpening reads the call, element or span at s.at, which is a < or [. If there is none, it skips the character.
func (s *Scanner) readOpening() {
	span, n := s.readSpan()
	var tag Tag
	if n == 0 && s.raw[s.at] == '<' {
		var ok bool
		if tag, ok = s.readTag(s.config.Outer, s.at, true, false); ok {
			n = tag.End - s.at
		}
	}
	if n == 0 {
		s.at++ // it is text
		return
	}
	call, name := tag.Name == s.config.Call, tag.Name
	if span != nil {
		name = span.Close
	}
	if tag.Closing && call && s.codedCall {
		s.codedCall = false
		s.sink.Hidden(ByCode)
	}
	foreign := span != nil && span.Foreign || s.config.Foreign.has(name)
	switch at := s.base + s.at; {
	case tag.Closing,
		!call && (tag.Empty || span == nil && s.reread.neverClosed(name, at+n)),
		span != nil && s.reread.neverEnds(name, at+n),
		foreign && (at < s.foreignFrom[name] || span == nil && !s.sink.Opens(s.raw[s.at:s.at+n], false)),
		s.backtickRuns%2 == 1 && s.inCode(s.at+n, call):
		s.at++
		return
	}
	if s.codedCall = false; call {
		s.readCall(tag)
		return
	}
	s.readElement(name, s.at+n, span != nil, foreign)
}

// readSpan returns the span that opens at s.at, and the length of its opening word; 0 if there is none.
func (s *Scanner) readSpan() (span *Span, n int) {
	for i := range s.config.Spans {
		span = &s.config.Spans[i]
		if span.Open[0] == s.raw[s.at] && s.more(s.at+1) && span.Open[1] == s.raw[s.at+1] && s.hasPrefix(s.at, span.Open) {
			return span, len(span.Open)
		}
	}
	return nil, 0
}
