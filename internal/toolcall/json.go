package toolcall

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of a JSON value.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// JSONSink takes what a JSON reader finds. The bytes are valid until the method returns.
type JSONSink interface {
	// Key takes the name of an object's member; of a very long one only the beginning.
	Key(name []byte)
	// Begin tells that a string, an array or an object begins.
	Begin(k Kind)
	// StringPart takes decoded characters of the string that is open, whole ones.
	StringPart(b []byte)
	// End ends the innermost of what has begun, which is of the kind.
	End(k Kind)
	// Scalar takes a null, a boolean or a number, as it is written.
	Scalar(k Kind, text []byte)
}

// jsonState is what a JSON reader expects next.
type jsonState uint8

const (
	jsonStart     jsonState = iota // a value, or what may stand before the whole
	jsonFenceInfo                  // the word after the fence
	jsonValue                      // a value
	jsonFirstItem                  // a value or ]
	jsonNextItem                   // a value, after a comma
	jsonFirstKey                   // a key or }
	jsonNextKey                    // a key, after a comma
	jsonColon
	jsonAfter  // a comma or a closing bracket
	jsonEnd    // nothing but what may stand after the whole
	jsonString // more of a string, or its end
	jsonWord   // more of a number or literal, or what ends it
	jsonFailed
)

const (
	maxKey   = 64  // bytes of a key that are told
	maxQuote = 256 // bytes that an excerpt can need
)

// JSON reads one JSON value (RFC 8259), cut anywhere, and mends what models often get wrong. Invalid UTF-8 and lone surrogates
// become U+FFFD. It holds what is cut within an escape or a word until all of that is there.
type JSON struct {
	// Fault is why reading stopped, and Found the character at which it did.
	Fault Fault
	Found rune
	// Mended is the first fault that was let pass.
	Mended Fault

	sink    JSONSink
	clean   cleaner
	raw     []byte // what was not read of the input, and what must be kept before it
	base    int    // the offset of that
	at      Spot   // where that begins; without a text
	offset  int    // up to here the input was read
	state   jsonState
	objects []bool            // the open containers; true for an object
	isKey   bool              // the string that is open is a key
	key     []byte            // as far as it was read
	char    [utf8.UTFMax]byte // room for that of an escape
	word    int               // bytes of the number or literal that were looked at
	keeps   int               // how many values are kept
	kept    int               // the offset of the first
	spot    Spot              // where the Fault is, or else what was mended first
	fault   int               // the offset of that, until all of its text is there; -1 for none
}

// Init makes j a reader of a new value that tells sink what it finds.
func (j *JSON) Init(sink JSONSink) {
	*j = JSON{sink: sink, raw: Spare(j.raw), objects: Spare(j.objects), key: j.key[:0], at: Spot{Line: 1, Column: 1}, fault: -1}
}

// Offset returns how many bytes were read before what the sink is told about now; what ends is counted.
func (j *JSON) Offset() int { return j.offset }

// Keep keeps what is read from here on, until Kept is called with the offset.
func (j *JSON) Keep() (offset int) {
	if j.keeps++; j.keeps == 1 {
		j.kept = j.offset
	}
	return j.offset
}

// Kept returns what was read since Keep.
func (j *JSON) Kept(offset int) []byte {
	j.keeps--
	return j.raw[offset-j.base : j.offset-j.base]
}

// Append reads the next bytes.
func (j *JSON) Append(b []byte) {
	if j.drop(); j.state == jsonFailed && j.fault < 0 {
		return
	}
	if len(j.raw) == 0 && j.clean.n == 0 && j.state == jsonString && !j.isKey && j.fault < 0 && plainString(b) {
		j.sink.StringPart(b) // as most chunks are: the long way costs thrice as much
		j.offset += len(b)
		j.base += len(b)
		j.at.Column += len(b)
		return
	}
	j.raw = append(j.raw, j.clean.next(b)...)
	for j.offset < j.base+len(j.raw) && j.state != jsonFailed && j.step(j.raw[j.offset-j.base:]) {
	}
}

