// Package toolcall has incremental parsers for an assistant's output. A Scanner finds tool calls in text and the tags in a call. JSON
// reads arguments; a Feed suspends it until the next piece of input arrives. Decoder and Checker process the content of elements.
// The package knows no tool's parameters. It is pure: the results do not depend on how the input is cut, and the time is linear.
package toolcall

import "strings"

// Hider is the kind of text, as sent on the wire, that hides a call, so that it is not run.
type Hider string

// The hiders.
const (
	ByFence    Hider = "fence"    // a fenced code block
	ByCode     Hider = "code"     // inline code
	ByThinking Hider = "thinking" // an element or span of the assistant's thinking
	ByElement  Hider = "element"  // another element
	ByText     Hider = "text"     // the text around it, which only mentions it
)

// Sink receives the text and calls that a Scanner finds.
type Sink interface {
	// Text receives text outside calls.
	Text(text string)
	// Hidden is called for each complete call in hidden text. Text gets that text before or afterwards.
	Hidden(by Hider)
	// Tag receives the call's next tag with a Known name, first its opening tag. Offsets count from the < of that.
	Tag(tag Tag)
	// CallEnded ends the call. cut means that the message ended inside it. It is not called if the message ended before the call opened
	// a parameter or JSON: then the tag is text.
	CallEnded(cut bool)
	// Grew is called after each piece inside a call. No incomplete tag begins before the offset.
	Grew(to int)
	// Foreign receives the text of a foreign element or span, or the content of a fence, and reports whether it has a call. cut means
	// that the message ended inside it.
	Foreign(text string, cut bool) bool
}

// Config configures a Scanner.
type Config struct {
	// Call is the element name of a call.
	Call string
	// Known are the names of the tags that the sink receives: Call, and the names that open a parameter directly in a call.
	Known *Names
	// Outer are the names of the tags that matter outside calls: Call, and elements that hide calls or are foreign.
	Outer *Names
	// Thinking are the names of elements with the assistant's thinking.
	Thinking *Names
	// Foreign are the names of elements that may be a call in another format.
	Foreign *Names
	// Spans are delimited like elements, but by words instead of tags.
	Spans []Span
	// Ends are the words that may follow the JSON which ends a foreign call.
	Ends []string
	// Opens reports whether the foreign opening at the start of text may begin a call of one of our tools.
	Opens func(text string) bool
	// Shown returns how many foreign calls a text shows that is not run.
	Shown func(text string) int
}

// Span is text between two words that hides calls. Without Close, the JSON after Open ends it, and only other such spans may follow in
// the message. If Open is the bracket that begins the JSON, only thoughts may precede it.
type Span struct {
	Open, Close string
	// Foreign means that the span may be a call in another format, and has no Close. Other spans are the assistant's thinking.
	Foreign bool
}

// Scanner splits an assistant's message into text and calls. It reads in steps, each of which needs a whole token: a tag, a line or a
// word. A step that lacks the token's end is repeated with the next piece; a long search continues where it has stopped.
type Scanner struct {
	// The current or last call:

	Fenced   bool // it is alone in a fence
	Unclosed bool // it follows, or contains, the start of an element, fence or CDATA section that is never closed

	config Config
	sink   Sink
	buffer
	ended     bool // the message is complete
	overLimit bool // the message was cut at its limit
	starved   bool // the current step needs more text

	raw      string // the message, without the part dropped from its start
	base     int    // length of the dropped part, and the offset of raw in the message
	at       int    // offset in raw up to which text outside calls was read
	consumed int    // offset in raw up to which text was emitted or calls were read
	scanned  int    // bytes read, for tests of the cost

	state        func(*Scanner) // reads the next step
	lineBegin    int            // offset of the line whose start is read
	backtickRuns int            // backtick runs so far on the line, outside calls and hidden elements
	codedCall    bool           // a call in inline code has opened a parameter and is not closed yet
	line         codeLine
	resume       resume
	foreignFrom  map[string]int // by name: before this offset in the message no foreign element opens
	shownTo      int            // before this offset in the message, mentions of foreign calls were counted
	aloneTo      int            // offset in raw up to which there is only white space and thoughts; -1 if there is other text
	reread       *reread
	current      callState
	hiding       hiding
}

// param reports whether a tag directly in a call opens a parameter.
func (c *Config) param(t *Tag) bool { return !t.Closing && t.Name != c.Call && c.Known.has(t.Name) }

// NewScanner returns a scanner of a new message. The sink receives its text and calls.
func NewScanner(config Config, sink Sink) *Scanner {
	return &Scanner{config: config, sink: sink, state: (*Scanner).readLineStart, foreignFrom: map[string]int{}}
}

// Held returns the number of buffered bytes that are not final: they may be read again.
func (s *Scanner) Held() int { return s.text.Len() - s.consumed }

// Append reads the next bytes of the message. A piece may end inside a character.
func (s *Scanner) Append(piece []byte) {
	s.write(piece)
	s.read()
}

// Finish ends the message. overLimit means that it was cut at its limit.
func (s *Scanner) Finish(overLimit bool) {
	s.add(s.clean.end())
	s.ended, s.overLimit = true, overLimit
	s.read()
}

func (s *Scanner) read() {
	s.raw = s.text.String()
	for s.starved = false; !s.starved; {
		s.state(s)
	}
	if c := &s.current; c.open {
		s.sink.Grew(c.at - c.start)
	} else {
		s.emitText(s.at)
	}
}

