package words

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Match is a word of a text, and the part of it that matches a search, in UTF-16 code units.
type Match struct {
	Word       string
	Start, End int
}

// Finder finds matches in texts. Unlike an index, it returns their positions.
type Finder struct {
	whole     map[string]bool
	prefix    string
	stretches []string // of dense scripts, which are found anywhere
}

// NewFinder returns a finder for a user's search.
func NewFinder(search string) *Finder {
	f := &Finder{whole: map[string]bool{}}
	terms := 0
	runs(fold(cut(search)), func(run string, dense bool) {
		if terms++; terms > maxTerms {
			return
		}
		if dense {
			f.stretches = append(f.stretches, run)
		} else {
			f.whole[shorten(run)] = true
		}
	})
	if all := Terms(search); len(all) > 0 && all[len(all)-1].Prefix {
		f.prefix = all[len(all)-1].Token
	}
	return f
}

// Find calls found for each match in a text, with the index of its word, until found returns false.
func (f *Finder) Find(text string, found func(at int, match Match) bool) {
	if len(f.whole)+len(f.stretches) == 0 {
		return
	}
	end := 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isWritten(r) }) {
		begin := end + strings.Index(text[end:], word)
		end = begin + len(word)
		for _, match := range f.in(word) {
			if !found(begin, match) {
				return
			}
		}
	}
}

// isWritten reports whether a character belongs to a word, by its general category, which other languages' Unicode tables have too.
func isWritten(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r >= utf8.RuneSelf && unicode.IsMark(r)
}

// in returns the matches in a word.
func (f *Finder) in(word string) (all []Match) {
	if !f.mayBeIn(fold(word)) {
		return nil
	}
	w := foldWord(word)
	next := 0
	runs(w.folded, func(run string, dense bool) {
		at := next + strings.Index(w.folded[next:], run)
		next = at + len(run)
		switch {
		case dense:
			for _, stretch := range f.stretches {
				for before, i := 0, 0; ; i += len(stretch) {
					if before = strings.Index(run[i:], stretch); before < 0 {
						break
					}
					i += before
					all = append(all, w.match(word, at+i, len(stretch)))
				}
			}
		case f.whole[shorten(run)]:
			all = append(all, w.match(word, at, len(run)))
		case f.prefix != "" && strings.HasPrefix(run, f.prefix):
			all = append(all, w.match(word, at, len(f.prefix)))
		}
	})
	return all
}

// mayBeIn reports whether a folded word contains anything that is searched for. Most words do not, and skip the rest.
func (f *Finder) mayBeIn(folded string) bool {
	if f.prefix != "" && strings.Contains(folded, f.prefix) {
		return true
	}
	for token := range f.whole {
		if strings.Contains(folded, token) {
			return true
		}
	}
	return slices.ContainsFunc(f.stretches, func(stretch string) bool { return strings.Contains(folded, stretch) })
}

// foldedWord is a folded word. If parts is nil, each byte stands for one of the word's characters. Otherwise parts has, for each
// independent group of characters, where it begins in the folded word in bytes, and in the word in UTF-16 code units. The last one is
// the end of both.
type foldedWord struct {
	folded string
	parts  []part
}

type part struct{ at, unit int }

func foldWord(word string) (w foldedWord) {
	if isASCII(word) {
		w.folded = strings.ToLower(word)
		return w
	}
	var folded strings.Builder
	unit := 0
	for at := 0; at < len(word) && folded.Len() < maxIndexed; {
		w.parts = append(w.parts, part{folded.Len(), unit})
		// Characters up to a boundary are folded independently of the others.
		length := norm.NFKC.NextBoundaryInString(word[at:], true)
		for _, r := range word[at : at+length] {
			unit += max(1, utf16.RuneLen(r))
		}
		folded.WriteString(fold(word[at : at+length]))
		at += length
	}
	w.folded, w.parts = folded.String(), append(w.parts, part{folded.Len(), unit})
	return w
}

// match returns the match for a range of the folded word.
func (w foldedWord) match(word string, at, length int) Match {
	if w.parts == nil {
		return Match{Word: word, Start: at, End: at + length}
	}
	first := sort.Search(len(w.parts), func(i int) bool { return w.parts[i].at > at }) - 1
	last := sort.Search(len(w.parts), func(i int) bool { return w.parts[i].at >= at+length })
	return Match{Word: word, Start: w.parts[first].unit, End: w.parts[last].unit}
}
