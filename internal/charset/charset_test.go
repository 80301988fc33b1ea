package charset

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestDecode(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"", "Où ?", "Où ?"},
		{"", "\xef\xbb\xbfOù ?", "Où ?"},
		{"", "\xff\xfeO\x00\xf9\x00", "Où"},
		{"", "\xfe\xff\x00O\x00\xf9", "Où"},
		{"", "", ""},
		{"utf-8", "Où \ufffd", "Où \ufffd"},
		{"UTF8", "\xef\xbb\xbfOù", "Où"},
		{"iso-8859-1", "O\xf9 d\xe9ployer", "Où déployer"},
		{"Latin1", "\x80", "€"},
		{"gbk", "\xb2\xbf\xca\xf0\xb5\xbd\xc4\xc4\xc0\xef", "部署到哪里"},
		{"shift_jis", "\x82\xcd\x82\xa2", "はい"},
	} {
		if got, err := Decode([]byte(test.text), test.name); string(got) != test.want || err != nil {
			t.Errorf("%s %q: %q, %v", test.name, test.text, got, err)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"", "O\xf9", "it is not valid UTF-8: byte 2 is 0xF9"},
		{"utf-8", "\xf9", "it is not valid UTF-8: byte 1 is 0xF9"},
		{"gbk", "\xb2\xbf\xff", "it is not valid gbk"},
		{"rot13", "a", `unknown encoding "rot13"`},
	} {
		got, err := Decode([]byte(test.text), test.name)
		if err == nil || err.Error() != test.want || got != nil || errors.Is(err, ErrUnknown) != (test.name == "rot13") {
			t.Errorf("%s %q: %q, %v", test.name, test.text, got, err)
		}
	}
}

// A reader removes the byte order mark, however the text is split, and returns what has arrived before the next read.
func TestNewReader(t *testing.T) {
	for text, want := range map[string]string{
		"{}": "{}", "": "", "\xef\xbb\xbf{}": "{}", "\xff\xfe{\x00}\x00": "{}", "\xef\xbb": "\xef\xbb", "O\xf9": "O\xf9", "\xef\xbb\xbf": "",
	} {
		for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			if got, err := io.ReadAll(NewReader(in)); string(got) != want || err != nil {
				t.Errorf("%q: %q, %v", text, got, err)
			}
		}
	}
	in, out := io.Pipe()
	defer func() { _ = in.Close() }()
	go func() { _, _ = out.Write([]byte("\xef\xbb\xbf{}\n")) }() // and stays open
	got := make([]byte, 3)
	if _, err := io.ReadFull(NewReader(in), got); err != nil || string(got) != "{}\n" {
		t.Errorf("%q, %v", got, err)
	}
}