// lacks reports whether the current step must wait because the text up to an offset has not arrived yet. It never waits at the end of
// the message.
func (s *Scanner) lacks(to int) bool {
	s.starved = s.starved || to > len(s.raw) && !s.ended
	return s.starved
}

// Bytes that can begin or end a token: textStops outside calls, valueStops and bareStops in a value.
var textStops, valueStops, bareStops = stops("<[{`\n"), stops("'\"<>"), stops(blanks + "<>")

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

// readText reads text outside calls up to the end of its line, or to a call, element or span.
func (s *Scanner) readText() {
	n := indexAny(s.raw[s.at:], &textStops)
	s.at += n
	s.scanned += n + 1
	if s.at == len(s.raw) {
		s.starved = true
		return
	}
	switch s.raw[s.at] {
	case '\n':
		s.at++
		if s.at > 64<<10 { // drop consumed text in large steps
			s.emitText(s.at)
			if s.alone() {
				s.aloneTo = 0
			}
			s.drop(s.at)
			s.raw = s.text.String()
			s.base += s.at
			s.at, s.consumed, s.line, s.resume = 0, 0, codeLine{}, resume{}
		}
		s.state, s.lineBegin, s.backtickRuns = (*Scanner).readLineStart, s.at, 0
	case '`':
		if s.at == 0 || s.raw[s.at-1] != '`' {
			s.backtickRuns++
		}
		s.at++
	default:
		if opens := s.readOpening(); !opens && !s.starved {
			s.at++ // it is text
		}
	}
}

// resume is where a repeated step continues: the search for a word from an offset on continues at to. A long tag (word is empty)
// is read again once the message has to bytes.
type resume struct {
	word     string
	from, to int
}

// find returns the offset of the word from an offset on, or the end of the message.
func (s *Scanner) find(word string, from int) int {
	at := from
	if s.resume.from == from && s.resume.word == word {
		at = s.resume.to
	}
	if i := strings.Index(s.raw[at:], word); i >= 0 {
		s.scanned += i + 1
		return at + i
	}
	s.scanned += len(s.raw) - at
	s.resume = resume{word, from, max(at, len(s.raw)-len(word)+1)}
	s.lacks(len(s.raw) + 1)
	return len(s.raw)
}

// hasPrefix reports whether the message has the word at an offset.
func (s *Scanner) hasPrefix(at int, word string) bool {
	if rest := s.raw[at:]; len(rest) < len(word) && strings.HasPrefix(word, rest) && s.lacks(at+len(word)) {
		return false
	}
	return strings.HasPrefix(s.raw[at:], word)
}

// readTag reads the tag at an offset. If there is none, there is no other < before t.End. A tag that is cut is read again from its start: a
// long one only when its length has doubled, so that each byte is read a few times at most.
func (s *Scanner) readTag(names *Names, at int) (t Tag, ok bool) {
	if s.resume.from == at && s.resume.word == "" && s.lacks(s.resume.to) {
		return t, false
	}
	t, ok = readTag(names, s.raw, at)
	s.scanned += t.End - at
	if n := len(s.raw) - at; t.cut && s.lacks(len(s.raw)+1) && n > 128 {
		s.resume = resume{"", at, at + 2*n}
	}
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
	s.at = to
}

// readOpening begins the call, element or span at s.at, which is a <, [ or {, and reports whether there is one.
func (s *Scanner) readOpening() bool {
	if s.lacks(s.at+2) || s.at+1 == len(s.raw) {
		return false
	}
	span, n := s.readSpan(s.at)
	var tag Tag
	if n == 0 && s.raw[s.at] == '<' && s.config.Outer.begins(s.raw[s.at:]) {
		var ok bool
		if tag, ok = s.readTag(s.config.Outer, s.at); ok && !tag.bare {
			n = tag.End - s.at
		}
	}
	if n == 0 || s.starved {
		return false
	}
	call, name := tag.Name == s.config.Call, tag.Name
	if span != nil {
		name = span.Close
	}
	if tag.Closing && call && s.codedCall {
		s.codedCall = false
		s.sink.Hidden(ByCode)
	}
	foreign := span != nil && span.Foreign || span == nil && s.config.Foreign.has(name)
	switch at := s.base + s.at; {
	case span != nil && name == "":
		return s.readHead(span)
	case tag.Closing,
		!call && (tag.Empty || span == nil && s.reread.neverClosed(name, at+n)),
		span != nil && s.reread.neverEnds(name, at+n),
		foreign && (at < s.foreignFrom[name] || !s.config.Opens(s.raw[s.at:s.at+n])):
		return false
	case s.backtickRuns%2 == 1 && s.inCode(s.at+n, call), s.starved:
		return foreign && s.mention(ByCode, s.at+maxMention)
	}
	if s.codedCall = false; call {
		s.beginCall(tag, 0)
	} else {
		s.hiding = hiding{name: name, open: s.at + n, at: s.at + n, foreign: foreign, by: ByElement}
		if span != nil || s.config.Thinking.has(name) {
			s.hiding.by = ByThinking
		}
		if s.state = (*Scanner).readElement; span != nil {
			s.state = (*Scanner).readWords
		}
	}
	return true
}

// readSpan returns the span that opens at an offset, and the length of its opening word, which is 0 if no span opens there.
func (s *Scanner) readSpan(at int) (span *Span, n int) {
	for i := range s.config.Spans {
		span = &s.config.Spans[i]
		if span.Open[0] == s.raw[at] && s.hasPrefix(at, span.Open) {
			return span, len(span.Open)
		}
	}
	return nil, 0
}
