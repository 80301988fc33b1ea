// Command bench compares Followup's costs with the minimum that any program would pay for the same, and with the alternatives of a
// user. In one run, contenders alternate, each figure is the median of its turns, and the output is ratios. Times depend on the
// machine and the moment; ratios within a run are stable.
//
// Run it in the module's root; make bench installs what it needs.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
)

// part is one table of the output.
type part struct {
	about string
	print func(w io.Writer, turns int)
}

// compare returns a part that runs a contest.
func compare(about string, begin func() contest) part {
	return part{about, func(w io.Writer, turns int) { begin().print(w, turns) }}
}

var parts = append([]part{
	tagTable, inputTable, fromNode, roundTrip, inChromium, askAndAnswer, streamAgainstEcho, streamIsLinear,
	besideDisk, inAnotherProcess, idleCrowd, storeAnswers, storeBeside, storeRemoval, storePages, storeStartup,
}, hubParts...)

func main() {
	turns := flag.Int("turns", 7, "how many turns each contender has")
	only := flag.String("only", "", "run only the tables with this `text` in their description")
	flag.Parse()
	if *flushed > 0 {
		answerAll(flag.Arg(0), *flushed)
		return
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, p := range parts {
		if strings.Contains(p.about, *only) {
			fmt.Fprintf(table, "\n%s\n", p.about)
			p.print(table, *turns)
			_ = table.Flush()
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
