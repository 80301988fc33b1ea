package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"time"

	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// purged is how many entries are removed, and imported, while another window answers.
var purged = flag.Int("purged", 20_000, "how many questions of history are removed, and imported, while another window answers")

// within limits how long answers are measured during a removal.
var within = flag.Duration("within", 5*time.Minute, "how long answers are given beside the removal of a history, if it takes longer")

var storeRemoval = part{
	"the store: an answer of one window beside the removal of a history by another; the measure: its answer at the median when all is quiet",
	printRemoval,
}

// enoughAnswers is the minimum number of answers for a 99th percentile, so that ten took longer.
const enoughAnswers = 1000

func printRemoval(w io.Writer, _ int) {
	dir, remove := manifoldStore(*purged)
	works, end := openStore(dir)
	s, _, err := sqlite.Open(context.Background(), dir, store.Options{})
	check(err)
	window := []*answers{newAnswers(s)}
	check(works.Idle(context.Background()))
	measure := func(work func()) (answers, flushes []time.Duration) {
		answers = beside(window, func() { flushes = flushesBeside(dir, work) })
		return answers, flushes
	}
	quietly := func() (answers, flushes []time.Duration) {
		for len(answers) < enoughAnswers {
			some, others := measure(func() { time.Sleep(time.Second) })
			answers, flushes = append(answers, some...), append(flushes, others...)
		}
		slices.Sort(answers)
		slices.Sort(flushes)
		return answers, flushes
	}
	quietly() // warms up
	before, flushedBefore := quietly()
	removed, began := 0, time.Now()
	times, flushes := measure(func() {
		ctx, cancel := context.WithTimeout(context.Background(), *within)
		defer cancel()
		var err error
		if removed, err = works.Retain(ctx, store.Retention{Nothing: true}); !errors.Is(err, context.DeadlineExceeded) {
			check(err)
		}
	})
	took := time.Since(began)
	note := ""
	if len(times) < enoughAnswers {
		note = "; too few to judge by"
	}
	row := func(name, target string, times, before []time.Duration, note string) {
		median := float64(before[len(before)/2])
		at := func(times []time.Duration, part float64) float64 {
			return float64(times[int(float64(len(times)-1)*part)]) / median
		}
		fmt.Fprintf(w, "  %s\tp50 %.1f×\tp99 %.1f×\tlongest %.1f×\tquiet p99 %.1f× (p50 %v)\tp99 by the quiet p99 %.1f×%s\t%s\n", name,
			at(times, 0.5), at(times, 0.99), at(times, 1), at(before, 0.99), before[len(before)/2].Round(time.Microsecond),
			at(times, 0.99)/at(before, 0.99), target, note)
	}
	row(fmt.Sprintf("%d removed of %d and what is answered meanwhile", removed, *purged), ", at most 4", times, before,
		fmt.Sprintf("%d answers in %v%s", len(times), took.Round(time.Second), note))
	row("as many bytes flushed to a file of their own meanwhile: the disk and the machine", "", flushes, flushedBefore, "")
	check(s.Close())
	end()
	remove()
}

// answerBytes is the size of an answer's write: three pages.
const answerBytes = 3 * 4096

// flushesBeside writes as much as an answer to its own file at intervals while work runs, and returns the sorted durations of the
// flushes. Only the disk and its other users slow them down.
func flushesBeside(dir string, work func()) (times []time.Duration) {
	file, err := os.CreateTemp(dir, "flushed-")
	check(err)
	const room = 256
	_, err = file.Write(make([]byte, room*answerBytes))
	check(errors.Join(err, file.Sync())) // so that it does not grow
	done := make(chan struct{})
	var flushing sync.WaitGroup
	flushing.Go(func() {
		data := make([]byte, answerBytes)
		for n := int64(0); ; n++ {
			select {
			case <-done:
				return
			case <-time.After(rand.N(8 * time.Millisecond)):
			}
			times = append(times, passed(func() {
				_, err := file.WriteAt(data, n%room*answerBytes)
				check(errors.Join(err, file.Sync()))
			})())
		}
	})
	work()
	close(done)
	flushing.Wait()
	check(errors.Join(file.Close(), os.Remove(file.Name())))
	slices.Sort(times)
	return times
}

var storeBeside = part{
	"the store: an answer of one window beside the long work of another; the measure: its answer at the median when all is quiet",
	printBeside,
}

