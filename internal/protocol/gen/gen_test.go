package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The generated files match the current declarations.
func TestGeneratedFilesAreFresh(t *testing.T) {
	files, err := generate("..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s is stale; run: make generate\n(-want +got)\n%s", name, diff)
		}
	}
}

func TestProse(t *testing.T) {
	params := declaration{documented: documented{name: "Params"}, fields: []field{
		{documented: documented{name: "After"}, key: "after"}, {documented: documented{name: "Text"}, key: "text"},
	}}
	p := page{declarations: &declarations{
		types: []declaration{params, {
			documented: documented{name: "HistoryPage"}, fields: []field{{documented: documented{name: "Next"}, key: "next"}},
		}},
		methods: []method{{documented: documented{name: "HistoryGet", text: "history/get"}}},
		wire:    map[string]string{"OutcomeWaiting": `"waiting"`},
	}}
	for text, want := range map[string]string{
		"After HistoryGet, the HistoryPage is OutcomeWaiting.":    "After `history/get`, the [`HistoryPage`](#historypage) is `waiting`.",
		"The previous HistoryPage.Next, if Text matches.":         "The previous [`HistoryPage`](#historypage)`.next`, if `text` matches.",
		"Not blank. Text and Markdown are words of a sentence.":   "Not blank. Text and Markdown are words of a sentence.",
		"One of A|B, or <none>; at most one HTML page or a Page.": `One of A\|B, or &lt;none>; at most one HTML page or a Page.`,
	} {
		if got := p.prose(text, &params); got != want {
			t.Errorf("prose(%q) = %q, want %q", text, got, want)
		}
	}
}
