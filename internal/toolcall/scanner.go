package toolcall

import "bytes"

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

// Sink takes what a Scanner finds. The bytes are valid until the method returns, and valid UTF-8.
type Sink interface {
	// Text takes text outside calls.
	Text(b []byte)
	// Begin tells of the opening tag of a call. Reread is set when the call was first taken for hidden, by a fence or an
	// element that is never closed.
	Begin(t *Tag, reread bool)
	// LexSink takes what is in the call. Tag stops the lexer at the call's closing tag.
	LexSink
	// Certain reports whether a parameter of the call has been opened, so that it cannot be a mention any more.
	Certain() bool
	// Finish tells how the call ended.
	Finish(end End)
}

// mode is what a Scanner is inside of.
type mode uint8

const (
	inText    mode = iota
	inElement      // in an element that hides calls
	inFence        // in a fenced code block
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
	// Limit is the most bytes that a message may hold.
	Limit int
}

// Scanner splits an assistant's message into text and calls. It is ready after Init.
type Scanner struct {
	config Config
	sink   Sink
	lexer  Lexer
	clean  cleaner
	size   int // raw bytes of the message so far

	mode   mode
	held   []byte // what was read and not yet understood
	offset int    // of the first byte that is not consumed, in the cleaned message
	line   line
	ahead  ahead
	tag    tagReader
	found  candidate // a tag in text that waits for the rest of its line

	name  string    // of the element that hides
	fence fence     // that hides
	end   fenceLine // the line in it that was read last
	look  int       // how far the hidden part, or what may be the start of one, was looked at, from its beginning
	run   int       // length of the run of fence characters that begins it

	certain  bool   // a parameter of the call was opened
	mention  []byte // the call's bytes, until it is certain
	newlines bool   // the call holds a line break
	reread   *reread

	room [3][48]byte // for what is held of most messages
}

// candidate is a complete opening tag in text.
type candidate struct {
	tag Tag
	n   int // bytes
}

// Init makes the zero value a scanner that tells sink what it finds. It must not be copied from then on.
func (s *Scanner) Init(config Config, sink Sink) {
	s.config, s.sink = config, sink
	s.lexer.Names = config.Known
	s.line.open = true
	s.lexer.pend = s.room[0][:0]
	s.held = s.room[1][:0]
	s.mention = s.room[2][:0]
}

// Append reads the next bytes of the message, cut anywhere.
func (s *Scanner) Append(chunk []byte) {
	if s.mode == ended {
		return
	}
	over := s.size+len(chunk) > s.config.Limit
	if over {
		chunk = chunk[:s.config.Limit-s.size]
	}
	s.size += len(chunk)
	if !over && s.quick(chunk) {
		return
	}
	for len(chunk) > 0 || s.clean.pending() {
		var clean []byte
		clean, chunk = s.clean.next(chunk)
		s.feed(clean, false)
	}
	if over {
		s.finish(Overflow)
	}
}

// quick reads a chunk of text that holds nothing but characters where nothing else is under way, or one of ASCII in a call,
// and returns false, with nothing done, for any other. It changes no result; most chunks are such, and it is faster, in text
// several times.
func (s *Scanner) quick(chunk []byte) bool {
	if len(s.held) > 0 || s.clean.n > 0 || len(chunk) == 0 {
		return false
	}
	if s.mode == inCall && ascii(chunk) {
		n := s.call(chunk)
		if s.offset += n; n < len(chunk) { // the call has ended
			s.feed(chunk[n:], false)
		}
		return true
	}
	if s.mode != inText || s.line.open || !plain(chunk, '<', '`', '\n') {
		return false
	}
	s.line.inRun = false
	s.sink.Text(chunk)
	s.offset += len(chunk)
	return true
}

// Room returns how many bytes more the caller may take for Chars by itself, as long as each chunk is PlainText. It is 0
// wherever the scanner has to see the bytes.
func (s *Scanner) Room() int {
	if s.mode != inCall || !s.certain || s.line.runs > 0 || len(s.held) > 0 || s.clean.n > 0 || !s.lexer.idle() {
		return 0
	}
	return s.config.Limit - s.size
}

// Skip tells of bytes that the caller has taken by itself.
func (s *Scanner) Skip(n int) {
	s.size += n
	s.offset += n
}

// End tells that the message is complete.
func (s *Scanner) End() {
	if s.mode != ended {
		s.finish(Cut)
	}
}

// feed reads valid UTF-8, of whole characters.
func (s *Scanner) feed(b []byte, final bool) {
	joined := len(s.held) > 0
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
	}
}

