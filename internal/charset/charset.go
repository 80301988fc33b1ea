// Package charset decodes text from other programs. It never guesses an encoding: without a declared one, text is UTF-8, or has a
// byte order mark. Invalid text is an error, since replaced characters would be lost.
package charset

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// ErrUnknown is the error of an encoding that is declared, but not known.
var ErrUnknown = errors.New("unknown encoding")

// Decode decodes text in the named encoding, as at https://encoding.spec.whatwg.org/#names-and-labels. Without a name, a byte order
// mark decides, and otherwise the text is UTF-8. It removes the byte order mark.
func Decode(text []byte, name string) ([]byte, error) {
	decoder := marked()
	known, err := htmlindex.Get(cmp.Or(name, "utf-8"))
	if err != nil {
		return nil, fmt.Errorf("%w %q", ErrUnknown, name)
	}
	canonical, _ := htmlindex.Name(known)
	isOther := canonical != "utf-8" // which is only checked
	if isOther {
		decoder = unicode.BOMOverride(known.NewDecoder())
	}
	decoded, _, err := transform.Bytes(decoder, text)
	if err != nil {
		return nil, err
	}
	if isOther && bytes.ContainsRune(decoded, utf8.RuneError) {
		return nil, fmt.Errorf("it is not valid %s", name)
	}
	if err := Check(decoded); err != nil {
		return nil, err
	}
	return decoded, nil
}

// Check returns an error if text is not UTF-8. It names the first wrong byte.
func Check(text []byte) error {
	if utf8.Valid(text) {
		return nil
	}
	at := 0
	for r, size := utf8.DecodeRune(text); r != utf8.RuneError || size > 1; r, size = utf8.DecodeRune(text[at:]) {
		at += size
	}
	return fmt.Errorf("it is not valid UTF-8: byte %d is 0x%02X", at+1, text[at])
}

// NewReader returns a reader of UTF-8 from text that begins with a byte order mark, and of the unchanged text otherwise. It does
// not wait for more than in returns.
func NewReader(in io.Reader) io.Reader { return transform.NewReader(in, marked()) }

// marked removes a byte order mark, and decodes UTF-16 after its mark. It leaves other text unchanged.
func marked() transform.Transformer { return unicode.BOMOverride(encoding.Nop.NewDecoder()) }
