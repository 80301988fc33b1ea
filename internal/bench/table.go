package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"followup/internal/dialect"
)

// size is a size of a text.
type size struct {
	name  string
	bytes int
}

var sizes = []size{{"2 KB", 2 << 10}, {"90 KB", 90 << 10}, {"1 MB", 1 << 20}, {"8 MB", 8 << 20}}

// volume is how many bytes each contender reads per turn: those of the largest text at every size, so that turns of all sizes are
// equally long and leave as much garbage.
const volume = 8 << 20

// rival is what a parser is compared with.
type rival struct {
	name   string
	read   func([]byte) // nil for one that runs in Node
	again  bool         // parses everything again after each chunk: quadratic, so it only runs at the smallest size
	target string
}

// readerTable compares one parser with its rivals at every size.
type readerTable struct {
	open   func(func(dialect.Event)) chunkReader
	text   func(size int) string
	rivals []rival
}

var tagTable = part{
	"the tag reader in 16-byte chunks: how many times as fast as …",
	readerTable{openTags, callOf, []rival{
		{name: "looking and keeping, in Go", read: lookAndKeep, target: "at least 0.5"},
		{name: "saxes", target: "at least 2"},
		{name: "fast-xml-parser, once, at the end"},
		{name: "fast-xml-parser, again after each chunk", again: true},
	}}.print,
}

var inputTable = part{
	"the JSON reader in 16-byte chunks: how many times as fast as …",
	readerTable{openInput, argumentsOf, []rival{
		{name: "json.Valid over the whole, in Go", read: validate, target: "at least 0.5"},
		{name: "clarinet, without the partial question", target: "at least 1"},
		{name: "@streamparser/json, without the partial question"},
		{name: "partial-json, again after each chunk", again: true},
	}}.print,
}

func startPeers() *node {
	const folder = "internal/bench/peers"
	if _, err := os.Stat(filepath.Join(folder, "node_modules", ".package-lock.json")); err != nil {
		check(errors.New("the readers from the npm registry are not installed: run make bench in the project's root, or npm ci in " + folder))
	}
	return startNode("node", filepath.Join(folder, "main.mjs"), clock)
}

// cell is one contender at one size.
type cell struct {
	turn  func() time.Duration
	bytes int // per turn
}

func (t readerTable) print(w io.Writer, turns int) {
	peers := startPeers()
	defer peers.close()
	rows := make([][]cell, 1+len(t.rivals)) // the parser's own row comes first
	var contenders []contender
	for _, size := range sizes {
		text := t.text(size.bytes)
		peers.load(size.name, text)
		times := max(1, volume/len(text))
		for i := range rows {
			c := cell{bytes: times * len(text)}
			switch {
			case i == 0:
				c.turn = repeated(read(t.open), text, times)
			case t.rivals[i-1].read != nil:
				c.turn = repeated(t.rivals[i-1].read, text, times)
			default:
				c = nodeCell(peers, t.rivals[i-1], size, text, times)
			}
			rows[i] = append(rows[i], c)
			if c.turn != nil {
				contenders = append(contenders, contender{turn: c.turn})
			}
		}
	}
	t.write(w, perByte(rows, measure(contenders, turns)))
}

// nodeCell is a rival in Node. Quadratic ones get fewer and shorter texts.
func nodeCell(peers *node, r rival, s size, text string, times int) cell {
	if r.again {
		if s != sizes[0] {
			return cell{}
		}
		times = max(1, times/64)
	}
	return cell{
		turn:  func() time.Duration { return peers.turn(r.name, s.name, times) },
		bytes: times * len(text),
	}
}

func repeated(f func([]byte), text string, times int) func() time.Duration {
	b := []byte(text)
	turn := spent(func() {
		for range times {
			f(b)
		}
	})
	return func() time.Duration {
		runtime.GC() // collects the previous contender's garbage
		return turn()
	}
}

// perByte sorts the medians, which are ordered by size, into rows, as nanoseconds per byte; 0 for none.
func perByte(rows [][]cell, medians []time.Duration) [][]float64 {
	costs := make([][]float64, len(rows))
	for s := range sizes {
		for i, row := range rows {
			cost := 0.0
			if row[s].turn != nil {
				cost = float64(medians[0]) / float64(row[s].bytes)
				medians = medians[1:]
			}
			costs[i] = append(costs[i], cost)
		}
	}
	return costs
}

func (t readerTable) write(w io.Writer, costs [][]float64) {
	own := costs[0]
	line := func(name string, format string, value func(i int) float64, target string) {
		fmt.Fprintf(w, "  %s", name)
		for i := range sizes {
			if v := value(i); v < 0 {
				fmt.Fprint(w, "\t–")
			} else {
				fmt.Fprintf(w, "\t"+format, v)
			}
		}
		fmt.Fprintf(w, "\t%s\n", target)
	}
	names := make([]string, len(sizes))
	for i, size := range sizes {
		names[i] = size.name
	}
	fmt.Fprintf(w, "  \t%s\tto reach\n", strings.Join(names, "\t"))
	for r, rival := range t.rivals {
		line(rival.name, "%.2f×", func(i int) float64 {
			if costs[r+1][i] == 0 {
				return -1
			}
			return costs[r+1][i] / own[i]
		}, rival.target)
	}
	line("MB/s, here and now", "%.0f", func(i int) float64 { return 1000 / own[i] }, "")
	line("itself at 2 KB", "%.2f×", func(i int) float64 { return own[0] / own[i] }, "0.75 to 1.25")
	line("allocations per chunk, within the question (its event)", "%.4f", func(i int) float64 {
		return steadyAllocations(t.open(func(dialect.Event) {}), t.text(sizes[i].bytes))
	}, "1")
}

// steadyAllocations counts the allocations per chunk in the middle half of the text, where the question grows. The few that remain
// come from the question's own buffer, which doubles.
func steadyAllocations(reader chunkReader, text string) float64 {
	b := []byte(text)
	from, to := len(b)/4/chunk*chunk, len(b)*3/4/chunk*chunk
	eachChunk(b[:from], reader.Append)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	eachChunk(b[from:to], reader.Append)
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64((to-from)/chunk)
}
