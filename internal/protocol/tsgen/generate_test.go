package main

import (
	"go/parser"
	"go/token"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The generated files must be those that the declarations give today.
func TestGeneratedFilesAreFresh(t *testing.T) {
	for file, generate := range map[string]func(string) (string, error){
		"extension/src/protocol.gen.ts": generate, "docs/methods.md": methods,
	} {
		want, err := generate("..")
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile("../../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s is stale; run: make generate\n(-want +got)\n%s", file, diff)
		}
	}
}

func TestProse(t *testing.T) {
	const source = "package protocol\n" +
		"type HistoryPage struct { Next string `json:\"next\"` }\n" +
		"type Params struct { After string `json:\"after\"`; Text string `json:\"text\"` }\n" +
		"var HistoryGet = Request[Params, HistoryPage]{\"history/get\"}\n" +
		"const OutcomeWaiting Outcome = \"waiting\"\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := reference{types: map[string]declared{}, codes: map[string]string{}}
	if err := r.file(file, nil); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"After HistoryGet, the HistoryPage is OutcomeWaiting.":    "After `history/get`, the [`HistoryPage`](#historypage) is `waiting`.",
		"The previous HistoryPage.Next, if Text matches.":         "The previous [`HistoryPage`](#historypage)`.next`, if `text` matches.",
		"Not blank. Text and Markdown are words of a sentence.":   "Not blank. Text and Markdown are words of a sentence.",
		"One of A|B, or <none>; at most one HTML page or a Page.": `One of A\|B, or &lt;none>; at most one HTML page or a Page.`,
	} {
		if got := r.prose(text, r.types["Params"]); got != want {
			t.Errorf("prose(%q) = %q, want %q", text, got, want)
		}
	}
}
