package toolcall

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of a JSON value. None stands for the end of what can be read.
const (
	None Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// JSON reads one JSON value (RFC 8259) from a text, in order, and mends what models often get wrong. Lone surrogates become U+FFFD. The
// parser asks for one thing after the other: Value begins a value; Part reads on in a string, Item in an array and Key in an object; Skip
// reads the rest of any value.
type JSON struct {
	// Fault is why reading stopped, and Found the character at which it did.
	Fault Fault
	Found rune
	// Mended is the first fault that was let pass.
	Mended Fault
	// At is up to where the text was read, and Start where the last value begins.
	At, Start int

	more  func() (text string, more bool)
	raw   string // all of the text so far
	begun bool   // a value has
	first bool   // the innermost array or object has just begun
	ended bool   // the text ended before the value
	fault int    // where the Fault is, or else what was mended first
	open  []Kind // arrays and objects that are skipped

	from, to int  // of the characters of the string that is read, or was read last
	inString bool // its end was not read
	decoded  bool // they do not stand for themselves, and are in words
	words    strings.Builder
}

// Init makes j a reader of a new text. More blocks until there is more of it, and returns all of it so far; nil if nothing follows.
func (j *JSON) Init(text string, more func() (text string, more bool)) {
	*j = JSON{raw: text, more: more, open: j.open[:0]}
}

// Cut reports whether the text ended before the value.
func (j *JSON) Cut() bool { return j.ended }

// Stopped reports whether nothing more can be read, since the text has ended or because of a fault.
func (j *JSON) Stopped() bool { return j.ended || j.Fault != NoFault }

// Raw returns the text from a place on as far as it was read.
func (j *JSON) Raw(from int) string { return j.raw[from:j.At] }

// fill blocks until there is more of the text, and reports whether there is.
func (j *JSON) fill() (more bool) {
	if j.more != nil {
		j.raw, more = j.more()
	}
	return more
}

// peek returns the next byte; not ok at the end of the text.
func (j *JSON) peek() (c byte, ok bool) {
	if j.Stopped() {
		return 0, false
	}
	if j.At == len(j.raw) && !j.fill() {
		j.ended = true
		return 0, false
	}
	return j.raw[j.At], true
}

// solid returns the next byte that is no white space.
func (j *JSON) solid() (c byte, ok bool) {
	for c, ok = j.peek(); ok && isSpace(c); c, ok = j.peek() {
		j.At++
	}
	return c, ok
}

// fail stops reading, because of the character at the place.
func (j *JSON) fail(f Fault, at int) Kind {
	r, n := utf8.DecodeRuneInString(j.raw[at:])
	j.Fault, j.Found, j.fault, j.At = f, r, at, at+n
	return None
}

// mend notes a fault that is let pass.
func (j *JSON) mend(f Fault) {
	if j.Mended == NoFault {
		j.Mended, j.fault = f, j.At
	}
}

// kindOf is the kind of the value that a character begins.
var kindOf = [256]Kind{
	'"': String, '[': Array, '{': Object, 't': Bool, 'f': Bool, 'n': Null, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number, '5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// Value begins the next value, and reads all of it if it is a null, a boolean or a number.
func (j *JSON) Value() Kind {
	fault := Unexpected
	if !j.begun {
		j.before()
		fault = NoJSON
	}
	c, ok := j.solid()
	if !ok {
		return None
	}
	j.Start, j.begun = j.At, true
	kind := kindOf[c]
	switch {
	case kind == None:
		return j.fail(fault, j.At)
	case kind < String:
		return j.word(kind)
	}
	j.At++
	if j.first = kind != String; !j.first {
		j.begin()
	}
	return kind
}

const jsonFence = "```"

// before reads what may stand before the whole: white space that JSON does not have, and a code fence with its word.
func (j *JSON) before() {
	for {
		c, ok := j.solid()
		if !ok {
			return
		}
		n := foreignSpace(j.raw[j.At:])
		if c == jsonFence[0] {
			for len(j.raw)-j.At < len(jsonFence) && j.fill() {
			}
			if strings.HasPrefix(j.raw[j.At:], jsonFence) {
				n = len(jsonFence)
			}
		}
		if n == 0 {
			return
		}
		j.mend(AroundJSON)
		if j.At += n; c == jsonFence[0] {
			for c, ok = j.peek(); ok && (classOf[c] >= letter && c < utf8.RuneSelf || c == ' ' || c == '\t'); c, ok = j.peek() {
				j.At++
			}
		}
	}
}

// End reads stray brackets, fences and white space after the value. It reports whether a value was read, and nothing else follows.
func (j *JSON) End() bool {
	for !j.Stopped() && (j.At < len(j.raw) || j.fill()) {
		c, n := j.raw[j.At], 1
		switch {
		case isSpace(c):
		case c == '}' || c == ']':
			j.mend(StrayBracket)
		case c == '`':
			j.mend(AroundJSON)
		default:
			if n = foreignSpace(j.raw[j.At:]); n == 0 {
				j.fail(Trailing, j.At)
				return false
			}
			j.mend(AroundJSON)
		}
		j.At += n
	}
	return !j.Stopped()
}

// foreignSpace returns the length of the character at the front of s if it is white space of Unicode's, or a byte order mark.
func foreignSpace(s string) int {
	if r, n := utf8.DecodeRuneInString(s); n > 1 && (unicode.IsSpace(r) || r == '\uFEFF') {
		return n
	}
	return 0
}

// Item reports whether there is another item in the array that is open.
func (j *JSON) Item() bool { return j.next(']') }

// Key reports whether there is another member in the object that is open, and reads its name, which Text returns then.
func (j *JSON) Key() bool {
	if !j.next('}') {
		return false
	}
	if j.raw[j.At] != '"' {
		j.fail(Unexpected, j.At)
		return false
	}
	j.At++
	j.begin()
	for j.Part() {
	}
	if c, ok := j.solid(); !ok || c != ':' {
		if ok {
			j.fail(Unexpected, j.At)
		}
		return false
	}
	j.At++
	return true
}

// next goes on to the next item or member, unless the closing bracket comes.
func (j *JSON) next(closing byte) bool {
	c, ok := j.solid()
	comma := ok && !j.first && c == ','
	if comma {
		j.At++
		c, ok = j.solid()
	}
	first := j.first
	j.first = false
	switch {
	case !ok:
		return false
	case c == closing:
		if comma {
			j.mend(TrailingComma)
		}
		j.At++
		return false
	case !comma && !first:
		j.fail(Unexpected, j.At)
		return false
	}
	return true
}

// Skip reads the rest of a value of the kind that has begun.
func (j *JSON) Skip(k Kind) {
	for open := j.open[:0]; ; k = j.Value() {
		switch k {
		case String:
			for j.Part() {
			}
		case Array, Object:
			open = append(open, k)
		}
		for more := false; !more; {
			n := len(open)
			if n == 0 || j.Stopped() {
				j.open = open
				return
			}
			if open[n-1] == Object {
				more = j.Key()
			} else {
				more = j.Item()
			}
			if !more {
				open = open[:n-1]
			}
		}
	}
}

// word reads a number or a literal of the kind.
func (j *JSON) word(kind Kind) Kind {
	end := j.At
	for ; end < len(j.raw) || j.fill(); end++ {
		if c := j.raw[end]; (classOf[c] < letter || c >= utf8.RuneSelf) && c != '+' {
			break
		}
	}
	word := j.raw[j.At:end]
	switch n := validWord(word); {
	case n > len(word):
		j.At = end
		return kind
	case j.At+n < len(j.raw):
		return j.fail(Unexpected, j.At+n)
	}
	j.ended = true
	return None
}

// validWord returns how much of a word may begin a JSON value, and more than all of it for one that is whole.
func validWord(word string) int {
	if len(word) == 1 && isDigit(word[0]) || json.Valid([]byte(word)) {
		return len(word) + 1
	}
	var syntax *json.SyntaxError
	errors.As(json.Unmarshal([]byte(word+"]"), new(any)), &syntax) // which no value that has not begun with [ goes on with
	return int(syntax.Offset) - 1
}

func (j *JSON) begin() { j.inString, j.decoded, j.from, j.to = true, false, j.At, j.At }

// Text returns what was read of the string.
func (j *JSON) Text() string {
	if j.decoded {
		return j.words.String()
	}
	return j.raw[j.from:j.to]
}

// Part reads more of the string, and reports whether there was any before its end.
func (j *JSON) Part() bool {
	for before := j.to; j.inString && j.to == before; {
		c, ok := j.peek()
		switch {
		case !ok:
			return false
		case c == '"':
			j.At++
			j.inString = false
		case c == '\\':
			if !j.escape() {
				return false
			}
		case c < ' ':
			j.mend(ControlInString)
			j.put(j.raw[j.At:j.At+1], 1)
		default:
			n := until(j.raw[j.At:], &stringStops)
			j.put(j.raw[j.At:j.At+n], n)
		}
	}
	return j.inString
}

// stringStops are the bytes that do not stand for themselves in a string.
var stringStops = func() [256]bool {
	set := stops(`"\`)
	for c := range byte(' ') {
		set[c] = true
	}
	return set
}()

// put adds characters to the string, for which n bytes stand.
func (j *JSON) put(text string, n int) {
	if j.At += n; j.decoded {
		makeRoom(&j.words, len(text))
		j.words.WriteString(text)
	}
	j.to += len(text)
}

// decode goes on with the string as one that does not stand for itself.
func (j *JSON) decode() {
	if !j.decoded {
		text := j.Text()
		j.words, j.decoded = strings.Builder{}, true
		j.words.WriteString(text)
	}
}

const escapes = `"\/bfnrt`

const escaped = "\"\\/\b\f\n\r\t" // what each of them stands for

// escape reads what begins with a backslash. Where JSON does not have the escape, the backslash is taken for what a shell or a
// script would need, or stays where it is part of a pattern or path. It returns false where reading stops.
func (j *JSON) escape() bool {
	for len(j.raw)-j.At < 2 {
		if !j.fill() {
			j.ended = true
			return false
		}
	}
	c := j.raw[j.At+1]
	i := strings.IndexByte(escapes, c)
	switch {
	case c == 'u':
		return j.unicode()
	case i >= 0:
		j.decode()
		j.put(escaped[i:i+1], 2)
		return true
	}
	j.mend(BadEscape)
	if c == '\'' || c == '$' || c == '`' {
		j.decode()
		j.At++
		return true
	}
	j.put(`\`, 1)
	return true
}

// unicode reads \uXXXX, or two of them that stand for one character; a lone surrogate becomes U+FFFD.
func (j *JSON) unicode() bool {
	r, n := j.codeUnit(j.At)
	if n > 0 && utf16.IsSurrogate(r) {
		low, more := j.codeUnit(j.At + n)
		if more == 0 {
			return false
		}
		if r = utf16.DecodeRune(r, low); more > 0 && r != utf8.RuneError {
			n += more
		} else {
			r = utf8.RuneError
		}
	}
	if n < 0 {
		j.fail(BadEscape, j.At-1-n)
	}
	if n <= 0 {
		return false
	}
	j.decode()
	j.put(string(r), n)
	return true
}

// codeUnit reads the \uXXXX at a place, of n bytes. N is 0 at the end of the text, and where the byte at i is wrong, -1-i.
func (j *JSON) codeUnit(at int) (code rune, n int) {
	const length = len(`\uXXXX`)
	for i := range length {
		if at+i == len(j.raw) && !j.fill() {
			j.ended = true
			return 0, 0
		}
		if c := j.raw[at+i]; i < 2 && c != `\u`[i] || i >= 2 && strings.IndexByte("0123456789abcdefABCDEF", c) < 0 {
			return 0, -1 - i
		}
	}
	unit, _ := strconv.ParseUint(j.raw[at+2:at+length], 16, 16)
	return rune(unit), length
}

// Spot returns the text, and the place in it of the fault at which reading stopped, or else of what was mended first.
func (j *JSON) Spot() (text string, at int) {
	j.fill() // to quote what follows
	return j.raw, j.fault
}

// All returns the text so far.
func (j *JSON) All() string { return j.raw }
