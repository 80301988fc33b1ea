package words

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	for name, test := range map[string]struct {
		text, search string
		want         []string
	}{
		"words, whatever their case":            {"Which Port? PORT 80", "port", []string{"Port", "PORT"}},
		"a prefix for the last word only":       {"portable ports", "portable po", []string{"portable", "po"}},
		"whole words before it":                 {"portable ports", "port portable", []string{"portable"}},
		"whole words, after a space":            {"portable port", "port ", []string{"port"}},
		"no middle of a word":                   {"support", "port", nil},
		"letters whatever their accents":        {"Décidé: café", "decide cafe", []string{"Décidé", "café"}},
		"accents of their own code point":       {"cafe\u0301 au lait", "café", []string{"cafe\u0301"}},
		"half an accented word":                 {"Éclair", "ecl", []string{"Écl"}},
		"other forms of a letter":               {"Ｐｏｒｔ and ﬁn", "port fin", []string{"Ｐｏｒｔ", "ﬁn"}},
		"all of a ligature for a part of it":    {"ﬁn", "f", []string{"ﬁ"}},
		"a capital with a longer lower case":    {"İİ port", "p", []string{"p"}},
		"Chinese anywhere":                      {"使用数据库存储数据", "数据", []string{"数据", "数据"}},
		"Korean anywhere":                       {"데이터베이스", "베이스", []string{"베이스"}},
		"a dense script next to another":        {"使用PostgreSQL数据库", "postgresql数据", []string{"PostgreSQL", "数据"}},
		"characters outside of the basic plane": {"𐐀𐐁 and 🙂", "𐐀", []string{"𐐀"}},
		"nothing without words":                 {"text", ` .,-" `, nil},
		"no operators of an engine":             {"a OR b* (c)", `OR "b*`, []string{"OR", "b"}},
		"a word at the end of the text":         {"the end", "end", []string{"end"}},
		"a long word by its significant part":   {strings.Repeat("x", 100), strings.Repeat("x", 100) + " ", []string{strings.Repeat("x", 100)}},
		"nothing without the word":              {"another text", "word", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			NewFinder(test.search).Find(test.text, func(at int, match Match) bool {
				if !strings.HasPrefix(test.text[at:], match.Word) {
					t.Errorf("%q is not at %d", match.Word, at)
				}
				units := utf16.Encode([]rune(match.Word))
				got = append(got, string(utf16.Decode(units[match.Start:match.End])))
				return true
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFindStops(t *testing.T) {
	calls := 0
	NewFinder("a").Find("a a a", func(int, Match) bool {
		calls++
		return calls < 2
	})
	if calls != 2 {
		t.Errorf("found was called %d times after it had returned false at the second", calls)
	}
}

// A match lies within its word.
func FuzzFind(f *testing.F) {
	f.Add("使用PostgreSQL ﬁn İ", "postgresql数 f")
	f.Fuzz(func(t *testing.T, text, search string) {
		NewFinder(search).Find(text, func(at int, match Match) bool {
			units := utf16.Encode([]rune(match.Word))
			if !strings.HasPrefix(text[at:], match.Word) || match.Start < 0 || match.Start >= match.End || match.End > len(units) {
				t.Errorf("%q is found in %q at %d, as %+v", search, text, at, match)
			}
			return true
		})
	})
}
