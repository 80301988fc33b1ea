package markdown

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// maxTarget is the maximum length of a link's target in bytes.
const maxTarget = 2048

// target parses the destination of a link in the source. href is for a browser, shown for people. ok is false if it must not
// become a link: its scheme is not http, https or mailto, or a browser might read another host than a person.
func target(destination string) (href, shown string, ok bool) {
	if len(destination) > maxTarget {
		return "", "", false
	}
	// The only character reference that occurs in addresses.
	shown = strings.ReplaceAll(destination, "&amp;", "&")
	shown = string(util.UnescapePunctuations([]byte(shown)))
	if strings.ContainsFunc(shown, deceptive) {
		return "", "", false
	}
	u, err := url.Parse(strings.ReplaceAll(shown, " ", "%20"))
	if err != nil {
		return "", "", false
	}
	switch u.Scheme {
	case "http", "https":
		// user@host makes one host look like another.
		ok = u.Hostname() != "" && u.User == nil && !strings.ContainsAny(u.Host, unsafe+"%")
	case "mailto":
		ok = u.Opaque != ""
	}
	return ascii(u.String()), shown, ok
}

// deceptive reports whether a character is invalid in an address, because browsers drop it, replace it or show nothing.
func deceptive(r rune) bool {
	return r == '\\' || r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.IsSpace(r) && r != ' '
}

// unsafe are the ASCII characters, besides the backslash, that are invalid in an address
// (https://www.rfc-editor.org/rfc/rfc3986#appendix-A).
const unsafe = "\"<>^`{|}"

// ascii percent-encodes characters that are invalid in an address.
func ascii(s string) string {
	var out strings.Builder
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7F || strings.IndexByte(unsafe, c) >= 0 {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

// visible reports whether s has visible characters.
func visible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		switch r {
		case '\u115F', '\u1160', '\u2800', '\u3164', '\uFFA0': // blank letters and symbols
			return false
		}
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
	})
}

// isLanguage reports whether a fence's language is safe in an attribute.
var isLanguage = regexp.MustCompile(`^[A-Za-z0-9_+#.-]{1,32}$`).MatchString
