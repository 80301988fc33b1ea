//go:build unix

package dialect

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ProcessorTime returns the processor time that the process has used.
func ProcessorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkHostile compares the processor time to read each hostile input with that of a plain question of the same
// length, cut alike: in bytes, in the chunks that models stream (16 bytes) and in those that files are read in (4 KiB),
// and whole. The two take turns, and the shortest time of each counts. In large chunks a plain question costs little
// more than a copy, so no parser reaches its time there.
func BenchmarkHostile(b *testing.B) {
	const size = 256 << 10
	chunks := []int{1, benchChunk, 4 << 10, size}
	for _, h := range hostiles() {
		b.Run(strings.ReplaceAll(h.format+"/"+h.name, " ", "_"), func(b *testing.B) {
			inputs := [2][]byte{[]byte(h.make(size)), []byte(plainQuestion(h.format)(size))}
			least := make([][2]float64, len(chunks)) // by chunk size and input, in ns per byte
			for b.Loop() {
				for c, chunk := range chunks {
					for i, input := range inputs {
						runtime.GC()
						begun := ProcessorTime(b)
						readChunks(h.format, input, chunk, func(Event) {}, func() {})
						took := float64(ProcessorTime(b)-begun) / float64(len(input))
						if least[c][i] == 0 || took < least[c][i] {
							least[c][i] = took
						}
					}
				}
			}
			for c, name := range []string{"1", "16", "4K", "whole"} {
				b.ReportMetric(least[c][0]/least[c][1], fmt.Sprintf("x/plain-%s", name))
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
