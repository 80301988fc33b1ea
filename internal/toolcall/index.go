package toolcall

import "encoding/binary"

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// below marks the bytes of x under n, which is at most 0x80, if x is ASCII: exactly the lowest of them, and none if there
// are none. It costs half of what it takes to say the same of any x.
func below(x uint64, n byte) uint64 { return x - lows*uint64(n) }

// ascii reports whether s is that.
func ascii(s []byte) bool {
	var all uint64
	if n := len(s); n >= 8 {
		for i := 0; i+8 < n; i += 8 {
			all |= binary.LittleEndian.Uint64(s[i:])
		}
		all |= binary.LittleEndian.Uint64(s[n-8:])
		return all&highs == 0
	}
	for _, ch := range s {
		all |= uint64(ch)
	}
	return all&highs == 0
}

// PlainText reports whether s is what characters in a call are handed on as, whatever stands before them: ASCII without <,
// & and carriage returns. It is what most chunks of a stream are asked, so it looks at each byte once for all of that, and at the
// last eight as one word, seen before or not.
func PlainText(s []byte) bool {
	if n := len(s); n >= 8 {
		for i := 0; i+8 < n; i += 8 {
			if !plainInText(binary.LittleEndian.Uint64(s[i:])) {
				return false
			}
		}
		return plainInText(binary.LittleEndian.Uint64(s[n-8:]))
	}
	for _, ch := range s {
		if ch == '<' || ch == '&' || ch == '\r' || ch >= 0x80 {
			return false
		}
	}
	return true
}

// plainInText is PlainText of eight bytes.
func plainInText(x uint64) bool {
	return (x|below(x^(lows*'<'), 1)|below(x^(lows*'&'), 1)|below(x^(lows*'\r'), 1))&highs == 0
}

// PlainString reports whether s stands for itself in a JSON string: ASCII without quotes, backslashes and control
// characters.
func PlainString(s []byte) bool {
	if n := len(s); n >= 8 {
		for i := 0; i+8 < n; i += 8 {
			if !plainInString(binary.LittleEndian.Uint64(s[i:])) {
				return false
			}
		}
		return plainInString(binary.LittleEndian.Uint64(s[n-8:]))
	}
	for _, ch := range s {
		if ch == '"' || ch == '\\' || ch < 0x20 || ch >= 0x80 {
			return false
		}
	}
	return true
}

// plainInString is PlainString of eight bytes.
func plainInString(x uint64) bool {
	return (x|below(x, 0x20)|below(x^(lows*'"'), 1)|below(x^(lows*'\\'), 1))&highs == 0
}
