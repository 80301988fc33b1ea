// Command bench measures what Followup costs beside the least that any program would pay for the same, in one run: the
// contenders take turns, each figure is the median of its turns, and what is printed are ratios. Timings of one machine
// and one moment mean little; ratios within a run hold.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// contender is one way of doing the same work.
type contender struct {
	name string
	run  func()
}

// contest compares contenders with the first of them.
type contest struct {
	about      string
	contenders []contender
	end        func() // lets go of what the contenders need
}

func main() {
	turns := flag.Int("turns", 9, "how many turns each contender has")
	only := flag.String("only", "", "run only the contests with this `text` in their description")
	flag.Parse()
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, begin := range []func() contest{askAndAnswer, streamAgainstEcho, streamIsLinear, readerAgainstFloor, readerIsFlat} {
		c := begin()
		if strings.Contains(c.about, *only) {
			fmt.Fprintf(table, "\n%s\n", c.about)
			for i, ratio := range measure(c, *turns) {
				fmt.Fprintf(table, "  %s\t%.2f×\t%s\n", c.contenders[i].name, ratio, note(i))
			}
		}
		if c.end != nil {
			c.end()
		}
		_ = table.Flush()
	}
}

func note(i int) string {
	if i == 0 {
		return "(the measure)"
	}
	return ""
}

// measure gives each contender's median time as a multiple of the first one's.
func measure(c contest, turns int) []float64 {
	times := make([][]time.Duration, len(c.contenders))
	for turn := range turns + 1 {
		for i, contender := range c.contenders {
			begin := time.Now()
			contender.run()
			if turn > 0 { // the first turn warms up
				times[i] = append(times[i], time.Since(begin))
			}
		}
	}
	ratios := make([]float64, len(times))
	for i := range times {
		ratios[i] = float64(median(times[i])) / float64(median(times[0]))
	}
	return ratios
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
