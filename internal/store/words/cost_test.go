package words

import (
	"runtime"
	"strings"
	"testing"
)

// allocated returns how many bytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A text or a search of characters that fold to many costs at most three times as much as French or Chinese text of the same length.
func TestCost(t *testing.T) {
	fill := func(piece string) string { return strings.Repeat(piece, maxIndexed/len(piece)) }
	steps := map[string]func(text string){
		"tokens": func(text string) { Tokens(text) },
		"terms":  func(text string) { Terms(text) },
		"signs":  func(text string) { Signs(text) },
		"finder": func(text string) { NewFinder(text) },
		"find":   func(text string) { NewFinder("س الله").Find(text, func(int, Match) bool { return true }) },
		"fold":   func(text string) { fold(text) },
	}
	plain, found := fill("Décidé à "), 0
	for name, step := range steps {
		most := 3 * max(allocated(func() { step(plain) }), allocated(func() { step(fill("数据库存储")) }))
		if name == "find" { // which has matches here and not there
			most = 3 * allocated(func() { NewFinder("decide a").Find(plain, func(int, Match) bool { found++; return true }) })
		}
		for _, piece := range []string{"\ufdfa", "a\ufdfa ", "㌀"} {
			if cost := allocated(func() { step(fill(piece)) }); cost > most+(1<<20) {
				t.Errorf("%s of %q: %d bytes, more than %d", name, piece, cost, most)
			}
		}
	}
	if folded := fold(fill("\ufdfa")); len(folded) > maxIndexed || !strings.Contains(folded, "صلى الله") || found == 0 {
		t.Errorf("%d bytes, %d found", len(folded), found)
	}
}

// Folding in pieces gives what folding at once gives.
func TestFoldInPieces(t *testing.T) {
	for _, piece := range []string{"é", "e\u0301", "가", "ﬁn ", "Ｐｏｒｔ", "数据a", "\u0301", "İ", "𐐀"} {
		if text := strings.Repeat(piece, 3*maxPiece/len(piece)); fold(text) != foldPiece(text) {
			t.Errorf("%q: differs", piece)
		}
	}
}
