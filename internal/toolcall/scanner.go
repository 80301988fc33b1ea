// Package toolcall parses what an assistant sends, a few bytes at a time: it finds tool calls in text, the tags in a call, and the values
// of JSON arguments; and it decodes and checks the content of elements. It knows no tool's parameters. It is pure: the same results for
// every way of cutting the input, in linear time. A Feed lets a parser wait for its next piece.
package toolcall

import (
	"strings"
	"unicode/utf8"
)

// End says how a call ended.
type End uint8

// The ways in which a call ends.
const (
	// Closed: with its closing tag, or as a self-closing tag.
	Closed End = iota
	// Cut: the message ended inside the call.
	Cut
	// Mention: the message ended and no parameter had been opened, so that the tag is text.
	Mention
	// Overflow: the message is over its limit, and ended inside the call.
	Overflow
)

// Hider is what a call can stand in so that it is not run, in the spelling that travels on the wire.
type Hider string

// The things that hide calls.
const (
	ByFence    Hider = "fence"    // a fenced code block
	ByCode     Hider = "code"     // inline code
	ByThinking Hider = "thinking" // an element in which the assistant thinks
	ByElement  Hider = "element"  // another element
)

// Sink takes what a Scanner finds.
type Sink interface {
	// Text takes text outside calls.
	Text(text string)
	// Hidden takes a whole call in text that was passed, or will be.
	Hidden(by Hider)
	// Call reads a call with the opening tag, by the scanner's Next. Places count from the < of that tag.
	Call(opening Tag)
	// Grew is called in Call before Next blocks: what was read up to the place belongs to no tag that is not complete.
	Grew(to int)
	// Opens reports whether an opening tag may begin a call of ours. If the whole element is there, it must name one of our tools.
	Opens(text string, whole bool) bool
	// Foreign takes such an element, its opening tag and its content, and reports whether it is a call. Cut: the message ended in it.
	// Unclosed: it was hidden by what is never closed.
	Foreign(tag, content string, cut, unclosed bool) bool
}

// Config says what a Scanner looks for.
type Config struct {
	// Call is the name of the element that is a call.
	Call string
	// Known are the names of tags that are told within a call: the call's own, and those that open a parameter straight in it.
	Known *Names
	// Outer are the names of tags that matter in text: the call's own, and those of elements in which no call opens.
	Outer *Names
	// Thinking are those of the elements in which an assistant thinks.
	Thinking *Names
	// Foreign are those of the elements that may be a call in another spelling.
	Foreign *Names
	// Hidden are both the Known and the Foreign ones.
	Hidden *Names
	// Spans are what begins and ends like an element, and is not written as one.
	Spans []Span
}

// Span is a part of a message between two words, in which no call opens.
type Span struct {
	Open, Close string
	// Foreign says that it may be a call in another spelling; all others are what an assistant thinks.
	Foreign bool
}

// Scanner splits an assistant's message into text and calls.
type Scanner struct {
	// Of the call that is read, or was read last:

	End      End
	Fenced   bool // a fence stands around it
	Unclosed bool // it was hidden, or a part of it taken for CDATA, by what is never closed

	config Config
	sink   Sink
	feed   *Feed
	over   bool // the message is over its limit
	waits  bool // for more, and nothing is incomplete

	raw    string // the message, but for what was dropped of its front
	base   int    // how much that is: in the message, all places count from here
	at     int    // up to here it was read, outside calls
	passed int    // up to here it was passed on
	looked int    // bytes that were looked at: what reading costs

	begins bool // a line does
	runs   int  // of backticks so far on the line, outside calls and hidden elements
	coded  bool // a call that inline code hides was opened, with a parameter, and not closed yet
	ahead  [kinds]mark
	native map[string]int // by the name of a foreign element: up to here none opens
	reread *reread
	call   callState
	tags   tagReader
}

// param reports whether the tag opens a parameter, if it stands straight in a call.
func (c *Config) param(t *Tag) bool { return !t.Closing && t.Name != c.Call && c.Known.has(t.Name) }

// Init makes s a scanner of a new message, which the feed gets, that tells sink what it finds.
func (s *Scanner) Init(config Config, sink Sink, feed *Feed) {
	*s = Scanner{config: config, sink: sink, feed: feed, begins: true, native: map[string]int{}}
	s.tags.scanner = s
}

// Overflow says that what was given of the message is all that fits into its limit. It comes before the end of the feed.
func (s *Scanner) Overflow() { s.over = true }

// Passed returns how much of what the feed holds is understood, and never read again.
func (s *Scanner) Passed() int { return s.passed }

// Append reads the next bytes of the message. Pieces in which nothing can begin or end bypass the parser, at a tenth of its cost.
func (s *Scanner) Append(piece []byte) {
	f, c := s.feed, &s.call
	f.Write(piece)
	text := f.text.String()
	fresh := text[f.seen:]
	if !s.waits || c.open && s.config.Known.index(fresh) < len(fresh) || !c.open && until(fresh, &textStops) < len(fresh) {
		f.read()
		return
	}
	s.raw, f.seen = text, len(text)
	if c.open {
		c.at = f.seen
		s.sink.Grew(c.at - c.start)
	} else {
		s.at = f.seen
		s.pass(s.at)
	}
}

// Where something can begin or end: outside calls, and in a value in quotes.
var textStops, valueStops = stops("<[`\n"), stops("'\"<>\n")

func stops(chars string) (set [256]bool) {
	for i := range len(chars) {
		set[chars[i]] = true
	}
	return set
}

