package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// purged is how many entries are removed, and imported, while another window answers.
var purged = flag.Int("purged", 20_000, "how many questions of history are removed, and imported, while another window answers")

var storeBeside = part{
	"the store: an answer of one window beside the long work of another; the measure: its answer at the median when all is quiet",
	printBeside,
}

// printBeside has one store answer, by itself and while another one on the same folder works.
func printBeside(w io.Writer, _ int) {
	dir, err := os.MkdirTemp("", "followup-bench-")
	check(err)
	fill(dir, *purged)
	works, end := openStore(dir)
	s, _, err := sqlite.Open(context.Background(), dir, store.Options{Owner: newID()})
	check(err)
	a := newAnswers(s)
	for range 2 {
		a.beside(func() { time.Sleep(2 * time.Second) })
	}
	quiet := a.beside(func() { time.Sleep(3 * time.Second) })
	measure, tail := float64(quiet[len(quiet)/2]), float64(quiet[len(quiet)*99/100])
	fmt.Fprintln(w, "  \tp50\tp99\tto reach\tby the quiet p99\tlongest\tanswers\tthe work took\t")
	row := func(name string, times []time.Duration, took time.Duration) {
		at := func(part float64) float64 { return float64(times[int(float64(len(times)-1)*part)]) / measure }
		fmt.Fprintf(w, "  %s\t%.1f×\t%.1f×\tat most 10\t%.1f×\t%.1f×\t%d\t%s\t\n",
			name, at(0.5), at(0.99), at(0.99)*measure/tail, at(1), len(times), took.Round(time.Second/10))
	}
	row("nothing", quiet, 0)
	for _, work := range []struct {
		name string
		do   func()
	}{
		{fmt.Sprintf("removing %d entries", *purged), func() {
			removed, err := works.Retain(context.Background(), store.Retention{Nothing: true})
			check(err)
			if removed < *purged {
				check(fmt.Errorf("%d of %d were removed", removed, *purged))
			}
		}},
		{fmt.Sprintf("importing %d of the same millisecond", *purged), func() {
			write, at := newWriter(), historyBegan
			var exchanges []store.Imported
			for i := range *purged {
				x := write.exchange(i)
				x.Outcome.ClosedAt = at
				exchanges = append(exchanges, x)
			}
			added, _, err := works.Import(context.Background(), exchanges)
			check(err)
			if added != *purged {
				check(fmt.Errorf("%d of %d were imported", added, *purged))
			}
		}},
		{fmt.Sprintf("deleting %d, to be undone", *purged), func() {
			_, err := works.Delete(context.Background(), store.Selection{})
			check(err)
		}},
	} {
		began := time.Now()
		times := a.beside(work.do)
		row(work.name, times, time.Since(began))
	}
	check(s.Close())
	end()
	check(os.RemoveAll(dir))
}

// beside gives answers now and then while work goes on, and tells how long each took, sorted.
func (a *answers) beside(work func()) []time.Duration {
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	var times []time.Duration
	for {
		select {
		case <-done:
			slices.Sort(times)
			return times
		case <-time.After(rand.N(8 * time.Millisecond)):
		}
		if len(a.open) == 0 {
			a.ask(answersInTurn)
		}
		times = append(times, passed(a.next)())
	}
}
