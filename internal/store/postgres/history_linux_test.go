package postgres

import (
	"fmt"
	"slices"
	"testing"

	"followup/internal/store"
	"followup/internal/store/storetest"
)

// A search continues beyond the newest entries, wherever the words are, and returns each entry once, newest first.
func TestSearchBeyondTheNewest(t *testing.T) {
	s := opened(t, server.Place(schema()), nil)
	s.db.near = 5
	with := map[string][]string{} // the ids with each word, newest first
	for n := range 16 {
		id := fmt.Sprintf("q%02d", n)
		words := []string{"always"}
		for word, has := range map[string]bool{"old": n < 6, "new": n > 12, "third": n%3 == 0, "once": n == 2, "edge": n == 10 || n == 11} {
			if has {
				words = append(words, word)
			}
		}
		storetest.Ask(t, s, id, fmt.Sprint(words))
		storetest.Apply(t, s, store.Change{Outcomes: []store.Outcome{storetest.Answered(id, "yes")}, Collected: []string{id}})
		for _, word := range words {
			with[word] = slices.Insert(with[word], 0, id)
		}
	}
	for _, word := range []string{"always", "old", "new", "third", "once", "edge", "never"} {
		for _, limit := range []int{1, 2, 5, 20} {
			var found []string
			for before := store.Key(0); ; {
				page := must(s.History(t.Context(), store.Filter{Text: word}, before, limit))(t)
				found = append(found, storetest.IDs(page.Entries)...)
				if before = page.Next; before == 0 {
					break
				}
			}
			storetest.Same(t, fmt.Sprintf("%s, %d at once", word, limit), found, with[word])
		}
	}
}
