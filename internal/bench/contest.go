package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// A contender is one way to do the same work.
type contender struct {
	name string
	// turn does the work once and returns its duration.
	turn func() time.Duration
	// target is the goal, in words; may be empty.
	target string
}

// A contest compares contenders with the first of them.
type contest struct {
	contenders []contender
	often      int    // multiplies the number of turns, if they are short; 0 means 1
	end        func() // releases the contenders' resources; may be nil
}

// print measures the contenders and prints their medians as multiples of the first one's.
func (c contest) print(w io.Writer, turns int) {
	medians := measure(c.contenders, turns*max(1, c.often))
	for i, contender := range c.contenders {
		note := contender.target
		if i == 0 {
			note = "(the measure)"
		}
		fmt.Fprintf(w, "  %s\t%.2f×\t%s\n", contender.name, float64(medians[i])/float64(medians[0]), note)
	}
	if c.end != nil {
		c.end()
	}
}

// measure returns each contender's median time. Contenders alternate, so that other load affects all of them equally.
func measure(contenders []contender, turns int) []time.Duration {
	times := make([][]time.Duration, len(contenders))
	for turn := range turns + 1 {
		for i, contender := range contenders {
			took := contender.turn()
			if turn > 0 { // the first turn warms up
				times[i] = append(times[i], took)
			}
		}
	}
	medians := make([]time.Duration, len(times))
	for i, t := range times {
		slices.Sort(t)
		medians[i] = t[len(t)/2]
	}
	return medians
}

// passed returns a turn of f, measured in elapsed time.
func passed(f func()) func() time.Duration {
	return func() time.Duration {
		begin := time.Now()
		f()
		return time.Since(begin)
	}
}

// spent returns a turn of f, measured in processor time of this process.
func spent(f func()) func() time.Duration {
	return func() time.Duration {
		begin := used()
		f()
		return used() - begin
	}
}
