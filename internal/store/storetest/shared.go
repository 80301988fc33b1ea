package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"followup/internal/store"
)

// Many concurrent writers on two handles get no error. Each question has one outcome, and all readers get it.
func testOutcomeIsRecordedOnce(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	stores := []store.Store{place(c.Now), place(c.Now)}
	const n = 20
	for i := range n {
		Ask(t, stores[i%2], fmt.Sprint(i), "")
	}
	var mu sync.Mutex
	read := map[string]map[string]bool{}
	var group sync.WaitGroup
	for who := range 6 {
		group.Go(func() {
			for i := range n {
				id := fmt.Sprint(i)
				now := CloseQuestion(t, stores[who%2], Answered(id, fmt.Sprint(who)))
				mu.Lock()
				if read[id] == nil {
					read[id] = map[string]bool{}
				}
				read[id][now.Text] = true
				mu.Unlock()
			}
		})
	}
	group.Wait()
	for id, texts := range read {
		if len(texts) != 1 {
			t.Errorf("%s: %v", id, texts)
		}
	}
}

// Only one process has the exclusive store at a time.
func testExclusive(t *testing.T, exclusive Exclusive) {
	open := exclusive(t)
	first := must(open())(t)
	if second, err := open(); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a second one: %v, %v", second, err)
	}
	Ask(t, first, "q", "")
	ok(t, first.Close())
	second := must(open())(t)
	defer func() { ok(t, second.Close()) }()
	Same(t, "open", IDs(must(second.OpenQuestions(t.Context(), 0, 9))(t)), []string{"q"})
}