// until returns the index of the first byte of s that is in the set, or len(s).
func until(s string, set *[256]bool) int {
	for i := range len(s) {
		if set[s[i]] {
			return i
		}
	}
	return len(s)
}

// idle blocks like fill, where nothing is incomplete.
func (s *Scanner) idle() (more bool) {
	s.waits = !s.begins || s.call.open
	more = s.fill()
	s.waits = false
	return more
}

// Read reads the message to its end.
func (s *Scanner) Read() {
	for s.at < len(s.raw) || s.idle() {
		if s.begins && s.prefix() || s.at == len(s.raw) {
			continue
		}
		if n := until(s.raw[s.at:], &textStops); n > 0 {
			s.at += n
			s.looked += n
			continue
		}
		switch s.looked++; s.raw[s.at] {
		case '\n':
			s.at++
			s.begins, s.runs = true, 0
			if s.at > 64<<10 { // what was passed on is dropped now and then
				s.pass(s.at)
				s.raw = s.feed.Drop(s.at)
				s.base += s.at
				s.at, s.passed = 0, 0
			}
		case '`':
			for s.runs++; s.more(s.at) && s.raw[s.at] == '`'; s.at++ {
			}
		default:
			s.opening()
		}
	}
	s.pass(s.at)
}

// fill blocks until there is more of the message, and reports whether there is. What is certain is told before.
func (s *Scanner) fill() (more bool) {
	if s.call.open {
		s.sink.Grew(s.call.at - s.call.start)
	} else {
		s.pass(s.at)
	}
	s.raw, more = s.feed.More()
	return more
}

// more reports whether there is a byte at the place.
func (s *Scanner) more(at int) bool {
	for at >= len(s.raw) && s.fill() {
	}
	return at < len(s.raw)
}

// find returns the place of the first of the characters from a place on; that of the message's end where there is none.
func (s *Scanner) find(from int, chars string) int {
	for {
		i := strings.IndexAny(s.raw[from:], chars)
		if i >= 0 {
			s.looked += i + 1
			return from + i
		}
		s.looked += len(s.raw) - from
		if from = len(s.raw); !s.fill() {
			return from
		}
	}
}

// begun reports whether the word stands at a place.
func (s *Scanner) begun(at int, word string) bool {
	for len(s.raw)-at < len(word) && strings.HasPrefix(word, s.raw[at:]) && s.fill() {
	}
	return strings.HasPrefix(s.raw[at:], word)
}

// ends goes on from a place to that of the word, and reports whether that comes.
func (s *Scanner) ends(word string, at *int) bool {
	for {
		if i := strings.Index(s.raw[*at:], word); i >= 0 {
			s.looked += i
			*at += i
			return true
		}
		s.looked += len(s.raw) - *at
		*at = max(*at, len(s.raw)-len(word)+1)
		for *at < len(s.raw) && !utf8.RuneStart(s.raw[*at]) { // characters are shown whole
			*at--
		}
		if !s.fill() {
			return false
		}
	}
}

// tag reads the tag at a place. Where there is none, what ends with t holds no < but the first.
func (s *Scanner) tag(names *Names, at int, strict, line bool) (t Tag, ok bool) {
	r := &s.tags
	r.strict, r.line = strict, line
	t, ok = r.read(names, s.raw, at)
	s.looked += t.End - at
	return t, ok
}

// pass passes on the text up to a place.
func (s *Scanner) pass(to int) {
	if to > s.passed {
		s.sink.Text(s.raw[s.passed:to])
		s.passed = to
	}
}

// leave goes on behind a call or something hidden, up to a place; runs of backticks in it do not count for the line.
func (s *Scanner) leave(to int) {
	if strings.Contains(s.raw[s.at:to], "\n") {
		s.runs = 0
	}
	s.looked += to - s.at
	s.at, s.begins = to, false
}

// opening reads what begins with the < or [ that comes next.
func (s *Scanner) opening() {
	span, n := s.span()
	var tag Tag
	if n == 0 && s.raw[s.at] == '<' {
		var ok bool
		if tag, ok = s.tag(s.config.Outer, s.at, true, false); ok {
			n = tag.End - s.at
		}
	}
	if n == 0 {
		s.at++ // what follows is text like any other
		return
	}
	call, name := tag.Name == s.config.Call, tag.Name
	if span != nil {
		name = span.Close
	}
	if tag.Closing && call && s.coded {
		s.coded = false
		s.sink.Hidden(ByCode)
	}
	foreign := span != nil && span.Foreign || s.config.Foreign.has(name)
	switch at := s.base + s.at; {
	case tag.Closing,
		!call && (tag.Empty || span == nil && s.reread.neverClosed(name, at+n)),
		span != nil && s.reread.neverEnds(name, at+n),
		foreign && (at < s.native[name] || span == nil && !s.sink.Opens(s.raw[s.at:s.at+n], false)),
		s.runs%2 == 1 && s.inCode(s.at+n, call):
		s.at++
		return
	}
	if s.coded = false; call {
		s.begin(tag)
		return
	}
	s.hidden(name, s.at+n, span != nil, foreign)
}

// span reads the word that opens a span, if it comes next, and returns its length.
func (s *Scanner) span() (span *Span, n int) {
	for i := range s.config.Spans {
		span = &s.config.Spans[i]
		if span.Open[0] == s.raw[s.at] && s.more(s.at+1) && span.Open[1] == s.raw[s.at+1] && s.begun(s.at, span.Open) {
			return span, len(span.Open)
		}
	}
	return nil, 0
}
