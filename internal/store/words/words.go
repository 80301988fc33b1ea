// Package words makes tokens of texts and searches, the same in every engine.
package words

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// If the rules in this file change, earlier entries can still be removed from the index by their stored tokens. They can
// only be found by tokens that both versions make, or after a schema change that indexes everything again.

const (
	// maxIndexed is how many bytes of a question's or an answer's text are searched, also after folding: U+FDFA becomes 18
	// characters.
	maxIndexed = 256 << 10
	// maxPiece is how many bytes are folded at once.
	maxPiece = 4 << 10
	// maxToken is how many characters of a word are significant.
	maxToken = 64
	// maxTerms is how many words of a search are significant.
	maxTerms = 32
)

// dense are the scripts without spaces between words, or whose words are found by their parts.
var dense = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// isDense reports whether a character belongs to these. The prolonged sound mark belongs to two scripts, so the table has none.
func isDense(r rune) bool { return r >= 0xe00 && (r == 'ー' || unicode.In(r, dense...)) }

// fold removes differences that the search ignores: case, diacritics, width and other variants of a letter. It stops after
// maxIndexed bytes of other text than ASCII.
func fold(text string) string {
	switch {
	case isASCII(text):
		return strings.ToLower(text)
	case len(text) <= maxPiece:
		return foldPiece(text)
	}
	var folded strings.Builder
	for text != "" && folded.Len() < maxIndexed {
		end := len(text)
		if end > maxPiece {
			// Characters up to a boundary are folded independently of the others.
			if end = norm.NFKC.LastBoundary([]byte(text[:maxPiece])); end <= 0 {
				end = runeStart(text, maxPiece)
			}
		}
		folded.WriteString(foldPiece(text[:end]))
		text = text[end:]
	}
	return cut(folded.String())
}

func foldPiece(text string) string {
	bare := strings.Map(func(r rune) rune {
		switch {
		case r >= 0x300 && r <= 0x36f: // combining diacritical marks
			return -1
		case r >= 0xfe00 && r <= 0xfe0f: // variation selectors
			return -1
		}
		return r
	}, norm.NFKD.String(text))
	return strings.Map(unicode.ToLower, norm.NFC.String(bare))
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// runs splits a folded text into words and stretches of dense scripts, and drops everything between them.
func runs(folded string, found func(run string, dense bool)) {
	for folded != "" {
		first, _ := utf8.DecodeRuneInString(folded)
		dense, word := isDense(first), isWord(first)
		end := strings.IndexFunc(folded, func(r rune) bool { return isDense(r) != dense || isWord(r) != word })
		if end < 0 {
			end = len(folded)
		}
		if word {
			found(folded[:end], dense)
		}
		folded = folded[end:]
	}
}

// Tokens returns a text's words, and for a stretch of a dense script each pair of characters and the last one, sorted, without
// duplicates.
func Tokens(text string) []string {
	var all []string
	runs(fold(cut(text)), func(run string, dense bool) {
		if !dense {
			all = append(all, shorten(run))
			return
		}
		all = append(all, pairs(run)...)
		_, last := utf8.DecodeLastRuneInString(run)
		all = append(all, run[len(run)-last:])
	})
	slices.Sort(all)
	return slices.Compact(all)
}

// pairs returns every two adjacent characters of a run.
func pairs(run string) (all []string) {
	before := -1
	for at, r := range run {
		if before >= 0 {
			all = append(all, run[before:at+utf8.RuneLen(r)])
		}
		before = at
	}
	return all
}

// cut returns the indexed part of a text, which ends between two characters.
func cut(text string) string {
	return text[:runeStart(text, maxIndexed)]
}

// runeStart returns the last position up to most at which a character begins or the text ends.
func runeStart(text string, most int) int {
	most = min(most, len(text))
	for most > 0 && most < len(text) && !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}

// shorten limits the length of a word.
func shorten(word string) string {
	if utf8.RuneCountInString(word) > maxToken {
		word = string([]rune(word)[:maxToken])
	}
	return word
}

// Signs returns the parts of a search that are not words: those with an emoji or pictograph, or all if it has no word.
func Signs(text string) (all []string) {
	folded := fold(cut(text))
	words := strings.ContainsFunc(folded, isWord)
	for _, stretch := range strings.FieldsFunc(folded, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || isWord(r) }) {
		if len(all) < maxTerms && (!words || strings.ContainsFunc(stretch, func(r rune) bool {
			return unicode.In(r, unicode.So, unicode.Sk) && r >= utf8.RuneSelf && r != utf8.RuneError
		})) {
			all = append(all, stretch)
		}
	}
	return all
}

// isWord reports whether a character belongs to words.
func isWord(r rune) bool { return isDense(r) || unicode.In(r, unicode.L, unicode.N, unicode.M) }

// A Term is a condition of a search.
type Term struct {
	// Token must be present, or with Prefix a token that begins with it.
	Token  string
	Prefix bool
	// Stretch, if not empty, must occur in the folded text as a whole, since its pairs alone are not sufficient.
	Stretch string
}

// Terms parses a user's search.
func Terms(text string) []Term {
	var all []Term
	text = cut(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	unfinished := unicode.In(last, unicode.L, unicode.N, unicode.M)
	runs(fold(text), func(run string, dense bool) {
		switch {
		case len(all) >= maxTerms:
		case !dense:
			all = append(all, Term{Token: shorten(run)})
		case utf8.RuneCountInString(run) == 1:
			all = append(all, Term{Token: run, Prefix: true})
		default: // a stretch of a dense script
			first := len(all)
			for _, pair := range pairs(run) {
				all = append(all, Term{Token: pair})
			}
			if len(all)-first > 1 {
				all[first].Stretch = run
			}
		}
	})
	if n := len(all); n > 0 && unfinished && !isDense(last) {
		all[n-1].Prefix = true
	}
	return all
}

// Kinds of facets.
const (
	AgentFacet     = "a"
	WorkspaceFacet = "w"
	OutcomeFacet   = "o"
	RecipientFacet = "r"
	KindFacet      = "k"
)

// FacetMark is the prefix of facets' tokens. It is a private-use character, so no text's token contains it.
const FacetMark = "\ue000"

// FacetToken returns the token of a value that filters can have.
func FacetToken(kind, value string) string {
	sum := sha256.Sum256([]byte(value))
	return FacetMark + kind + hex.EncodeToString(sum[:8])
}

// Hold reports whether each stretch occurs in one of the texts, which an index of tokens cannot decide.
func Hold(texts, stretches []string) bool {
	return !slices.ContainsFunc(stretches, func(stretch string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(fold(cut(text)), stretch) })
	})
}
