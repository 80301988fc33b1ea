package terminal

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// A terminal that goes away sends nothing: neither half of several lines, nor half a line.
func TestLinesWithoutAnEnd(t *testing.T) {
	for name, typed := range map[string]string{"several": "/more\nThe first half\n", "one": "drop the ta"} {
		item := followup("1", 1, "Which?", "a")
		lines := NewLines(Options{In: strings.NewReader(typed), Out: io.Discard, Locale: locale.English}, nil)
		if err := lines.Ask(t.Context(), &item); !errors.Is(err, errQuit) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What was added from the editor goes along with an answer that is given by lines.
func TestLinesTakeQuotesAlong(t *testing.T) {
	for name, test := range map[string]struct{ typed, call string }{
		"a number": {"1\n", `{"question":"Which?","follow_up":[{"text":"a"}]}`},
		"words":    {"mine\n", `{"question":"Which?"}`},
	} {
		t.Run(name, func(t *testing.T) {
			e := rpctest.Connect(t, nil)
			id, _ := e.Ask(e.Session("s"), test.call)
			item := e.UntilState(id, protocol.ItemPending)
			item.Draft = &protocol.Draft{Quotes: []protocol.Quote{{Label: "src/main.go:3", Text: "x := 1"}}}
			var out strings.Builder
			lines := NewLines(Options{In: strings.NewReader(test.typed), Out: &out, Locale: locale.English}, e.Conn)
			if err := lines.Ask(t.Context(), &item); err != nil {
				t.Fatal(err)
			}
			closed := e.UntilState(id, protocol.ItemClosed)
			if diff := cmp.Diff([]string{"src/main.go:3"}, closed.Outcome.Quotes); diff != "" || !strings.Contains(out.String(), "Added from the editor: src/main.go:3") {
				t.Errorf("%s%s", out.String(), diff)
			}
		})
	}
}
