package markdown

import (
	"slices"
	"testing"
)

func FuzzText(f *testing.F) {
	fuzz(f, "Text")
}

func FuzzPreview(f *testing.F) {
	fuzz(f, "Preview")
}

// fuzz checks that any text results in what the package promises, and that nothing is lost.
func fuzz(f *testing.F, name string) {
	for _, vector := range vectors(f) {
		f.Add(vector)
	}
	for _, test := range slices.Concat(texts, links, emphases, previews) {
		f.Add(test.source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		source = source[:min(len(source), MaxBytes)]
		checkKept(t, source, read(t, readers[name](source)).seen.String())
	})
}
