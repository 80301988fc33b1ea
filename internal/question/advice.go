package question

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Notices returns the advice that suggest calls for, sorted, never nil.
func Notices(suggest []Suggestion) []Code {
	notices := []Code{}
	for _, s := range suggest {
		if hasPlaceholder(s.Answer) {
			notices = append(notices, NoticePlaceholder)
			break
		}
	}
	if len(suggest) > MaxSuggestions {
		notices = append(notices, NoticeTooManySuggestions)
	}
	return notices
}

// hasPlaceholder reports whether the user would have to fill something in before sending answer: [name], <your-name>, ___, or TODO
// and TBD alone. Index expressions, type parameters, links and closed elements do not count.
func hasPlaceholder(answer string) bool {
	if answer == "TODO" || answer == "TBD" {
		return true
	}
	var closed map[string]int // built once, so that many elements cost one look-up each
	for i := 0; i < len(answer); {
		switch answer[i] {
		case '_':
			end := i + len(answer[i:]) - len(strings.TrimLeft(answer[i:], "_"))
			if end-i >= 3 && !identifierBefore(answer[:i]) && !identifierAfter(answer[end:]) {
				return true
			}
			i = end
		case '[', '<':
			name := bracketed(answer[i:])
			if name == "" || exempt(answer, i, i+len(name)+2) {
				i++
				continue
			}
			if answer[i] == '<' {
				if closed == nil {
					closed = endTags(answer)
				}
				if closed[name] > i {
					i++
					continue
				}
			}
			return true
		default:
			i++
		}
	}
	return false
}

// bracketed returns the text between the bracket that begins s and its partner, if it consists of letters and spaces (between angle
// brackets also - and _) with at least one letter; otherwise "".
func bracketed(s string) string {
	partner, angle := ']', s[0] == '<'
	if angle {
		partner = '>'
	}
	letters := false
	for i, r := range s[1:] {
		switch {
		case r == partner:
			if !letters {
				return ""
			}
			return s[1 : 1+i]
		case r == ' ' || angle && (r == '-' || r == '_'):
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letters = true
		case r < utf8.RuneSelf || !unicode.Is(unicode.Zs, r):
			return ""
		}
	}
	return ""
}

// exempt reports whether the bracketed text s[start:end] belongs to an expression or a link rather than being a gap.
func exempt(s string, start, end int) bool {
	return identifierBefore(s[:start]) || strings.HasSuffix(s[:start], "?") || strings.HasPrefix(s[end:], "(")
}

func identifierBefore(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	return n > 0 && isIdentifier(r)
}

func identifierAfter(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n > 0 && isIdentifier(r)
}

func isIdentifier(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// endTags maps the name of every end tag in s to the last position of one.
func endTags(s string) map[string]int {
	last := map[string]int{}
	for i := 0; ; {
		j := strings.Index(s[i:], "</")
		if j < 0 {
			return last
		}
		i += j + 2
		if k := strings.IndexAny(s[i:], "<>"); k >= 0 && s[i+k] == '>' {
			last[strings.TrimRight(s[i:i+k], " \t\r\n")] = i
		}
	}
}
