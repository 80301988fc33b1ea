package toolcall

import (
	"unicode/utf16"
	"unicode/utf8"
)

// stringPart reads a string up to its end or its next escape. It counts the bytes that took, and returns their number.
func (j *JSON) stringPart(b []byte) int {
	n := indexInString(b)
	if n > 0 {
		j.place.widen(b[:n])
		j.put(b[:n])
		j.offset += n
	}
	if n == len(b) {
		return n
	}
	c := b[n]
	if c < ' ' {
		if j.mend(ControlInString); c == '\n' {
			j.place.newLine(j.offset)
		}
		j.put(b[n : n+1])
	}
	j.offset++
	switch c {
	case '"':
		j.lone()
		j.endString()
	case '\\':
		j.state = jsonEscape
	}
	return n + 1
}

func (j *JSON) endString() {
	if j.isKey {
		j.state = jsonColon
		j.sink.Key(j.key)
		return
	}
	j.valueDone()
	j.sink.End(String)
}

// put hands characters on, after the U+FFFD that a surrogate without its other half becomes.
func (j *JSON) put(b []byte) {
	j.lone()
	j.emit(b)
}

func (j *JSON) emit(b []byte) {
	if j.isKey {
		j.key = append(j.key, b[:min(len(b), maxKey-len(j.key))]...)
		return
	}
	j.sink.StringPart(b)
}

func (j *JSON) lone() {
	if j.high != 0 {
		j.high = 0
		j.emit(replacement)
	}
}

const escapes = `"\/bfnrt`

var (
	escaped   = []byte("\"\\/\b\f\n\r\t") // what each of them stands for
	backslash = escaped[1:2]
)

// escape reads the character after a backslash, and returns how many bytes that took. Where JSON does not have the escape, the
// backslash is taken for what a shell or a script would need, or stays where it is part of a pattern or path.
func (j *JSON) escape(b []byte) int {
	if b[0] == 'u' {
		j.state, j.at, j.code = jsonUnicode, 0, 0
		return 1
	}
	j.state = jsonString
	for i := range len(escapes) {
		if escapes[i] == b[0] {
			j.put(escaped[i : i+1])
			return 1
		}
	}
	j.mend(BadEscape)
	if b[0] != '\'' && b[0] != '$' && b[0] != '`' {
		j.put(backslash)
	}
	return 0
}

// unicode reads a digit of \uXXXX.
func (j *JSON) unicode(b []byte) {
	digit, ok := hexDigit(b[0])
	if !ok {
		j.fail(BadEscape, b)
		return
	}
	j.code = j.code<<4 | digit
	if j.at++; j.at < 4 {
		return
	}
	j.state = jsonString
	if j.high != 0 {
		if r := utf16.DecodeRune(j.high, j.code); r != utf8.RuneError {
			j.high = 0
			j.emitRune(r)
			return
		}
		j.lone()
	}
	if utf16.IsSurrogate(j.code) && j.code < 0xDC00 {
		j.high = j.code // its other half may follow
		return
	}
	j.emitRune(j.code) // a low surrogate alone becomes U+FFFD
}

func (j *JSON) emitRune(r rune) {
	j.emit(j.buf[:utf8.EncodeRune(j.buf[:], r)])
}

func hexDigit(c byte) (rune, bool) {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0'), true
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10, true
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10, true
	}
	return 0, false
}
