package postgres

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzAdapt(f *testing.F) {
	for _, s := range []string{"", "plain", "a\x00b", "\xff\xfe", "\ufffd", "a\xe2\x82", "?"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		query, args := adapt("SELECT ?, ?", []any{s, 1})
		written := args[0].(string)
		if query != "SELECT $1, $2" || !utf8.ValidString(written) || strings.Contains(written, "\x00") {
			t.Errorf("%q is written as %q, which PostgreSQL rejects", s, written)
		}
		if utf8.ValidString(s) && !strings.Contains(s, "\x00") && written != s {
			t.Errorf("%q is written as %q", s, written)
		}
	})
}
