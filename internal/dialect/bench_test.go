package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"followup/internal/question"
)

// benchChunk is the size of a stream's chunks, about one model token.
const benchChunk = 16

var benchSizes = []int{2 << 10, 90 << 10, 1 << 20}

const prose = "The scheduler keeps a heap of timers, and each of its workers takes the next one that is due. "

// proseMessage returns text with a short call at its end.
func proseMessage(size int) []byte {
	call := printTags(question.Followup{Question: "Go on?", Suggest: []question.Suggestion{{Answer: "Yes"}, {Answer: "No"}}})
	return []byte(strings.Repeat(prose, (size-len(call))/len(prose)) + call)
}

// questionMessage returns a call with a long question.
func questionMessage(size int) []byte {
	return []byte(printTags(question.Followup{Question: trim(strings.Repeat(prose, size/len(prose)-2))}))
}

// callsMessage returns many calls with text between them.
func callsMessage(size int) []byte {
	call := prose + "\n" + printTags(question.Followup{
		Question: "Which styling approach would you prefer for this web application?",
		Suggest: []question.Suggestion{
			{Answer: "Use Bootstrap for rapid development with consistent components"},
			{Answer: "Use Tailwind CSS for utility-first styling with maximum flexibility", Mode: "code"},
		},
	}) + "\n"
	return []byte(strings.Repeat(call, max(1, size/len(call))))
}

func arguments16(size int) []byte {
	return printJSON(question.Followup{
		Question: trim(strings.Repeat(prose, size/len(prose)-2)),
		Suggest:  []question.Suggestion{{Answer: "Yes"}, {Answer: "No", Mode: "code"}},
	})
}

// largeLimits admit every benchmark's message.
var largeLimits = question.Limits{Parameter: 16 << 20, Message: 64 << 20}

func benchmark(b *testing.B, input []byte, open func(emit func(Event)) reader) {
	var got int
	take := func(e Event) {
		switch e := e.(type) {
		case *Text:
			got += len(e.Text)
		case *Grew:
			got += len(e.Text)
		case *Done:
			if e.Call.Err != nil {
				b.Fatalf("%+v", e.Call.Err)
			}
		}
	}
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		r := open(take)
		for i := 0; i < len(input); i += benchChunk {
			r.Append(input[i:min(i+benchChunk, len(input))])
		}
		r.End()
	}
	if got == 0 {
		b.Fatal("nothing was read")
	}
	b.ReportMetric(float64(len(input)/benchChunk), "chunks/op")
}

func BenchmarkTags(b *testing.B) {
	shapes := []struct {
		name string
		make func(int) []byte
	}{{"prose", proseMessage}, {"question", questionMessage}, {"calls", callsMessage}}
	for _, shape := range shapes {
		for _, size := range benchSizes {
			b.Run(fmt.Sprintf("%s/%dKB", shape.name, size>>10), func(b *testing.B) {
				benchmark(b, shape.make(size), func(emit func(Event)) reader { return NewTags(Options{Limits: largeLimits}, emit) })
			})
		}
	}
}

func BenchmarkInput(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			benchmark(b, arguments16(size), func(emit func(Event)) reader {
				return NewInput(question.ToolFollowup, Options{Limits: largeLimits}, emit)
			})
		})
	}
}

// BenchmarkFloor is a lower bound for any reader: it searches each chunk for a < and keeps the chunk.
func BenchmarkFloor(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprintf("keep/%dKB", size>>10), func(b *testing.B) {
			input := proseMessage(size)
			b.SetBytes(int64(len(input)))
			for b.Loop() {
				var kept []byte
				found := 0
				for i := 0; i < len(input); i += benchChunk {
					chunk := input[i:min(i+benchChunk, len(input))]
					found += bytes.IndexByte(chunk, '<')
					kept = append(kept, chunk...)
				}
				if len(kept) != len(input) {
					b.Fatal(found)
				}
			}
		})
		b.Run(fmt.Sprintf("json.Valid/%dKB", size>>10), func(b *testing.B) {
			input := arguments16(size)
			b.SetBytes(int64(len(input)))
			for b.Loop() {
				if !json.Valid(input) {
					b.Fatal("not valid")
				}
			}
		})
	}
}

// ordinary returns realistic input of n bytes: one-line questions with two answers each.
func ordinary(format string) func(n int) string {
	const (
		asked  = "Which styling approach would you prefer for this web application?"
		first  = "Use Bootstrap for rapid development with consistent components"
		second = "Use Tailwind CSS for utility-first styling with maximum flexibility"
	)
	switch format {
	case "json":
		return filled(`{"question": "`+asked+`", "follow_up": [`, `{"text": "`+first+` (%d)", "mode": null},`, `{"text": "`+second+`", "mode": "code"}]}`)
	case "ask":
		options := `[{"label": "Bootstrap", "description": "` + first + `"}, {"label": "Tailwind CSS", "description": "` + second + `"}]`
		return filled(`{"questions": [`, `{"question": "%d: `+asked+`", "header": "Styling", "options": `+options+`, "multiSelect": false},`, `{}]}`)
	}
	return func(n int) string { return string(callsMessage(n)) }
}

// BenchmarkHostile compares the time to read 1 MB of each hostile input with that of a plain question of the same
// length, in the chunks that models stream (16 bytes) and in those that files are read in (4 KiB). It also compares
// with ordinary calls, since reading a plain question in large chunks costs little more than a copy. The inputs take
// turns, and the shortest time of each counts.
func BenchmarkHostile(b *testing.B) {
	const size = 1 << 20
	for _, h := range hostiles() {
		b.Run(h.format+"/"+h.name, func(b *testing.B) {
			var least [3][2]float64 // by input and chunk size, in ns per byte
			for b.Loop() {
				for i, make := range []func(n int) string{h.make, plainQuestion(h.format), ordinary(h.format)} {
					input := []byte(make(size))
					for j, piece := range []int{benchChunk, 4 << 10} {
						begun := time.Now()
						readChunks(h.format, input, piece, func(Event) {}, func() {})
						took := float64(time.Since(begun)) / float64(len(input))
						if least[i][j] == 0 || took < least[i][j] {
							least[i][j] = took
						}
					}
				}
			}
			b.ReportMetric(least[0][0]/least[1][0], "x/plain-16")
			b.ReportMetric(least[0][1]/least[1][1], "x/plain-4K")
			b.ReportMetric(least[0][1]/least[2][1], "x/ordinary-4K")
			b.ReportMetric(least[0][1]*size/1e6, "ms/MB-4K")
			b.ReportMetric(0, "ns/op")
		})
	}
}
