package markdown

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"followup/internal/protocol"
)

// Whatever a text is, its tree takes at most three times the memory and the JSON of lines of plain text of the same length.
func TestCost(t *testing.T) {
	cost := func(source string, read func(string) []protocol.MarkdownNode) (allocated uint64, length int) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		nodes := read(source)
		runtime.ReadMemStats(&after)
		var shown bytes.Buffer
		encoder := json.NewEncoder(&shown)
		encoder.SetEscapeHTML(false) // which is not the tree's cost
		if err := encoder.Encode(nodes); err != nil {
			t.Fatal(err)
		}
		return after.TotalAlloc - before.TotalAlloc, shown.Len()
	}
	texts := map[string]string{}
	for _, piece := range []string{
		"|a|b|\n|-|-|\n", "\n|\n", "\u2068<a", "\n\u0301", "\u0301", "|\n-\n", "- a\n", "a\n", "\u2068a", "\u2068a\u2069", "# a\n", "1. a\n",
		"|a|\n|-|\n|b|\n", "|||||||||||||||||||||\n", "***\n", "a\\\n", "- [ ] a\n", "\u202e\n", "- a list of things, each\n", "| a table | of a few | columns |\n|-|-|-|\n",
	} {
		texts[piece] = full(piece)
	}
	for name, text := range hostile {
		texts[name] = text()
	}
	for kind, read := range map[string]func(string) []protocol.MarkdownNode{"text": Text, "preview": Preview} {
		allocated, length := cost(full("A line of plain text, of forty letters.\n"), Text)
		for name, source := range texts {
			if some, shown := cost(source, read); some > 3*allocated || shown > 3*length {
				t.Errorf("%s of %q: %d KiB allocated and %d KiB of JSON, plain text %d and %d",
					kind, name, some>>10, shown>>10, allocated>>10, length>>10)
			}
		}
	}
	if nodes := Text(strings.Repeat("- a short list\n", fewParts)); len(nodes) != 1 || len(nodes[0].Nodes) != fewParts {
		t.Errorf("%d nodes of a list", len(nodes))
	}
}
