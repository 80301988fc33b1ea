package postgres

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// text is a string as a column of the type text takes it: PostgreSQL refuses the character 0 and what is no UTF-8, and agents send
// both. These bytes are written as escape and two hexadecimal digits, and so are the bytes of escape itself.
type text string

// escape is a character of private use.
const escape = "\ue002"

// Scan reads what was written; NULL as nothing. It implements sql.Scanner.
func (t *text) Scan(value any) error {
	switch value := value.(type) {
	case nil:
		*t = ""
	case string:
		*t = text(unescaped(value))
	default:
		return fmt.Errorf("a text is %T", value)
	}
	return nil
}

func escaped(s string) string {
	if utf8.ValidString(s) && !strings.Contains(s, "\x00") && !strings.Contains(s, escape) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r != 0 && (r != utf8.RuneError || size > 1) && s[:size] != escape {
			b.WriteString(s[:size])
		} else {
			for i := range size {
				b.WriteString(escape + hex.EncodeToString([]byte{s[i]}))
			}
		}
		s = s[size:]
	}
	return b.String()
}

func unescaped(s string) string {
	before, rest, found := strings.Cut(s, escape)
	if !found {
		return s
	}
	var b strings.Builder
	for found {
		b.WriteString(before)
		if len(rest) >= 2 {
			if raw, err := hex.DecodeString(rest[:2]); err == nil {
				b.Write(raw)
				rest = rest[2:]
			}
		}
		before, rest, found = strings.Cut(rest, escape)
	}
	b.WriteString(before)
	return b.String()
}

// adapt numbers the parameters of a query, and writes its strings as text.
func adapt(query string, args []any) (string, []any) {
	var numbered strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(query, "?")
		numbered.WriteString(before)
		if !found {
			break
		}
		numbered.WriteString("$" + strconv.Itoa(n))
		query = after
	}
	out := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			out[i] = escaped(arg)
		case *string:
			out[i] = arg
			if arg != nil {
				out[i] = escaped(*arg)
			}
		case []string:
			all := make([]string, len(arg))
			for n, s := range arg {
				all[n] = escaped(s)
			}
			out[i] = all
		default:
			out[i] = arg
		}
	}
	return numbered.String(), out
}

// into are places that columns are read into.
func into(places []any) []any {
	out := make([]any, len(places))
	for i, place := range places {
		if s, ok := place.(*string); ok {
			place = (*text)(s)
		}
		out[i] = place
	}
	return out
}
