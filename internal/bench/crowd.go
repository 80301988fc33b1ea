package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"followup/internal/keeper"
)

// crowd is how many clients are connected to one keeper.
const crowd = 60

var idleCrowd = part{
	fmt.Sprintf("%d clients of one keeper with nothing to do, each a followup serve; the measure: a core", crowd),
	printCrowd,
}

func printCrowd(w io.Writer, _ int) {
	dir, err := os.MkdirTemp("", "followup-bench-")
	check(err)
	program, folder := filepath.Join(dir, "followup"), filepath.Join(dir, "storage")
	buildPackaged(program)
	clients := make([]*served, crowd)
	for i := range clients {
		clients[i] = startServe(program, folder)
		clients[i].waitForStore()
	}
	info, err := keeper.ReadInfo(folder)
	check(err)
	spent := func() (relays, kept time.Duration) {
		for _, c := range clients {
			relays += spentBy(c.process.Process.Pid)
		}
		return relays, spentBy(info.PID)
	}
	time.Sleep(calm)
	relaysBefore, keptBefore := spent()
	time.Sleep(*idle)
	relays, kept := spent()
	if relaysBefore == 0 {
		fmt.Fprintln(w, "  not available on this system\t\t\t")
	} else {
		share := func(spent time.Duration) float64 { return 100 * spent.Seconds() / idle.Seconds() }
		fmt.Fprintf(w, "  all of them and the keeper, over %s\t%.2f %% of a core\tat most 1 %%\t\n", *idle, share(relays-relaysBefore+kept-keptBefore))
		fmt.Fprintf(w, "  of which the keeper\t%.2f %%\t\t\n", share(kept-keptBefore))
		own := func(process int) float64 { return memoryOf(process, "Private_Dirty:", "Private_Clean:") }
		fmt.Fprintf(w, "  what a client holds alone in memory\t%.1f MiB\tat most 10 MiB\t\n", own(clients[0].process.Process.Pid))
		fmt.Fprintf(w, "  what the keeper does\t%.1f MiB\t\t\n", own(info.PID))
	}
	for _, c := range clients {
		c.end()
	}
	check(os.RemoveAll(dir))
}

// buildPackaged builds the program like extension/scripts/package/sidecar.mjs, except for flags that only reduce its size.
func buildPackaged(program string) {
	check(os.Setenv("CGO_ENABLED", "0")) // as in the Makefile
	command("go", "build", "-tags", "nopostgres,nohub,nethttpomithttp2", "-trimpath", "-ldflags", "-s -w", "-o", program, "./cmd/followup")
}
