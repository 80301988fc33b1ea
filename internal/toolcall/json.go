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

// The kinds of a JSON value. None means that no value could be read.
const (
	None Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// JSON is a pull parser of one JSON value (RFC 8259). It repairs common mistakes of models, and replaces lone surrogates by U+FFFD. Value
// begins a value. Part continues a string, Item an array and Key an object. Skip reads the rest of any value.
type JSON struct {
	// Fault is why reading stopped, and Found the character there.
	Fault Fault
	Found rune
	// Mended is the first repaired fault.
	Mended Fault
	// At is the offset of the next unread byte, and Start that of the last value.
	At, Start int

	more    func() (text string, more bool)
	raw     string // the text so far
	started bool   // a value has begun
	first   bool   // the innermost array or object has just begun
	ended   bool   // the text ended before the end of the value
	faultAt int    // offset of Fault, or else of Mended
	stack   []Kind // open arrays and objects in Skip, reused

	// The current or last string:

	from, to int  // its text in raw, unless buffered
	inString bool // its end was not read yet
	buffered bool // it has escapes; its text is in buf
	buf      strings.Builder
}

// Init resets j to read a new text. more blocks until new text arrives and returns all text so far, like Feed.More. If more is nil,
// text is complete.
func (j *JSON) Init(text string, more func() (text string, more bool)) {
	*j = JSON{raw: text, more: more, stack: j.stack[:0]}
}

// Cut reports whether the text ended before the end of the value.
func (j *JSON) Cut() bool { return j.ended }

// Stopped reports whether reading has stopped, at a fault or because the text ended too early.
func (j *JSON) Stopped() bool { return j.ended || j.Fault != NoFault }

// Raw returns the text from an offset to At.
func (j *JSON) Raw(from int) string { return j.raw[from:j.At] }

// fill blocks until new text arrives, and returns false at the end.
func (j *JSON) fill() (more bool) {
	if j.more != nil {
		j.raw, more = j.more()
	}
	return more
}

// need reports whether the text has n more bytes. It blocks until they arrive.
func (j *JSON) need(n int) bool {
	for len(j.raw)-j.At < n {
		if !j.fill() {
			return false
		}
	}
	return true
}

// peek returns the next byte. It returns false at the end of the text or after a fault.
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

// peekNonSpace skips white space and returns the next byte.
func (j *JSON) peekNonSpace() (c byte, ok bool) {
	for c, ok = j.peek(); ok && isSpace(c); c, ok = j.peek() {
		j.At++
	}
	return c, ok
}

// fail stops reading because of the character at an offset.
func (j *JSON) fail(f Fault, at int) Kind {
	r, n := utf8.DecodeRuneInString(j.raw[at:])
	j.Fault, j.Found, j.faultAt, j.At = f, r, at, at+n
	return None
}

// mend records a repaired fault at j.At, unless there is an earlier one.
func (j *JSON) mend(f Fault) {
	if j.Mended == NoFault {
		j.Mended, j.faultAt = f, j.At
	}
}

// kindOf maps the first character of a value to its kind.
var kindOf = [256]Kind{
	'"': String, '[': Array, '{': Object, 't': Bool, 'f': Bool, 'n': Null, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number, '5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// Value begins the next value and returns its kind. It reads a null, boolean or number completely.
func (j *JSON) Value() Kind {
	fault := Unexpected
	if !j.started {
		j.skipPrologue()
		fault = NoJSON
	}
	c, ok := j.peekNonSpace()
	if !ok {
		return None
	}
	j.Start, j.started = j.At, true
	kind := kindOf[c]
	switch {
	case kind == None:
		return j.fail(fault, j.At)
	case kind < String:
		return j.scalar(kind)
	}
	j.At++
	if j.first = kind != String; !j.first {
		j.beginString()
	}
	return kind
}

const jsonFence, jsonWord = "```", "json"

// skipPrologue skips white space, code fences with their info strings, and the word json, before the value.
func (j *JSON) skipPrologue() {
	for c, ok := j.peekNonSpace(); ok; c, ok = j.peekNonSpace() {
		n := extraSpace(j.raw[j.At:])
		if c == jsonFence[0] && j.need(len(jsonFence)) && strings.HasPrefix(j.raw[j.At:], jsonFence) {
			n = len(jsonFence)
		} else if word := len(jsonWord); c|0x20 == jsonWord[0] && j.need(word) && strings.EqualFold(j.raw[j.At:j.At+word], jsonWord) {
			n = word
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

// End skips stray brackets, fences and white space after the value. It reports whether the value is complete and no other text follows.
func (j *JSON) End() bool {
	for !j.Stopped() && j.need(1) {
		c, n := j.raw[j.At], max(1, extraSpace(j.raw[j.At:]))
		switch {
		case isSpace(c):
		case c == '}' || c == ']':
			j.mend(StrayBracket)
		case c == '`' || n > 1:
			j.mend(AroundJSON)
		default:
			j.fail(Trailing, j.At)
			return false
		}
		j.At += n
	}
	return !j.Stopped()
}

// extraSpace returns the length of the first character of s if it is non-ASCII white space or a byte order mark; otherwise 0.
func extraSpace(s string) int {
	if r, n := utf8.DecodeRuneInString(s); n > 1 && (unicode.IsSpace(r) || r == '\uFEFF') {
		return n
	}
	return 0
}

// Item reports whether the open array has another item.
func (j *JSON) Item() bool { return j.next(']') }

// Key reports whether the open object has another member, and reads its name, which Text then returns.
func (j *JSON) Key() bool {
	if !j.next('}') {
		return false
	}
	if j.raw[j.At] != '"' {
		j.fail(Unexpected, j.At)
		return false
	}
	j.At++
	j.beginString()
	for j.Part() {
	}
	if c, ok := j.peekNonSpace(); !ok || c != ':' {
		if ok {
			j.fail(Unexpected, j.At)
		}
		return false
	}
	j.At++
	return true
}

// next advances to the next item or member. It returns false at the closing bracket.
func (j *JSON) next(closing byte) bool {
	c, ok := j.peekNonSpace()
	first, comma := j.first, c == ',' && !j.first
	if j.first = false; comma {
		j.At++
		c, ok = j.peekNonSpace()
	}
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

// Skip reads the rest of the value that Value has begun, of the kind k.
func (j *JSON) Skip(k Kind) {
	for open := j.stack[:0]; ; k = j.Value() {
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
				j.stack = open
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

// scalar reads a number, boolean or null.
func (j *JSON) scalar(kind Kind) Kind {
	end := j.At
	for ; end < len(j.raw) || j.fill(); end++ {
		if c := j.raw[end]; (classOf[c] < letter || c >= utf8.RuneSelf) && c != '+' {
			break
		}
	}
	word := j.raw[j.At:end]
	switch n := validPrefix(word); {
	case n > len(word):
		j.At = end
		return kind
	case j.At+n < len(j.raw):
		return j.fail(Unexpected, j.At+n)
	}
	j.ended = true
	return None
}

// validPrefix returns the length of the longest prefix of word that can begin a JSON value, or len(word)+1 if word is a value.
func validPrefix(word string) int {
	if len(word) == 1 && isDigit(word[0]) || json.Valid([]byte(word)) {
		return len(word) + 1
	}
	var syntax *json.SyntaxError
	errors.As(json.Unmarshal([]byte(word+"]"), new(any)), &syntax) // ] is invalid inside any such value, so there is an error
	return int(syntax.Offset) - 1
}

func (j *JSON) beginString() { j.inString, j.buffered, j.from, j.to = true, false, j.At, j.At }

// Text returns the text of the current or last string, as far as it was read.
func (j *JSON) Text() string {
	if j.buffered {
		return j.buf.String()
	}
	return j.raw[j.from:j.to]
}

// Part reads more of the string, up to its end or the end of the text so far. It returns false at the end of the string.
func (j *JSON) Part() bool {
	for before := j.to; j.inString; {
		if j.to > before && len(j.raw)-j.At < len(`\ud83d\ude00`) { // an escape may need more text
			return true
		}
		c, ok := j.peek()
		switch {
		case !ok:
			return false
		case c == '"' && j.to > before:
			return true
		case c == '"':
			j.At++
			j.inString = false
		case c == '\\':
			if !j.escape() {
				return j.to > before
			}
		case c < ' ':
			j.mend(ControlInString)
			j.put(j.raw[j.At:j.At+1], 1)
		default:
			n := indexAny(j.raw[j.At:], &stringStops)
			j.put(j.raw[j.At:j.At+n], n)
		}
	}
	return false
}

// stringStops are the bytes that need special treatment in a string.
var stringStops = func() [256]bool {
	set := stops(`"\`)
	for c := range byte(' ') {
		set[c] = true
	}
	return set
}()

// put consumes n bytes and appends the text that they encode to the string. If the two differ, it switches the string from a substring
// of raw to a buffer.
func (j *JSON) put(text string, n int) {
	if !j.buffered && len(text) != n {
		before := j.Text()
		j.buf, j.buffered = strings.Builder{}, true
		j.buf.WriteString(before)
	}
	if j.At += n; j.buffered {
		reserve(&j.buf, len(text))
		j.buf.WriteString(text)
	}
	j.to += len(text)
}

// escapes are the characters that may follow a backslash, first those of the grammar, and escaped those that they encode. Shells and
// scripts use the others.
const (
	escapes = `"\/bfnrt` + "'$`"
	escaped = "\"\\/\b\f\n\r\t" + "'$`"
)

// escape reads an escape. In unknown ones, such as those in patterns and paths, it keeps the backslash. It returns false if reading stops.
func (j *JSON) escape() bool {
	if !j.need(2) {
		j.ended = true
		return false
	}
	c := j.raw[j.At+1]
	if c == 'u' {
		return j.unicodeEscape()
	}
	i := strings.IndexByte(escapes, c)
	if i < 0 || c == '\'' || c == '$' || c == '`' {
		j.mend(BadEscape)
	}
	if i < 0 {
		j.put(`\`, 1)
	} else {
		j.put(escaped[i:i+1], 2)
	}
	return true
}

// unicodeEscape reads \uXXXX, or a surrogate pair of two. A lone surrogate becomes U+FFFD.
func (j *JSON) unicodeEscape() bool {
	r, n := j.codeUnit(j.At)
	if n > 0 && utf16.IsSurrogate(r) {
		low, more := j.codeUnit(j.At + n)
		if more == 0 {
			return false
		}
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			n += more
		}
	}
	if n < 0 {
		j.fail(BadEscape, j.At-1-n)
	}
	if n <= 0 {
		return false
	}
	j.put(string(r), n)
	return true
}

// codeUnit reads the \uXXXX at an offset and returns its length. n is 0 if the text ends in it, and -1-i if its byte i is wrong.
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

// Spot returns the text and the offset in it of Fault, or of Mended if there is no Fault.
func (j *JSON) Spot() (text string, at int) {
	j.fill() // so that the caller can quote what follows
	return j.raw, j.faultAt
}
