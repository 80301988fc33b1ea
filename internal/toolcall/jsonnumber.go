package toolcall

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
