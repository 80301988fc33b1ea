package main

import (
	"bytes"

	"followup/internal/dialect"
)

// eachPiece hands out text in pieces of 16 bytes.
func eachPiece(text []byte, do func([]byte)) {
	for len(text) > 0 {
		n := min(16, len(text))
		do(text[:n])
		text = text[n:]
	}
}

// lookAndKeep is the least that reading can cost: looking at every byte once and keeping it.
func lookAndKeep(text []byte) {
	var kept []byte
	eachPiece(text, func(piece []byte) {
		if bytes.IndexByte(piece, 0) >= 0 {
			panic("no such byte")
		}
		kept = append(kept, piece...)
	})
}

func readTags(text []byte) {
	reader := dialect.NewTags(dialect.Options{})
	calls := 0
	count := func(e dialect.Event) {
		if _, ok := e.(*dialect.Done); ok {
			calls++
		}
	}
	eachPiece(text, func(piece []byte) { reader.Append(piece, count) })
	reader.End(count)
	if calls != 1 {
		panic("the call was not found")
	}
}

// repeated runs f until about 4 MB have gone through it, so that every contender runs long enough to be timed.
func repeated(size int, f func([]byte)) func() {
	text := []byte(callOf(size))
	return func() {
		for range max(1, (4<<20)/len(text)) {
			f(text)
		}
	}
}

func readerAgainstFloor() contest {
	return contest{
		about: "reading the tag form of a 90 KB question in 16-byte chunks; the measure: bytes.IndexByte and append over the same chunks",
		contenders: []contender{
			{"look and keep", repeated(90<<10, lookAndKeep)},
			{"followup", repeated(90<<10, readTags)},
		},
	}
}

func readerIsFlat() contest {
	return contest{
		about: "reading the same number of bytes as questions of different sizes; the measure: 2 KB each",
		contenders: []contender{
			{"2 KB", repeated(2<<10, readTags)},
			{"90 KB", repeated(90<<10, readTags)},
			{"900 KB", repeated(900<<10, readTags)},
		},
	}
}
