package history

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
	"followup/internal/store"
)

// A search marks its matches, and shows an excerpt if neither the question nor the answer begins with one.
func TestMatches(t *testing.T) {
	far := strings.Repeat("one more word ", 20)
	for name, test := range map[string]struct {
		asked, said, search string
		words               []protocol.HistoryMatch
		excerpt             string
	}{
		"in the question":    {"Which **port**?", "8080", "PORT", []protocol.HistoryMatch{{Word: "port", End: 4}}, ""},
		"in the answer":      {"Which?", "Port 8080", "por", []protocol.HistoryMatch{{Word: "Port", End: 3}}, ""},
		"in both":            {"Port? Ports?", "A port", "port", []protocol.HistoryMatch{{Word: "Port", End: 4}, {Word: "Ports", End: 4}, {Word: "port", End: 4}}, ""},
		"far behind":         {far + "the **needle** " + far, "yes", "needle", []protocol.HistoryMatch{{Word: "needle", End: 6}}, "…word one more word the needle one"},
		"in Markdown's own":  {far + "[here](https://needle.example)", "yes", "needle", []protocol.HistoryMatch{{Word: "needle", End: 6}}, "…more word [here](https://needle.example)"},
		"beside an emoji":    {"🙂é使用数据库?", "yes", "数据", []protocol.HistoryMatch{{Word: "é使用数据库", Start: 3, End: 5}}, ""},
		"without a search":   {"Which?", "yes", " ", nil, ""},
		"in what is no word": {"Which?", "yes", "?!", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h, _ := of(&shelf{entries: []store.Question{entry(t, "q", test.asked, test.said)}})
			page, err := h.Page(t.Context(), protocol.HistorySearchParams{Text: test.search})
			if err != nil {
				t.Fatal(err)
			}
			got := page.Entries[0]
			if diff := cmp.Diff(test.words, got.Matches); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !strings.HasPrefix(got.Excerpt, test.excerpt) || (got.Excerpt == "") != (test.excerpt == "") {
				t.Errorf("the excerpt is %q", got.Excerpt)
			}
		})
	}
}

// Matches include the offered options; a plain client gets none.
func TestMatchesOfOffers(t *testing.T) {
	h, _ := of(&shelf{entries: []store.Question{entry(t, "q", "Which?", "yes", "Tailwind CSS", "vanilla")}})
	for _, plain := range []bool{false, true} {
		page, err := h.Page(t.Context(), protocol.HistorySearchParams{Text: "css", Plain: plain})
		if err != nil {
			t.Fatal(err)
		}
		want := "Tailwind CSS"
		if plain {
			want = ""
		}
		if e := page.Entries[0]; e.Excerpt != want || (e.Matches == nil) != plain {
			t.Errorf("plain %v: %q, %+v", plain, e.Excerpt, e.Matches)
		}
	}
}

// However much an agent wrote, a page's cost is bounded.
func TestMatchesAreBounded(t *testing.T) {
	// Twice as many matching words as are returned, and then one that is too far away.
	var text strings.Builder
	for i := range 2 * mostMatches {
		fmt.Fprintf(&text, "a%d ", i)
	}
	far := strings.Repeat("other words ", searchedText/10) + "a"
	h, _ := of(&shelf{entries: []store.Question{entry(t, "q", text.String(), "yes"), entry(t, "far", far, "yes")}})
	page, err := h.Page(t.Context(), protocol.HistorySearchParams{Text: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(page.Entries[0].Matches); got != mostMatches {
		t.Errorf("%d matches", got)
	}
	if got := page.Entries[1].Matches; got != nil {
		t.Errorf("%v is found", got)
	}
}
