package toolcall

import (
	"bytes"
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
	// Value tells that a value begins. Strings, arrays and objects end with EndString and EndContainer.
	Value(k Kind)
	// StringPart takes decoded characters of the string that is open, whole ones.
	StringPart(b []byte)
	EndString()
	EndContainer()
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
	jsonAfter // a comma or a closing bracket
	jsonEnd   // nothing but what may stand after the whole
	jsonString
	jsonEscape  // after a backslash
	jsonUnicode // in the digits of \u
	jsonNumber
	jsonLiteral
	jsonFailed
)

const maxKey = 64 // bytes of a key that are kept

// JSON reads one JSON value (RFC 8259), cut anywhere, and mends what models often get wrong. Invalid UTF-8
// and lone surrogates become U+FFFD.
type JSON struct {
	// Mended is the first fault that was let pass.
	Mended Fault
	// Fault is why reading stopped, and Found the character at which it did.
	Fault Fault
	Found rune

	keyRoom     [16]byte // for most keys
	objectsRoom [8]bool  // for as many containers as most texts have

	sink    JSONSink
	state   jsonState
	clean   cleaner
	offset  int    // bytes read, of the cleaned input
	objects []bool // the open containers; true for an object
	isKey   bool   // the string that is open is a key
	key     []byte
	fence   int    // backticks of the fence that was read
	word    string // the literal that is read
	at      int    // bytes of it, or of a \u escape, that were read
	code    rune   // of a \u escape
	high    rune   // a high surrogate that waits for its other half, or 0
	number  numberState
	buf     [utf8.UTFMax]byte // of an escape's character
	kept    kept
}

// NewJSON returns a reader that tells sink what it finds.
func NewJSON(sink JSONSink) *JSON {
	j := &JSON{sink: sink}
	j.key, j.objects = j.keyRoom[:0], j.objectsRoom[:0]
	return j
}

// Offset returns how many bytes were read before what the sink is told about now; before the end of a string, its closing
// quote is counted.
func (j *JSON) Offset() int { return j.offset }

// InString reports whether a string value is open, and nothing in it is incomplete: what is PlainString then would reach
// StringPart as it is, and the caller may take it by itself.
func (j *JSON) InString() bool {
	return j.state == jsonString && !j.isKey && j.high == 0 && j.clean.n == 0
}

// Skip tells of bytes that the caller has taken by itself.
func (j *JSON) Skip(n int) { j.offset += n }

// Append reads the next bytes.
func (j *JSON) Append(b []byte) {
	for len(b) > 0 || j.clean.pending() {
		var clean []byte
		clean, b = j.clean.next(b)
		j.read(clean)
	}
}

// End tells that there is no more, and returns whether a whole value was read.
func (j *JSON) End() (whole bool) {
	j.read(j.clean.end())
	if j.state == jsonNumber && j.number.complete() && len(j.objects) == 0 {
		j.state = jsonEnd
	}
	return j.state == jsonEnd
}

// Failed reports whether reading stopped.
func (j *JSON) Failed() bool { return j.state == jsonFailed }

func (j *JSON) fail(f Fault, b []byte) {
	if f == Unexpected && j.state == jsonStart {
		f = NoJSON
	}
	j.state, j.Fault = jsonFailed, f
	j.Found, _ = utf8.DecodeRune(b)
}

// mend notes a fault that is let pass.
func (j *JSON) mend(f Fault) {
	if j.Mended == NoFault {
		j.Mended = f
	}
}

func (j *JSON) read(b []byte) {
	j.kept.begin(b, j.offset)
	for len(b) > 0 && j.state != jsonFailed {
		n := 1
		switch j.state {
		case jsonString:
			b = b[j.stringPart(b):]
			continue
		case jsonEscape:
			j.escape(b)
		case jsonUnicode:
			j.unicode(b)
		case jsonNumber:
			if !j.number.step(b[0]) {
				n = 0
				if !j.number.complete() {
					j.fail(Unexpected, b)
				} else {
					j.valueDone()
				}
			}
		case jsonLiteral:
			if b[0] != j.word[j.at] {
				j.fail(Unexpected, b)
			} else if j.at++; j.at == len(j.word) {
				j.valueDone()
			}
		default:
			n = j.between(b)
		}
		j.offset += n
		b = b[n:]
	}
	if j.kept.on {
		j.keepTo(j.offset)
	}
	j.kept.chunk = nil
}

