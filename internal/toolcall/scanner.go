package toolcall

import (
	"bytes"
	"unicode/utf8"
)

// End says how a call ended.
type End uint8

// The ways in which a call ends.
const (
	// Closed: with its closing tag, or as a self-closing tag.
	Closed End = iota
	// Cut: the stream ended inside the call.
	Cut
	// Mention: the stream ended and no parameter had been opened, so that the tag is text.
	Mention
	// Overflow: the message is over its limit. It is told once for a message, with or without a call that is open.
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
	// Text takes text outside calls, which is valid until the method returns, and valid UTF-8.
	Text(b []byte)
	// Hidden tells that a whole call stands in the text that was passed, or will be.
	Hidden(by Hider)
	// Begin tells of the opening tag of a call.
	Begin(t *Tag)
	// Tag takes the next tag of the call whose name is in the set, but for the closing one of the call. Places count from the <
	// of the call's opening tag, and call is all that was read of it, and perhaps more.
	Tag(t *Tag, call string)
	// Grew tells that the call up to the given place was read: what stands there belongs to no tag that is not complete.
	Grew(call string, to int)
	// Unclosed tells that the call was hidden, or a part of it taken for CDATA, by what is never closed.
	Unclosed()
	// Fenced tells that a fence stands around the call.
	Fenced()
	// Opens reports whether the opening tag of one of the Foreign elements may begin a call.
	Opens(tag string) bool
	// Foreign takes such an element, its opening tag and its content, and reports whether it is a call. Cut: the message ended in it.
	// Unclosed: it was hidden by what is never closed.
	Foreign(tag, content string, cut, unclosed bool) bool
	// ForeignIn returns how many of such calls stand in hidden text.
	ForeignIn(text string) int
	// Finish tells how the call ended, and all of it. The string stays as it is.
	Finish(end End, call string)
}

// mode is what a Scanner is inside of.
type mode uint8

const (
	inText     mode = iota
	inElement       // in an element that hides calls
	inFence         // in a fenced code block
	afterFence      // after one that holds a call, which counts if the message ends here
	inCall
	ended
)

// Config says what a Scanner looks for.
type Config struct {
	// Call is the name of the element that is a call.
	Call string
	// Known are the names of tags that are told within a call, the call's own among them.
	Known *Names
	// Params are those among them that open a parameter straight in a call.
	Params *Names
	// Outer are the names of tags that matter in text: the call's own, and those of elements in which no call opens.
	Outer *Names
	// Thinking are those of the elements in which an assistant thinks.
	Thinking *Names
	// Foreign are those of the elements that may be a call in another spelling.
	Foreign *Names
	// Spans are what begins and ends like an element, and is not written as one.
	Spans []Span
	// Limit is the most bytes that a message may hold.
	Limit int
}

// Span is a part of a message between two words, in which no call opens.
type Span struct {
	Open, Close string
	// Foreign says that it may be a call in another spelling; all others are what an assistant thinks.
	Foreign bool
}

// Scanner splits an assistant's message into text and calls. It is ready after Init.
type Scanner struct {
	config Config
	sink   Sink
	clean  cleaner
	size   int // raw bytes of the message so far
	looked int // bytes that were looked at or moved, but for those that matchers count: what reading costs

	mode    mode
	held    []byte // what was read and not yet understood, outside calls
	offset  int    // of the first byte that is not consumed, in the cleaned message
	over    bool   // the message is over its limit
	text    textMode
	element elementMode
	fence   fenceMode
	call    callMode
	reread  *reread
	native  map[string]int // by the name of a foreign element: up to here none opens
}

// Init makes s a scanner of a new message that tells sink what it finds. It must not be copied from then on.
func (s *Scanner) Init(config Config, sink Sink) {
	*s = Scanner{config: config, sink: sink, held: Spare(s.held), call: callMode{raw: s.call.raw.Spare()}}
	s.text.line.open = true
	s.text.tag = matcher{names: config.Outer, strict: true}
	s.text.ahead.tag = matcher{names: config.Known, line: true}
	s.element.tag.names = config.Outer
	s.call.tag.names = config.Known
}

// Append reads the next bytes of the message, cut anywhere.
func (s *Scanner) Append(chunk []byte) {
	if s.mode == ended || s.appendPlain(chunk) {
		return
	}
	over := s.size+len(chunk) > s.config.Limit
	if over {
		chunk = chunk[:s.config.Limit-s.size]
	}
	s.size += len(chunk)
	s.feed(s.clean.next(chunk), false)
	if over {
		s.finish(Overflow)
	}
}

