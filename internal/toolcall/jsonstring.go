package toolcall

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// stringPart reads a string up to its end or its next escape. It returns false where more must be known.
func (j *JSON) stringPart(s []byte) bool {
	n := 0
	for n < len(s) && s[n] != '"' && s[n] != '\\' && s[n] >= ' ' {
		n++
	}
	if n > 0 {
		return j.put(s[:n], n)
	}
	switch s[0] {
	case '\\':
		return j.escape(s)
	case '"':
		j.offset++
		j.endString()
		return true
	}
	j.mend(ControlInString)
	return j.put(s[:1], 1)
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

// put hands characters on, for which n bytes stand.
func (j *JSON) put(text []byte, n int) bool {
	if j.isKey {
		j.key = append(j.key, text[:min(len(text), maxKey-len(j.key))]...)
	} else {
		j.sink.StringPart(text)
	}
	j.offset += n
	return true
}

const escapes = `"\/bfnrt`

var escaped = []byte("\"\\/\b\f\n\r\t") // what each of them stands for

// escape reads what begins with a backslash. Where JSON does not have the escape, the backslash is taken for what a shell or a
// script would need, or stays where it is part of a pattern or path.
func (j *JSON) escape(s []byte) bool {
	switch {
	case len(s) < 2:
		return false
	case s[1] == 'u':
		return j.unicode(s)
	}
	if i := strings.IndexByte(escapes, s[1]); i >= 0 {
		return j.put(escaped[i:i+1], 2)
	}
	j.mend(BadEscape)
	if s[1] == '\'' || s[1] == '$' || s[1] == '`' {
		j.offset++
		return true
	}
	return j.put(s[:1], 1)
}

// unicode reads \uXXXX, or two of them that stand for one character; a lone surrogate becomes U+FFFD.
func (j *JSON) unicode(s []byte) bool {
	high, n := codeUnit(s)
	switch {
	case n < 0:
		return j.fail(BadEscape, -1-n)
	case n == 0:
		return false
	case utf16.IsSurrogate(high):
		low, more := codeUnit(s[n:])
		if more == 0 {
			return false
		}
		if high = utf16.DecodeRune(high, low); more > 0 && high != utf8.RuneError {
			n += more
		} else {
			high = utf8.RuneError
		}
	}
	return j.put(utf8.AppendRune(j.char[:0], high), n)
}

// codeUnit reads the \uXXXX that begins s, of n bytes. N is 0 where more must be known, and where the byte at i is wrong, -1-i.
func codeUnit(s []byte) (code rune, n int) {
	const length = len(`\uXXXX`)
	for i := 0; i < min(len(s), length); i++ {
		if i < 2 && s[i] != `\u`[i] || i >= 2 && !isHex(s[i]) {
			return 0, -1 - i
		}
	}
	if len(s) < length {
		return 0, 0
	}
	unit, _ := strconv.ParseUint(string(s[2:length]), 16, 16)
	return rune(unit), length
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