func (s *Scanner) step(b []byte, final bool) int {
	switch s.mode {
	case inCall:
		return s.call(b)
	case inElement, inFence:
		return s.hidden(b, final)
	default:
		return s.text(b, final)
	}
}

func (s *Scanner) pass(b []byte) {
	if len(b) > 0 {
		s.sink.Text(b)
	}
}

// text reads text outside calls, up to a place from which on more must be known.
func (s *Scanner) text(b []byte, final bool) int {
	i := 0
	for i < len(b) {
		if s.line.open {
			took, wait := s.prefix(b[i:], final)
			i += took
			if wait || s.mode != inText {
				break
			}
			continue
		}
		if j := Index3(b[i:], '<', '`', '\n'); j > 0 {
			s.line.inRun = false
			if i += j; i == len(b) {
				break
			}
		}
		if b[i] != '<' {
			s.line.note(b[i])
			if i++; b[i-1] == '\n' {
				s.ahead.reset()
			}
			continue
		}
		s.line.inRun = false
		took, wait := s.opening(b, i, final)
		i += took
		if wait || s.mode != inText {
			break
		}
	}
	if s.mode == inCall { // the opening tag is not text
		s.pass(b[:i-s.found.n])
		s.begin()
		return i
	}
	s.pass(b[:i])
	return i
}

// opening reads what begins with the < at b[i]. It returns how many bytes of it are settled, and whether more must be
// known; it changes the mode when a call or something hidden begins.
func (s *Scanner) opening(b []byte, i int, final bool) (took int, wait bool) {
	if s.found.n == 0 {
		tag := &s.found.tag
		v := s.tag.read(b[i:], s.config.Outer, true, tag)
		switch {
		case v == more && !final:
			return 0, true
		case v != done, tag.End, tag.Name != s.config.Call && (tag.Empty || s.reread.neverClosed(tag.Name, s.offset+i)):
			s.tag = tagReader{}
			return 1, false // what follows the < is text like any other
		}
		s.found.n = len(tag.Raw)
	}
	n := s.found.n
	s.found.tag.Raw = b[i : i+n]
	isCall := s.found.tag.Name == s.config.Call
	if s.line.runs%2 == 1 {
		coded, known := s.coded(b, i+n, isCall, final)
		if !known {
			return 0, true
		}
		if coded {
			s.found = candidate{}
			return 1, false
		}
	}
	if isCall {
		s.mode = inCall
		return n, false
	}
	s.mode, s.name, s.look = inElement, s.found.tag.Name, n
	s.found = candidate{}
	return 0, false
}

// begin opens the call whose opening tag was found.
func (s *Scanner) begin() {
	tag := &s.found.tag
	s.newlines, s.certain = bytes.IndexByte(tag.Raw, '\n') >= 0, false
	s.found.n = 0
	s.mention = append(s.mention[:0], tag.Raw...)
	s.sink.Begin(tag, s.reread != nil)
	if tag.Empty {
		s.closed()
	}
}

// call reads the content of a call.
func (s *Scanner) call(b []byte) int {
	n, stopped := s.lexer.Feed(b, s.sink)
	if !s.certain {
		if s.certain = s.sink.Certain(); !s.certain {
			s.mention = append(s.mention, b[:n]...)
		}
	}
	if s.line.runs > 0 && !s.newlines {
		s.newlines = bytes.IndexByte(b[:n], '\n') >= 0
	}
	if stopped {
		s.closed()
	}
	return n
}

func (s *Scanner) closed() {
	s.sink.Finish(Closed)
	s.leave(s.newlines)
}

// leave goes back to text after a call or something hidden; runs of backticks in it do not count for the line.
func (s *Scanner) leave(newlines bool) {
	s.mode = inText
	s.line.open, s.line.inRun = false, false
	if newlines {
		s.line.runs = 0
		s.ahead.reset()
	}
}

// finish ends the message, as complete or as too large.
func (s *Scanner) finish(end End) {
	s.feed(s.clean.end(), false)
	rest := s.held
	s.held = nil
	for len(rest) > 0 {
		n := s.step(rest, true)
		s.offset += n
		rest = rest[n:]
	}
	open := s.mode == inCall
	s.mode = ended
	switch {
	case open && !s.sink.Certain():
		s.sink.Finish(Mention)
		s.pass(s.mention)
	case open:
		s.lexer.End(s.sink)
		s.sink.Finish(end)
		return
	}
	if end == Overflow {
		s.sink.Finish(Overflow)
	}
}
