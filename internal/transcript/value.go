package transcript

import (
	"cmp"
	"encoding/json"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	fast "github.com/segmentio/encoding/json"
	"github.com/tidwall/gjson"
)

// value is a JSON value whose members are decoded on demand. A member that is absent, or has another type than the caller
// wants, is empty.
type value struct{ json gjson.Result }

// parse returns the value in a text. The value is empty if the text is not JSON.
func parse[T string | []byte](text T) value {
	if !fast.Valid([]byte(text)) {
		return value{}
	}
	return value{gjson.Parse(string(text))}
}

// get returns a member of an object. Dots in the path separate nested objects. For an empty path, the value is empty.
func (v value) get(path string) value {
	if path == "" || !v.json.IsObject() { // gjson would look for a bracket in a string
		return value{}
	}
	return value{v.json.Get(path)}
}

// exists reports whether there is a value, even if it is null.
func (v value) exists() bool { return v.json.Exists() }

// isTrue reports whether the value is true.
func (v value) isTrue() bool { return v.json.Type == gjson.True }

// text returns a string, with U+FFFD for invalid Unicode.
func (v value) text() string { return unquote(v.json.Raw) }

// unquote decodes a string into its own memory, so that keeping it does not keep its document alive.
func unquote(raw string) (s string) {
	switch {
	case raw == "" || raw[0] != '"':
		return ""
	case !strings.Contains(raw, `\`) && utf8.ValidString(raw):
		return strings.Clone(raw[1 : len(raw)-1])
	}
	_ = json.Unmarshal([]byte(raw), &s) // it is valid
	return s
}

// each returns an iterator over the members of an object by name, or over the items of a list by index.
func (v value) each() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		if v.json.Type == gjson.JSON {
			v.json.ForEach(func(key, one gjson.Result) bool {
				return yield(cmp.Or(unquote(key.Raw), key.String()), value{one})
			})
		}
	}
}

// list returns an iterator over the first n items of a list, or over a single object.
func (v value) list(n int) iter.Seq[value] {
	return func(yield func(value) bool) {
		if v.json.IsObject() {
			yield(v)
			return
		}
		for _, one := range v.each() {
			if n--; n < 0 || !yield(one) {
				return
			}
		}
	}
}

// Numbers from minSeconds, in 1973, to maxSeconds count seconds. Others count milliseconds.
const (
	minSeconds      = 1e8
	maxSeconds      = 1e11
	maxMilliseconds = 1e14
)

// time returns the time in a text by RFC 3339, or in a number of seconds or milliseconds since 1970. It is zero for any
// other value.
func (v value) time() time.Time {
	text, n := v.text(), v.json.Num
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil && t.Unix() > 0 {
		return t.UTC()
	} else if text != "" {
		n, _ = strconv.ParseFloat(text, 64)
	}
	if n >= minSeconds && n < maxSeconds {
		n *= 1000
	}
	if n > 0 && n < maxMilliseconds {
		return time.UnixMilli(int64(n)).UTC()
	}
	return time.Time{}
}
