package toolcall

import (
	"encoding/binary"
	"math/bits"
)

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeroes marks the zero bytes of x. The lowest mark is exact; those above it need not be, so only the lowest is used.
func zeroes(x uint64) uint64 { return (x - lows) &^ x & highs }

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

// indexInString returns the index of the first byte that ends the plain part of a JSON string: a quote, a backslash or a
// control character. It returns len(s) when there is none.
func indexInString(s []byte) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		m := zeroes(x^(lows*'"')) | zeroes(x^(lows*'\\')) | (x-lows*0x20)&^x&highs
		if m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(s); i++ {
		if s[i] == '"' || s[i] == '\\' || s[i] < 0x20 {
			return i
		}
	}
	return i
}