// between reads what stands between values.
func (j *JSON) between(b []byte) int {
	c := b[0]
	switch {
	case isSpace(c):
		if j.state == jsonFenceInfo && c == '\n' {
			j.state = jsonStart
		}
	case j.state <= jsonFenceInfo:
		return j.start(b)
	case j.state == jsonEnd:
		if c != '`' || j.fence < 3 || j.fence >= 6 {
			j.fail(Trailing, b)
		}
		j.fence++
	case j.state == jsonColon:
		if j.state = jsonValue; c != ':' {
			j.fail(Unexpected, b)
		}
	case j.state == jsonAfter:
		j.after(b)
	case j.state == jsonFirstKey || j.state == jsonNextKey:
		j.objectKey(b)
	case c == ']' && (j.state == jsonFirstItem || j.state == jsonNextItem):
		if j.state == jsonNextItem {
			j.mend(TrailingComma)
		}
		j.close(false, b)
	default:
		j.value(b)
	}
	return 1
}

// start reads what may stand before the whole: a byte order mark, and a code fence with its word.
func (j *JSON) start(b []byte) int {
	c := b[0]
	switch {
	case bytes.HasPrefix(b, []byte("\uFEFF")) && j.fence == 0:
		j.mend(AroundJSON)
		return len("\uFEFF")
	case c == '`' && j.fence < 3:
		j.mend(AroundJSON)
		if j.fence++; j.fence == 3 {
			j.state = jsonFenceInfo
		}
	case j.fence == 1 || j.fence == 2:
		j.fail(NoJSON, b)
	case j.state == jsonFenceInfo && isName(c) && c < 0x80:
	default:
		j.state = jsonStart
		j.value(b)
	}
	return 1
}

// after reads what follows a member or an item.
func (j *JSON) after(b []byte) {
	object := j.objects[len(j.objects)-1]
	switch {
	case b[0] == ',' && object:
		j.state = jsonNextKey
	case b[0] == ',':
		j.state = jsonNextItem
	case b[0] == '}' && object, b[0] == ']' && !object:
		j.close(object, b)
	default:
		j.fail(Unexpected, b)
	}
}

func (j *JSON) objectKey(b []byte) {
	switch b[0] {
	case '"':
		j.state, j.isKey, j.key = jsonString, true, j.key[:0]
	case '}':
		if j.state == jsonNextKey {
			j.mend(TrailingComma)
		}
		j.close(true, b)
	default:
		j.fail(Unexpected, b)
	}
}

func (j *JSON) value(b []byte) {
	switch c := b[0]; {
	case c == '"':
		j.state, j.isKey = jsonString, false
		j.sink.Value(String)
	case c == '{':
		j.open(Object, jsonFirstKey)
	case c == '[':
		j.open(Array, jsonFirstItem)
	case c == 't':
		j.literal("true", Bool)
	case c == 'f':
		j.literal("false", Bool)
	case c == 'n':
		j.literal("null", Null)
	case c == '-' || '0' <= c && c <= '9':
		j.state, j.number = jsonNumber, numberStart
		j.number.step(c)
		j.sink.Value(Number)
	default:
		j.fail(Unexpected, b)
	}
}

func (j *JSON) literal(word string, k Kind) {
	j.state, j.word, j.at = jsonLiteral, word, 1
	j.sink.Value(k)
}

func (j *JSON) open(k Kind, next jsonState) {
	j.objects = append(j.objects, k == Object)
	j.state = next
	j.sink.Value(k)
}

func (j *JSON) close(object bool, b []byte) {
	if n := len(j.objects); n > 0 && j.objects[n-1] == object {
		j.objects = j.objects[:n-1]
		j.valueDone()
		j.sink.EndContainer()
		return
	}
	j.fail(Unexpected, b)
}

func (j *JSON) valueDone() {
	j.state = jsonAfter
	if len(j.objects) == 0 {
		j.state = jsonEnd
	}
}

// numberState is where in a number (RFC 8259, section 6) a reader stands.
type numberState uint8

const (
	numberStart numberState = iota
	numberMinus
	numberZero
	numberInt
	numberPoint
	numberFraction
	numberE
	numberSign
	numberExponent
)

// complete reports whether the number may end here.
func (s numberState) complete() bool {
	return s == numberZero || s == numberInt || s == numberFraction || s == numberExponent
}

// step takes the next character, and returns false if it does not go on the number.
func (s *numberState) step(c byte) bool {
	digit := '0' <= c && c <= '9'
	next := *s
	switch *s {
	case numberStart, numberMinus:
		switch {
		case c == '-' && *s == numberStart:
			next = numberMinus
		case c == '0':
			next = numberZero
		case digit:
			next = numberInt
		default:
			return false
		}
	case numberZero, numberInt, numberFraction:
		switch {
		case digit && *s != numberZero:
		case c == '.' && *s != numberFraction:
			next = numberPoint
		case c == 'e' || c == 'E':
			next = numberE
		default:
			return false
		}
	case numberPoint:
		next = numberFraction
		if !digit {
			return false
		}
	default:
		if next = numberExponent; !digit {
			if *s != numberE || c != '+' && c != '-' {
				return false
			}
			next = numberSign
		}
	}
	*s = next
	return true
}
