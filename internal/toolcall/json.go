package toolcall

import (
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

// JSON reads one JSON value (RFC 8259), cut anywhere, and mends what models often get wrong. Invalid UTF-8 and lone surrogates
// become U+FFFD.
type JSON struct {
	// Fault is why reading stopped, and Found the character at which it did.
	Fault Fault
	Found rune
	// Mended is the first fault that was let pass.
	Mended Fault

	keyRoom     [16]byte // for most keys
	objectsRoom [8]bool  // for as many containers as most texts have

	sink    JSONSink
	state   jsonState
	clean   cleaner
	offset  int // bytes read, of the cleaned input
	place   place
	spot    Spot    // of the fault, or else of what was mended first
	quote   capture // what stands there
	kept    capture // the value that is kept
	objects []bool  // the open containers; true for an object
	isKey   bool    // the string that is open is a key
	key     []byte
	fence   int    // backticks of the fence that was read
	word    string // the literal that is read
	at      int    // bytes of it, or of a \u escape, that were read
	code    rune   // of a \u escape
	high    rune   // a high surrogate that waits for its other half, or 0
	number  numberState
	digits  []byte            // the number that is read, with all that belongs to it
	buf     [utf8.UTFMax]byte // of an escape's character
}

// NewJSON returns a reader that tells sink what it finds.
func NewJSON(sink JSONSink) *JSON {
	j := &JSON{sink: sink}
	j.key, j.objects, j.place.line = j.keyRoom[:0], j.objectsRoom[:0], 1
	return j
}

// Offset returns how many bytes were read before what the sink is told about now; what ends is counted.
func (j *JSON) Offset() int { return j.offset }

// InString reports whether a string value is open, and nothing in it is incomplete: what is PlainString then would reach
// StringPart as it is, and the caller may take it by itself.
func (j *JSON) InString() bool {
	return j.state == jsonString && !j.isKey && j.high == 0 && j.clean.n == 0 && !j.kept.on && !j.quote.on
}

// Skip tells of bytes that the caller has taken by itself.
func (j *JSON) Skip(n int) { j.offset += n }

// Append reads the next bytes.
func (j *JSON) Append(b []byte) {
	j.read(j.clean.next(b))
}

// End tells that there is no more, and returns whether a whole value was read.
func (j *JSON) End() (whole bool) {
	j.read(j.clean.end())
	if j.state == jsonNumber && j.number.complete() && len(j.objects) == 0 {
		j.endNumber()
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
	j.mark()
}

// mend notes a fault that is let pass.
func (j *JSON) mend(f Fault) {
	if j.Mended == NoFault {
		j.Mended = f
		j.mark()
	}
}

func (j *JSON) read(b []byte) {
	j.kept.begin(b, j.offset)
	j.quote.begin(b, j.offset)
	for len(b) > 0 && j.state != jsonFailed {
		n := 1
		switch j.state {
		case jsonString:
			b = b[j.stringPart(b):]
			continue
		case jsonEscape:
			n = j.escape(b)
		case jsonUnicode:
			j.unicode(b)
		case jsonNumber:
			n = j.digit(b)
		case jsonLiteral:
			if b[0] != j.word[j.at] {
				j.fail(Unexpected, b)
			} else if j.at++; j.at == len(j.word) {
				j.scalar(literals[j.word], j.word)
			}
		default:
			n = j.between(b)
		}
		j.offset += n
		b = b[n:]
	}
	j.kept.to(j.offset)
	if j.quote.to(j.offset); j.state == jsonFailed {
		j.quote.add(b)
	}
}

// between reads what stands between values.
func (j *JSON) between(b []byte) int {
	c := b[0]
	switch {
	case isSpace(c):
		if c == '\n' {
			j.place.newLine(j.offset)
			if j.state == jsonFenceInfo {
				j.state = jsonStart
			}
		}
	case j.state <= jsonFenceInfo:
		return j.start(b)
	case j.state == jsonEnd:
		return j.behind(b)
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

// start reads what may stand before the whole: white space that JSON does not have, and a code fence with its word.
func (j *JSON) start(b []byte) int {
	c := b[0]
	if n := foreignSpace(b); n > 0 && (j.fence == 0 || j.fence >= 3) {
		j.mend(AroundJSON)
		return n
	}
	switch {
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

// behind reads what may stand behind the whole: a bracket or a fence too many, and white space that JSON does not have.
func (j *JSON) behind(b []byte) int {
	switch c := b[0]; {
	case c == '}' || c == ']':
		j.mend(StrayBracket)
	case c == '`':
		j.mend(AroundJSON)
	default:
		if n := foreignSpace(b); n > 0 {
			j.mend(AroundJSON)
			return n
		}
		j.fail(Trailing, b)
	}
	return 1
}

// foreignSpace returns the length of the character at the front of b if it is white space of Unicode's, or a byte order mark.
func foreignSpace(b []byte) int {
	if b[0] < utf8.RuneSelf {
		return 0
	}
	if r, n := utf8.DecodeRune(b); unicode.IsSpace(r) || r == '\uFEFF' {
		return n
	}
	return 0
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
		j.sink.Begin(String)
	case c == '{':
		j.open(Object, jsonFirstKey)
	case c == '[':
		j.open(Array, jsonFirstItem)
	case c == 't':
		j.state, j.word, j.at = jsonLiteral, "true", 1
	case c == 'f':
		j.state, j.word, j.at = jsonLiteral, "false", 1
	case c == 'n':
		j.state, j.word, j.at = jsonLiteral, "null", 1
	case c == '-' || '0' <= c && c <= '9':
		j.state, j.number, j.digits = jsonNumber, numberStart, append(j.digits[:0], c)
		j.number.step(c)
	default:
		j.fail(Unexpected, b)
	}
}

var literals = map[string]Kind{"true": Bool, "false": Bool, "null": Null}

// scalar tells of a literal whose last character is read now.
func (j *JSON) scalar(k Kind, text string) {
	j.digits = append(j.digits[:0], text...)
	j.offset++
	j.valueDone()
	j.sink.Scalar(k, j.digits)
	j.offset--
}

// digit reads on in a number, and returns how many bytes of b belong to it.
func (j *JSON) digit(b []byte) int {
	switch {
	case j.number.step(b[0]):
		j.digits = append(j.digits, b[0])
		return 1
	case !j.number.complete():
		j.fail(Unexpected, b)
	default:
		j.endNumber()
	}
	return 0
}

func (j *JSON) endNumber() {
	j.valueDone()
	j.sink.Scalar(Number, j.digits)
}

func (j *JSON) open(k Kind, next jsonState) {
	j.objects = append(j.objects, k == Object)
	j.state = next
	j.sink.Begin(k)
}

func (j *JSON) close(object bool, b []byte) {
	n := len(j.objects)
	if n == 0 || j.objects[n-1] != object {
		j.fail(Unexpected, b)
		return
	}
	j.objects = j.objects[:n-1]
	j.valueDone()
	j.offset++
	if object {
		j.sink.End(Object)
	} else {
		j.sink.End(Array)
	}
	j.offset--
}

func (j *JSON) valueDone() {
	j.state = jsonAfter
	if len(j.objects) == 0 {
		j.state = jsonEnd
	}
}
