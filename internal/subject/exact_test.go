package subject

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"followup/internal/protocol"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"git commit -m 'a  b'\nls":  "git commit -m 'a  b'\nls",
		"ls ‹U+202E›":               "ls ‹‹U+2039›U+202E›",
		"ls \u202egpj.x":            "ls ‹U+202E›gpj.x",
		"rm\u200b -rf a\u00a0b\x1b": "rm‹U+200B› -rf a‹U+00A0›b‹U+001B›",
		"a\tb\r":                    "a‹U+0009›b‹U+000D›",
		"ls ":                       "ls‹U+0020›",
		"ls  \nls\n\n":              "ls‹U+0020›‹U+0020›\nls‹U+000A›‹U+000A›",
		"pаypal.com":                "pа‹U+0430›ypal.com", // a Cyrillic letter
		"сору x":                    "с‹U+0441›о‹U+043E›р‹U+0440›у‹U+0443› x",
		"echo привет":               "echo привет",
		"echo 你好 é ß ñ":             "echo 你好 é ß ñ",
		"cafe\u0301":                "cafe\u0301‹U+0065›‹U+0301›",
		"curl a.com∕b":              "curl a.com∕‹U+2215›b",
		"rm —rf":                    "rm —‹U+2014›rf",
		"ｒｍ":                        "ｒ‹U+FF52›ｍ‹U+FF4D›",
		"a\u3164b":                  "a‹U+3164›b",
		"⚠\ufe0f x":                 "⚠‹U+FE0F› x",
	} {
		if got := Visible(text); got != want {
			t.Errorf("%q is shown as %q, not %q", text, got, want)
		}
	}
}

func TestExact(t *testing.T) {
	got := Exact("rm \u202ea а b.exe") // the second a is Cyrillic and alone
	want := []protocol.MarkdownNode{
		{Text: "rm "}, {Kind: protocol.MarkdownControl, Text: "U+202E"}, {Text: "a "},
		{Kind: protocol.MarkdownConfusable, Text: "а"}, {Text: " b.exe"},
	}
	if !slices.EqualFunc(got, want, func(a, b protocol.MarkdownNode) bool { return a.Kind == b.Kind && a.Text == b.Text }) {
		t.Errorf("got %v", got)
	}
	hostile := Exact(strings.Repeat("\u202ea", 100_000))
	if len(hostile) > 2*mostMarked+2 {
		t.Errorf("%d nodes", len(hostile))
	}
	if last := hostile[len(hostile)-1].Text; strings.ContainsRune(last, '\u202e') {
		t.Error("characters beyond the limit are hidden")
	}
}

// Different texts are shown differently, and nothing in a shown text is hidden.
func FuzzExact(f *testing.F) {
	f.Add("ls", " ")
	f.Add("cafe\u0301 ", "caf\u00e9 ")
	f.Add("a‹U+202E›", "a\u202e")
	f.Add("a\u200b\u200b", "a\u200b")
	f.Fuzz(func(t *testing.T, one, other string) {
		if !utf8.ValidString(one) || !utf8.ValidString(other) {
			t.Skip()
		}
		if one != other && Visible(one) == Visible(other) {
			t.Errorf("%q and %q are both shown as %q", one, other, Visible(one))
		}
		for _, node := range Exact(one) {
			if node.Kind == "" && strings.ContainsFunc(node.Text, func(r rune) bool { return hidden(r) && r != ' ' && r != '\n' }) {
				t.Errorf("%q of %q hides something", node.Text, one)
			}
		}
		var back strings.Builder
		for _, node := range Exact(one) {
			if node.Kind == protocol.MarkdownControl {
				for point := range strings.FieldsSeq(node.Text) {
					r, err := strconv.ParseUint(strings.TrimPrefix(point, "U+"), 16, 32)
					if err != nil {
						t.Fatal(err)
					}
					back.WriteRune(rune(r))
				}
				continue
			}
			back.WriteString(node.Text)
		}
		if len(Exact(one)) <= 2*mostMarked && back.String() != one {
			t.Errorf("%q is shown as %q", one, back.String())
		}
	})
}