// plainString reports whether b stands for itself in a string: ASCII without quotes, backslashes and control characters.
func plainString(b []byte) bool {
	for _, c := range b {
		if c == '"' || c == '\\' || c < ' ' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// drop lets go of what was read and need not be kept.
func (j *JSON) drop() {
	to := j.offset
	if j.keeps > 0 {
		to = j.kept
	}
	if j.fault >= 0 {
		if to = min(to, j.fault); j.base+len(j.raw)-j.fault >= maxQuote {
			j.spot = j.Spot()
			j.fault = -1
		}
	}
	if n := to - j.base; n > 0 {
		j.at.advance(j.raw[:n])
		j.base = to
		j.raw = j.raw[:copy(j.raw, j.raw[n:])]
	}
}

// End tells that there is no more, and returns whether a whole value was read.
func (j *JSON) End() (whole bool) {
	j.Append(j.clean.end())
	if j.state == jsonWord {
		j.endWord(j.raw[j.offset-j.base:], true)
	}
	return j.state == jsonEnd
}

// Failed reports whether reading stopped.
func (j *JSON) Failed() bool { return j.state == jsonFailed }

// Spot is where a fault is, and what stands there.
type Spot struct {
	Line, Column int    // in characters, from 1
	Text         string // as far as an excerpt can need it
}

// advance goes to behind the text.
func (s *Spot) advance(text []byte) {
	if i := bytes.LastIndexByte(text, '\n') + 1; i > 0 {
		s.Line += bytes.Count(text, []byte("\n"))
		s.Column = 1
		text = text[i:]
	}
	s.Column += utf8.RuneCount(text)
}

// Spot returns where the fault is at which reading stopped, or else what was mended first.
func (j *JSON) Spot() Spot {
	if j.fault < 0 {
		return j.spot
	}
	return j.spotAt(j.fault)
}

// Last returns where the input ends.
func (j *JSON) Last() Spot { return j.spotAt(j.base + len(j.raw)) }

func (j *JSON) spotAt(offset int) Spot {
	s, n := j.at, offset-j.base
	s.advance(j.raw[:n])
	s.Text = string(j.raw[n:min(len(j.raw), n+maxQuote)])
	return s
}

// fail stops reading, at so many bytes behind the offset.
func (j *JSON) fail(f Fault, behind int) bool {
	if f == Unexpected && j.state == jsonStart {
		f = NoJSON
	}
	j.state, j.Fault, j.fault = jsonFailed, f, j.offset+behind
	r, n := utf8.DecodeRune(j.raw[j.fault-j.base:])
	j.Found, j.offset = r, j.fault+n
	return false
}

// mend notes a fault that is let pass.
func (j *JSON) mend(f Fault) {
	if j.Mended == NoFault {
		j.Mended, j.fault = f, j.offset
	}
}

// step reads on in s, the input that was not read. It returns false where more of it must be known.
func (j *JSON) step(s []byte) bool {
	c := s[0]
	switch {
	case j.state == jsonString:
		return j.stringPart(s)
	case j.state == jsonWord:
		return j.endWord(s, false)
	case isSpace(c):
		if c == '\n' && j.state == jsonFenceInfo {
			j.state = jsonStart
		}
	case j.state <= jsonFenceInfo:
		return j.start(s)
	case j.state == jsonEnd:
		return j.behind(s)
	case j.state == jsonColon:
		if c != ':' {
			return j.fail(Unexpected, 0)
		}
		j.state = jsonValue
	case j.state == jsonAfter:
		return j.after(c)
	case j.state == jsonFirstKey || j.state == jsonNextKey:
		return j.beginKey(c)
	case c == ']' && (j.state == jsonFirstItem || j.state == jsonNextItem):
		if j.state == jsonNextItem {
			j.mend(TrailingComma)
		}
		return j.close(Array)
	default:
		return j.value(c)
	}
	j.offset++
	return true
}

var jsonFence = []byte("```")

// start reads what may stand before the whole: white space that JSON does not have, and a code fence with its word.
func (j *JSON) start(s []byte) bool {
	n := foreignSpace(s)
	switch {
	case n > 0:
	case j.state == jsonStart && bytes.HasPrefix(s, jsonFence):
		j.state, n = jsonFenceInfo, len(jsonFence)
	case j.state == jsonStart && bytes.HasPrefix(jsonFence, s):
		return false
	case j.state == jsonFenceInfo && isName(s[0]) && s[0] < utf8.RuneSelf:
		n = 1
	default:
		j.state = jsonStart
		return j.value(s[0])
	}
	j.mend(AroundJSON)
	j.offset += n
	return true
}

// behind reads what may stand behind the whole: a bracket or a fence too many, and white space that JSON does not have.
func (j *JSON) behind(s []byte) bool {
	n := 1
	switch s[0] {
	case '}', ']':
		j.mend(StrayBracket)
	case '`':
		j.mend(AroundJSON)
	default:
		if n = foreignSpace(s); n == 0 {
			return j.fail(Trailing, 0)
		}
		j.mend(AroundJSON)
	}
	j.offset += n
	return true
}

// foreignSpace returns the length of the character at the front of s if it is white space of Unicode's, or a byte order mark.
func foreignSpace(s []byte) int {
	if r, n := utf8.DecodeRune(s); n > 1 && (unicode.IsSpace(r) || r == '\uFEFF') {
		return n
	}
	return 0
}

// after reads what follows a member or an item.
func (j *JSON) after(c byte) bool {
	object := j.objects[len(j.objects)-1]
	switch {
	case c == '}':
		return j.close(Object)
	case c == ']':
		return j.close(Array)
	case c != ',':
		return j.fail(Unexpected, 0)
	case object:
		j.state = jsonNextKey
	default:
		j.state = jsonNextItem
	}
	j.offset++
	return true
}

func (j *JSON) beginKey(c byte) bool {
	switch c {
	case '"':
		j.state, j.isKey, j.key = jsonString, true, j.key[:0]
	case '}':
		if j.state == jsonNextKey {
			j.mend(TrailingComma)
		}
		return j.close(Object)
	default:
		return j.fail(Unexpected, 0)
	}
	j.offset++
	return true
}

// value begins a value.
func (j *JSON) value(c byte) bool {
	switch {
	case c == '"':
		j.state, j.isKey = jsonString, false
		j.sink.Begin(String)
	case c == '{':
		j.state, j.objects = jsonFirstKey, append(j.objects, true)
		j.sink.Begin(Object)
	case c == '[':
		j.state, j.objects = jsonFirstItem, append(j.objects, false)
		j.sink.Begin(Array)
	case c == '-' || '0' <= c && c <= '9' || c == 't' || c == 'f' || c == 'n':
		j.state, j.word = jsonWord, 0
		return true
	default:
		return j.fail(Unexpected, 0)
	}
	j.offset++
	return true
}

// endWord reads a number or a literal, which begins s, when all of it is there.
func (j *JSON) endWord(s []byte, whole bool) bool {
	for j.word < len(s) && (isName(s[j.word]) && s[j.word] < utf8.RuneSelf || s[j.word] == '+') {
		j.word++
	}
	if j.word == len(s) && !whole {
		return false
	}
	word := s[:j.word]
	kind, known := literals[string(word)]
	if !known && len(word) == 1 && word[0] != '-' { // a digit, or what begins a literal
		known = '0' <= word[0] && word[0] <= '9'
		kind = Number
	}
	if !known {
		if n := validWord(word); n < len(s) && n <= len(word) {
			return j.fail(Unexpected, n)
		} else if n == len(word) {
			return false // the input ends in it
		}
		kind = Number
	}
	j.offset += len(word)
	j.valueDone()
	j.sink.Scalar(kind, word)
	return true
}

var literals = map[string]Kind{"true": Bool, "false": Bool, "null": Null}

// validWord returns how much of a word may begin a JSON value, and more than all of it for one that is whole.
func validWord(word []byte) int {
	if json.Valid(word) {
		return len(word) + 1
	}
	var syntax *json.SyntaxError
	errors.As(json.Unmarshal(append(bytes.Clone(word), ']'), new(any)), &syntax) // which no value that has not begun with [ goes on with
	return int(syntax.Offset) - 1
}

func (j *JSON) close(k Kind) bool {
	n := len(j.objects)
	if n == 0 || j.objects[n-1] != (k == Object) {
		return j.fail(Unexpected, 0)
	}
	j.objects = j.objects[:n-1]
	j.offset++
	j.valueDone()
	j.sink.End(k)
	return true
}

func (j *JSON) valueDone() {
	j.state = jsonAfter
	if len(j.objects) == 0 {
		j.state = jsonEnd
	}
}
