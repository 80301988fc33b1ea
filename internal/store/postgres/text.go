package postgres

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgtype"
)

// text is a string as a column of the type text takes it: PostgreSQL refuses the character 0 and what is no UTF-8, and agents send
// both. These bytes are written as escape and two hexadecimal digits, and so are the bytes of escape itself.
type text string

// escape is a character of private use.
const escape = "\ue002"

var (
	_ pgtype.TextValuer  = text("")
	_ pgtype.TextScanner = (*text)(nil)
)

// TextValue is what is written.
func (t text) TextValue() (pgtype.Text, error) {
	return pgtype.Text{String: escaped(string(t)), Valid: true}, nil
}

// ScanText reads what was written; NULL as nothing.
func (t *text) ScanText(v pgtype.Text) error {
	*t = text(unescaped(v.String))
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

// written are arguments as columns take them.
func written(args []any) []any {
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
			out[i] = escapedAll(arg)
		default:
			out[i] = arg
		}
	}
	return out
}

// read are places that columns are read to.
func read(into []any) []any {
	out := make([]any, len(into))
	for i, place := range into {
		if s, ok := place.(*string); ok {
			place = (*text)(s)
		}
		out[i] = place
	}
	return out
}

// escapedAll are strings as a parameter of the type text[]; nil stays what it is.
func escapedAll(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = escaped(s)
	}
	return out
}