// printBeside measures answers in one store, alone and while another one on the same folder works.
func printBeside(w io.Writer, _ int) {
	dir, err := os.MkdirTemp("", "followup-bench-")
	check(err)
	fill(dir, *purged)
	works, end := openStore(dir)
	var windows []*answers
	for range 2 {
		s, _, err := sqlite.Open(context.Background(), dir, store.Options{})
		check(err)
		windows = append(windows, newAnswers(s))
	}
	one := windows[:1]
	for range 2 {
		beside(windows, func() { time.Sleep(2 * time.Second) })
	}
	quiet := func(windows []*answers) []time.Duration {
		return beside(windows, func() { time.Sleep(3 * time.Second) })
	}
	fmt.Fprintln(w, "  \tp50\tp99\tto reach\tby the quiet p99\tlongest\tanswers\tthe work took\t")
	row := func(name string, times, quiet []time.Duration, took time.Duration) {
		measure, tail := float64(quiet[len(quiet)/2]), float64(quiet[len(quiet)*99/100])
		at := func(part float64) float64 { return float64(times[int(float64(len(times)-1)*part)]) / measure }
		fmt.Fprintf(w, "  %s\t%.1f×\t%.1f×\tat most 10\t%.1f×\t%.1f×\t%d\t%s\t\n",
			name, at(0.5), at(0.99), at(0.99)*measure/tail, at(1), len(times), took.Round(time.Second/10))
	}
	oldest := *purged / 100
	alone, both := quiet(one), quiet(windows)
	row("nothing", alone, alone, 0)
	row("nothing, two windows answering", both, both, 0)
	for _, work := range []struct {
		name    string
		windows []*answers
		do      func()
	}{
		{fmt.Sprintf("removing the %d oldest entries", oldest), one, func() {
			removed, err := works.Retain(context.Background(), store.Retention{Age: time.Since(historyBegan.Add(time.Duration(oldest) * interval))})
			check(err)
			if removed != oldest {
				check(fmt.Errorf("%d of %d were removed", removed, oldest))
			}
		}},
		{fmt.Sprintf("removing %d entries", *purged-oldest), one, func() {
			removed, err := works.Retain(context.Background(), store.Retention{Nothing: true})
			check(err)
			if removed < *purged-oldest {
				check(fmt.Errorf("%d of %d were removed", removed, *purged))
			}
		}},
		{fmt.Sprintf("importing %d of the same millisecond", *purged), one, func() {
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
		{fmt.Sprintf("importing %d, two windows answering", *purged), windows, func() {
			write := newWriter()
			for i := range *purged / importStep {
				var exchanges []store.Imported
				for n := range importStep {
					exchanges = append(exchanges, write.exchange(*purged+i*importStep+n))
				}
				added, _, err := works.Import(context.Background(), exchanges)
				check(err)
				if added != importStep {
					check(fmt.Errorf("%d of %d were imported", added, importStep))
				}
			}
		}},
		{fmt.Sprintf("deleting %d, to be undone", *purged), one, func() {
			_, err := works.Delete(context.Background(), store.Selection{})
			check(err)
		}},
	} {
		check(works.Idle(context.Background()))
		measure := quiet(work.windows) // just before it, since machines vary over time
		began := time.Now()
		times := beside(work.windows, work.do)
		row(work.name, times, measure, time.Since(began))
	}
	for _, a := range windows {
		check(a.store.Close())
	}
	end()
	check(os.RemoveAll(dir))
}

// importStep is how many questions an import passes on at a time.
const importStep = 200

// beside makes windows answer at intervals while work runs, and returns the sorted durations.
func beside(windows []*answers, work func()) []time.Duration {
	done := make(chan struct{})
	all := make([][]time.Duration, len(windows))
	var answering sync.WaitGroup
	for i, a := range windows {
		answering.Go(func() { all[i] = a.until(done) })
	}
	work()
	close(done)
	answering.Wait()
	return slices.Sorted(slices.Values(slices.Concat(all...)))
}

// until answers at intervals, and returns the durations.
func (a *answers) until(done <-chan struct{}) (times []time.Duration) {
	for {
		select {
		case <-done:
			return times
		case <-time.After(rand.N(8 * time.Millisecond)):
		}
		if len(a.open) == 0 {
			a.ask(answersInTurn)
		}
		times = append(times, passed(a.next)())
	}
}
