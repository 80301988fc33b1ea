package postgres

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "plain", "a\x00b", "\xff\xfe", escape, escape + "00", "é" + escape + "\x00", "\ufffd", "a\xe2\x82"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		written := escaped(s)
		if !utf8.ValidString(written) || strings.Contains(written, "\x00") {
			t.Errorf("%q is written as %q, which PostgreSQL refuses", s, written)
		}
		if read := unescaped(written); read != s {
			t.Errorf("%q is written as %q and read as %q", s, written, read)
		}
	})
}