// special is, for each byte, in which modes something can begin or end with it. No character but ASCII is looked at by its bytes.
var special = func() (modes [256]uint8) {
	for b := range modes {
		switch {
		case b == '<' || b >= utf8.RuneSelf:
			modes[b] = 1<<inText | 1<<inCall
		case b == '`' || b == '\n' || b == '[':
			modes[b] = 1 << inText
		}
	}
	return modes
}()

// appendPlain reads a chunk in which nothing can begin or end, where nothing is incomplete, and reports whether it is that. Most chunks
// are, and cost a quarter so.
func (s *Scanner) appendPlain(chunk []byte) bool {
	c := &s.call
	switch {
	case s.clean.n > 0 || len(chunk) > s.config.Limit-s.size:
		return false
	case s.mode == inText && (s.text.line.open || len(s.held) > 0), s.mode == inCall && (c.cdata || c.at != c.raw.Len()), s.mode != inText && s.mode != inCall:
		return false
	}
	mode := uint8(1) << s.mode
	for _, b := range chunk {
		if special[b]&mode != 0 {
			return false
		}
	}
	s.size += len(chunk)
	s.offset += len(chunk)
	if s.mode == inText {
		s.text.line.inRun = false
		s.pass(chunk)
		return true
	}
	c.raw.Write(chunk)
	c.at += len(chunk)
	s.sink.Grew(c.raw.Text(), c.at)
	return true
}

// Held returns how many bytes were not understood yet, or may be read again.
func (s *Scanner) Held() int {
	if s.mode == inCall {
		return s.call.raw.Len()
	}
	return len(s.held)
}

// End tells that the message is complete.
func (s *Scanner) End() {
	if s.mode != ended {
		s.finish(Cut)
	}
}

// feed reads valid UTF-8, of whole characters.
func (s *Scanner) feed(b []byte, final bool) {
	if len(b) == 0 {
		return
	}
	joined := len(s.held) > 0
	s.looked += len(b)
	if joined {
		s.held = append(s.held, b...)
		b = s.held
	}
	rest := b
	for len(rest) > 0 {
		before := s.mode
		n := s.step(rest, final)
		s.offset += n
		rest = rest[n:]
		if n == 0 && s.mode == before && !final {
			break // more must be known
		}
	}
	switch {
	case !joined:
		s.held = append(s.held, rest...)
	case len(rest) < len(s.held): // moving what nobody consumed would cost more with each chunk
		s.held = s.held[:copy(s.held, rest)]
		s.looked += len(rest)
	}
}

// step reads what it can of b, and returns how many bytes that is.
func (s *Scanner) step(b []byte, final bool) int {
	switch s.mode {
	case inCall:
		return s.inCall(b)
	case inElement, inFence:
		return s.inHidden(b, final)
	case afterFence:
		return s.afterFence(b, final)
	default:
		return s.inText(b, final)
	}
}

func (s *Scanner) pass(b []byte) {
	if len(b) > 0 {
		s.sink.Text(b)
	}
}

// leave goes back to text after a call or something hidden; runs of backticks in it do not count for the line.
func (s *Scanner) leave(newlines bool) {
	s.mode = inText
	t := &s.text
	t.line.open, t.line.inRun = false, false
	if newlines {
		t.line.runs = 0
		t.ahead.reset()
	}
}

// finish ends the message, as complete or as too large.
func (s *Scanner) finish(end End) {
	s.over = end == Overflow
	s.feed(s.clean.end(), false)
	rest := s.held
	s.held = rest[:0]
	for len(rest) > 0 || s.mode == inCall && s.call.cdata {
		if s.mode == inCall && s.call.cdata && len(rest) == 0 {
			rest = s.reopen()
			continue
		}
		n := s.step(rest, true)
		s.offset += n
		rest = rest[n:]
	}
	open, call := s.mode == inCall, s.call.raw.Text()
	s.mode = ended
	switch {
	case open && !s.call.certain:
		s.sink.Finish(Mention, "")
		s.pass([]byte(call))
	case open:
		s.sink.Finish(end, call)
		return
	}
	if end == Overflow {
		s.sink.Finish(Overflow, "")
	}
}

// index returns the index of the first of the characters in b, or len(b).
func (s *Scanner) index(b []byte, chars string) int {
	i := bytes.IndexAny(b, chars)
	if i < 0 {
		i = len(b)
	}
	s.looked += i + 1
	return i
}

// newline reports whether b holds a line break.
func newline(b []byte) bool { return bytes.IndexByte(b, '\n') >= 0 }
