package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"followup/internal/store"
)

const (
	pageSize    = 50
	pagesInTurn = 20
)

var storePages = part{
	"the store: a page of the history, in the large store and in the small one; the measure: the newest 50 of the same store, by key",
	printPages,
}

// look is a user's action in the history.
type look struct {
	name   string
	filter store.Filter
	before store.Key
	// targets are the goals for the large store, relative to the minimum and to the small store.
	targets [2]string
}

func looks() []look {
	word := func(name, text string) look {
		return look{name: fmt.Sprintf("%s: %s", name, text), filter: store.Filter{Text: text}, targets: [2]string{"at most 10"}}
	}
	return []look{
		{name: "the newest", targets: [2]string{"(the measure)", "at most 2"}},
		{name: "from the middle on", before: middleOfHistory},
		word("a common word", common+" "),
		word("a rare word", rare+" "),
		word("as it is typed", common[:1]),
		word("as it is typed", common[:3]),
		word("as it is typed", common[:5]),
		word("as it is typed", common[:7]),
		word("two Chinese characters", inChinese),
		word("a common word and a rare one", common+" "+rare),
		{name: "of one agent", filter: store.Filter{Agents: []string{"Roo"}}},
	}
}

// middleOfHistory stands for the key in the middle of a store.
const middleOfHistory store.Key = -1

func printPages(w io.Writer, turns int) {
	small, remove := smallStore()
	defer remove()
	var stores []store.Store
	for _, dir := range []string{small, largeStore()} {
		s, end := openStore(dir)
		defer end()
		stores = append(stores, s)
	}
	comparePages(w, turns, stores)
}

// comparePages compares a store of fewEntries with one of entries.
func comparePages(w io.Writer, turns int, stores []store.Store) {
	var all []contender
	kinds := looks()
	counts := make([][]int, 2)
	for i, s := range stores {
		check(s.Idle(context.Background()))
		size := []int{fewEntries, *entries}[i]
		for _, kind := range kinds {
			if kind.before == middleOfHistory {
				kind.before = store.Key(historyBegan.Add(time.Duration(size/2)*interval).UnixMilli() * 1024)
			}
			counts[i] = append(counts[i], pageOf(s, kind))
			all = append(all, contender{turn: passed(func() {
				for range pagesInTurn {
					pageOf(s, kind)
				}
			})})
		}
	}
	medians := measure(all, turns)
	fmt.Fprintf(w, "  \tin %d\tin %d\tto reach\tlarge by small\tto reach\tfound\t\n", fewEntries, *entries)
	for i, kind := range kinds {
		few, many := medians[:len(kinds)], medians[len(kinds):]
		ratio := func(t []time.Duration) float64 { return float64(t[i]) / float64(t[0]) }
		fmt.Fprintf(w, "  %s\t%.2f×\t%.2f×\t%s\t%.2f×\t%s\t%d and %d\t\n", kind.name, ratio(few), ratio(many), kind.targets[0],
			float64(many[i])/math.Max(float64(few[i]), 1), kind.targets[1], counts[0][i], counts[1][i])
	}
}

func pageOf(s store.Store, l look) int {
	page, err := s.History(context.Background(), l.filter, l.before, pageSize)
	check(err)
	return len(page.Entries)
}
