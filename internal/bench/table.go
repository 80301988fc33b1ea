package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"
)

// A table is the output of a benchmark.
type table struct {
	turns int
	rows  []*row
	ends  []func()
}

// A row is one way to do the work, or one quantity that is measured meanwhile.
type row struct {
	name, target string // target is the goal, in words; it may be empty
	unit         string // of the samples; "s" and "B" get prefixes
	by           *row   // the measure, whose is itself; nil for a row that is not compared
	of           *row   // the row that has its samples; nil for a row with its own
	run          func() float64
	samples      []float64
}

// measure adds a row that later ones are compared with. run, if not nil, takes one sample for alternate.
func (t *table) measure(name string, run func() float64) *row {
	r := t.row(name, "", run)
	r.by = r
	return r
}

// row adds a row that is compared with the measure above it.
func (t *table) row(name, target string, run func() float64) *row {
	r := &row{name: name, target: target, unit: "s", run: run}
	if len(t.rows) > 0 {
		r.by = t.rows[len(t.rows)-1].by
	}
	t.rows = append(t.rows, r)
	return r
}

// compared adds a row that compares the samples of r with those of by.
func (t *table) compared(name, target string, r, by *row) {
	t.rows = append(t.rows, &row{name: name, target: target, unit: r.unit, by: by, of: r})
}

// figure adds a row that is not compared.
func (t *table) figure(name, target, unit string, samples ...float64) *row {
	r := t.row(name, target, nil)
	r.unit, r.by, r.samples = unit, nil, samples
	return r
}

// alternate takes n samples of each row in every turn. Rows alternate at each sample and take turns to be first, so that other load
// affects all of them equally. The first turn warms up. before, if not nil, is called before each turn.
func (t *table) alternate(n int, before func()) {
	rows := slices.DeleteFunc(slices.Clone(t.rows), func(r *row) bool { return r.run == nil })
	for turn := range t.turns + 1 {
		if before != nil {
			before()
		}
		for i := range n * len(rows) {
			r := rows[(i+i/len(rows)+turn)%len(rows)]
			r.samples = append(r.samples, r.run())
		}
		if turn == 0 {
			for _, r := range t.rows {
				r.samples = nil
			}
		}
	}
}

// timed returns a function that takes a sample: the seconds of f.
func timed(f func()) func() float64 {
	return func() float64 {
		began := time.Now()
		f()
		return time.Since(began).Seconds()
	}
}

// cleanup schedules f for the end of the benchmark, last first.
func (t *table) cleanup(f func()) { t.ends = append(t.ends, f) }

func (t *table) end() {
	for _, f := range slices.Backward(t.ends) {
		f()
	}
}

// folder returns a new folder in parent, or in the system's if that is empty. It is removed at the end.
func (t *table) folder(parent string) string {
	dir, err := os.MkdirTemp(parent, "followup-bench-")
	check(err)
	t.cleanup(func() { check(os.RemoveAll(dir)) })
	return dir
}

// enough is the minimum number of samples for a 99th percentile.
const enough = 100

// print writes the rows: as multiples of their measures, and as they are. Columns without a figure are omitted.
func (t *table) print(out io.Writer) {
	lines := [][]string{{" ", "p50", "", "p99 by p50", "p99 by p99", "measured", "p99", "longest", "target"}}
	for _, r := range t.rows {
		lines = append(lines, r.cells())
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, line := range lines {
		for i, cell := range line {
			if slices.ContainsFunc(lines[1:], func(other []string) bool { return other[i] != "" }) {
				fmt.Fprint(w, cell, "\t")
			}
		}
		fmt.Fprintln(w)
	}
	check(w.Flush())
}

func (r *row) cells() []string {
	cells := make([]string, 9)
	cells[0], cells[8] = "  "+r.name, r.target
	if r.of != nil {
		r.samples = r.of.samples
	}
	if len(r.samples) == 0 {
		cells[5] = "not available here"
		return cells
	}
	sample := func(r *row) (benchmath.Summary, float64, float64) {
		s := benchmath.NewSample(slices.Clone(r.samples), &benchmath.DefaultThresholds)
		sorted := stats.Sample{Xs: s.Values, Sorted: true}
		return benchmath.AssumeNothing.Summary(s, 0.95), sorted.Quantile(0.99), sorted.Quantile(1)
	}
	median, tail, longest := sample(r)
	cells[5] = r.format(median.Center)
	if r.by != nil {
		by, byTail, _ := sample(r.by)
		cells[1] = fmt.Sprintf("%.2f×", median.Center/by.Center)
		if len(r.samples) >= enough {
			cells[3], cells[4] = fmt.Sprintf("%.1f×", tail/by.Center), fmt.Sprintf("%.1f×", tail/byTail)
		}
		if r.by == r {
			cells[8] = "(the measure)"
		}
	}
	if len(r.samples) > 1 {
		cells[2], cells[7] = "± "+median.PctRangeString(), r.format(longest)
	}
	if len(r.samples) >= enough {
		cells[6] = r.format(tail)
	}
	return cells
}

// format returns a value with its unit.
func (r *row) format(value float64) string {
	switch unit, _, _ := strings.Cut(r.unit, "/"); unit {
	case "s":
		return benchunit.Scale(value, benchunit.Decimal) + r.unit
	case "B":
		return benchunit.Scale(value, benchunit.Binary) + r.unit
	}
	return fmt.Sprintf("%.3f %s", value, r.unit)
}
