package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

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
