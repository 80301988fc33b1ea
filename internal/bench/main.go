// Command bench compares Followup's costs with the minimum that any program would pay for the same, and with a user's
// alternatives. The ways to do the same work alternate in one run, and the output is ratios: times depend on the
// machine and the moment, ratios within a run are stable.
//
// Run it in the module's root; make bench installs what it needs.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A benchmark adds rows to a table and measures them.
type benchmark struct {
	about   string
	measure func(t *table)
}

func main() {
	turns := flag.Int("turns", 7, "how many turns each benchmark has")
	only := flag.String("only", "", "run only the benchmarks with this `text` in their description")
	flag.Parse()
	if *flushed > 0 {
		answerAll(flag.Arg(0), *flushed)
		return
	}
	for _, b := range slices.Concat(readerBenchmarks, sidecarBenchmarks, nodeBenchmarks, storeBenchmarks, programBenchmarks, hubBenchmarks) {
		if strings.Contains(b.about, *only) {
			t := &table{turns: *turns}
			b.measure(t)
			t.end()
			fmt.Printf("\n%s\n", b.about)
			t.print(os.Stdout)
		}
	}
}

// check ends the program: a benchmark that fails has no figures.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}
