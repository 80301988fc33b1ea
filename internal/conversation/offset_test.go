package conversation

import (
	"bytes"
	"math"
	"testing"
)

func TestOffsets(t *testing.T) {
	type piece struct {
		offset int
		text   string
	}
	for _, test := range []struct {
		name    string
		pieces  []piece
		want    string
		missing bool
	}{
		{"in order", []piece{{0, "ab"}, {2, "cd"}}, "abcd", false},
		{"sent again from the start", []piece{{0, "ab"}, {2, "c"}, {0, "ab"}, {2, "c"}, {3, "d"}}, "abcd", false},
		{"split differently the second time", []piece{{0, "ab"}, {0, "abcd"}, {1, "bc"}}, "abcd", false},
		{"a gap", []piece{{0, "ab"}, {3, "d"}}, "ab", true},
		{"a filled gap", []piece{{0, "ab"}, {3, "d"}, {2, "c"}, {3, "d"}}, "abcd", false},
		{"only a part of a gap arrives", []piece{{0, "ab"}, {3, "d"}, {2, "c"}}, "abc", true},
		{"no start", []piece{{2, "cd"}}, "", true},
		{"an offset that overflows", []piece{{0, "ab"}, {math.MaxInt - 1, "cde"}}, "ab", true},
		{"an empty piece", []piece{{0, ""}, {0, "ab"}, {2, ""}}, "ab", false},
		{"an empty piece after a gap", []piece{{0, "ab"}, {3, ""}}, "ab", true},
	} {
		var r received
		var got string
		for _, p := range test.pieces {
			got += string(r.take(p.offset, []byte(p.text)))
		}
		if missing := r.end > r.next; got != test.want || missing != test.missing {
			t.Errorf("%s: got %q, missing %t; want %q, %t", test.name, got, missing, test.want, test.missing)
		}
	}
}

// However the pieces of a text are repeated, dropped and reordered, the accepted bytes are a prefix of the text. After one more
// pass in order, they are the whole text.
func FuzzOffsets(f *testing.F) {
	f.Add([]byte("a text in pieces"), []byte{0, 3, 3, 5, 1, 9, 0, 200})
	f.Fuzz(func(t *testing.T, text, cuts []byte) {
		if len(text) == 0 {
			return
		}
		var r received
		var got []byte
		farthest := 0
		give := func(from, to int) {
			got = append(got, r.take(from, text[from:to])...)
			farthest = max(farthest, to)
			if !bytes.HasPrefix(text, got) {
				t.Fatalf("took %q of %q", got, text)
			}
			if missing := r.end > r.next; missing != (len(got) < farthest) {
				t.Fatalf("missing is %t with %d of %d bytes", missing, len(got), farthest)
			}
		}
		for i := 0; i+1 < len(cuts); i += 2 {
			from := int(cuts[i]) % len(text)
			give(from, min(len(text), from+int(cuts[i+1])))
		}
		for at := 0; at < len(text); at += 3 {
			give(at, min(len(text), at+3))
		}
		if !bytes.Equal(got, text) {
			t.Fatalf("took %q of %q", got, text)
		}
	})
}
