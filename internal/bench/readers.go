package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"followup/internal/dialect"
)

// chunk is how many bytes a reader gets at a time, about those of a model's token.
const chunk = 16

// paragraph is the text of the questions. It is ASCII, so it may be cut anywhere.
const paragraph = "The cache can live in the process or beside it. In the process it is gone with every restart, and each of\n" +
	"the workers warms its own; beside it there is one more thing to run, to watch and to pay for. Both have been\n" +
	"done before in this code base, and neither choice is final. Which of the two shall it be for now?\n\n"

// words returns about size bytes of text, without trailing white space.
func words(size int) string {
	return strings.TrimSpace(strings.Repeat(paragraph, size/len(paragraph)+1)[:max(size, 1)])
}

// callOf returns a call in tags, of about size bytes, nearly all of them in the question.
func callOf(size int) string {
	const before, after = "<ask_followup_question>\n<question>", "</question>\n<follow_up>\n<suggest>In the process</suggest>\n" +
		"<suggest mode=\"code\">Beside it</suggest>\n</follow_up>\n</ask_followup_question>"
	return before + words(size-len(before)-len(after)) + after
}

// argumentsOf returns the same call as JSON arguments of a native call.
func argumentsOf(size int) string {
	written, err := json.Marshal(map[string]any{"question": words(size - 100), "follow_up": []map[string]string{
		{"text": "In the process"}, {"text": "Beside it", "mode": "code"},
	}})
	check(err)
	return string(written)
}

// eachChunk calls do with each chunk of a text.
func eachChunk[T string | []byte](text T, do func(T)) {
	for len(text) > 0 {
		n := min(chunk, len(text))
		do(text[:n])
		text = text[n:]
	}
}

// tool is the tool whose calls are parsed.
const tool = "ask_followup_question"

// options accept every text.
func options() (o dialect.Options) {
	o.Limits.Parameter, o.Limits.Message = 16<<20, 16<<20
	return o
}

// A reader is one of our parsers, with the parsers that it is compared with.
type reader struct {
	open   func(emit func(dialect.Event)) chunkReader
	text   func(size int) string
	rivals []rival
}

type chunkReader interface {
	Append(chunk []byte)
	End()
}

type rival struct {
	name, target string
	read         func([]byte) // nil for one that runs in Node
	again        bool         // parses everything again after each chunk: quadratic, so it only runs at the smallest size
}

var readerBenchmarks = []benchmark{
	{"the tag reader in 16-byte chunks; the measure: the reader, so that a multiple is how many times as fast it is", reader{
		func(emit func(dialect.Event)) chunkReader { return dialect.NewTags(options(), emit) }, callOf, []rival{
			{name: "looking and keeping, in Go", read: lookAndKeep, target: "at least 0.5"},
			{name: "saxes", target: "at least 2"},
			{name: "fast-xml-parser, once, at the end"},
			{name: "fast-xml-parser, again after each chunk", again: true},
		},
	}.compare},
	{"the JSON reader in 16-byte chunks; the measure: the reader, so that a multiple is how many times as fast it is", reader{
		func(emit func(dialect.Event)) chunkReader { return dialect.NewInput(tool, options(), emit) }, argumentsOf, []rival{
			{name: "json.Valid over the whole, in Go", read: validate, target: "at least 0.5"},
			{name: "clarinet, without the partial question", target: "at least 1"},
			{name: "@streamparser/json, without the partial question"},
			{name: "partial-json, again after each chunk", again: true},
		},
	}.compare},
}

// volume is how many bytes are read for each sample: those of the largest text at every size, so that samples of all sizes are
// equally long and leave as much garbage.
const volume = 8 << 20

func (r reader) compare(t *table) {
	n := t.startNode("node", "internal/bench/peers/main.mjs", clock)
	sizes := []string{"2 KB", "90 KB", "1 MB", "8 MB"}
	for i, size := range []int{2 << 10, 90 << 10, 1 << 20, volume} {
		text := []byte(r.text(size))
		n.load(sizes[i], string(text))
		times := volume / size
		add := func(name, target string, times int, run func() float64) *row {
			added := t.row(sizes[i]+": "+name, target, func() float64 { return run() / float64(times*len(text)) })
			added.unit = "s/B"
			return added
		}
		own := add("the reader", "", times, spent(times, func() { r.read(text) }))
		own.by = own
		for _, rival := range r.rivals {
			switch {
			case rival.read != nil:
				add(rival.name, rival.target, times, spent(times, func() { rival.read(text) }))
			case !rival.again:
				add(rival.name, rival.target, times, n.run(rival.name, sizes[i], times))
			case i == 0:
				add(rival.name, rival.target, times/64, n.run(rival.name, sizes[i], times/64))
			}
		}
		t.compared(sizes[i]+": the reader, by itself at 2 KB", "0.75 to 1.33", own, t.rows[0])
		t.compared(sizes[i]+": allocations per chunk, within the question (its event)", "1", &row{samples: []float64{r.steadyAllocations(text)}}, nil)
	}
	t.alternate(1, nil)
}

// spent returns a function that takes a sample: the processor time of f, run repeatedly.
func spent(times int, f func()) func() float64 {
	return func() float64 {
		runtime.GC() // collects the garbage of the previous sample
		began := used()
		for range times {
			f()
		}
		return (used() - began).Seconds()
	}
}

// read parses a text in chunks and handles every event, as for a question that is shown while it grows.
func (r reader) read(text []byte) {
	shown, valid := 0, false
	reader := r.open(func(e dialect.Event) {
		switch e := e.(type) {
		case *dialect.Grew:
			shown += len(e.Text)
		case *dialect.Done:
			valid = e.Call.Err == nil && len(e.Call.Followup.Question) == shown && len(e.Call.Followup.Suggest) == 2
		}
	})
	eachChunk(text, reader.Append)
	reader.End()
	if !valid {
		check(errors.New("the call was not read"))
	}
}

// steadyAllocations counts the allocations per chunk in the third quarter of the text, where the question grows. The few that
// remain come from the question's own buffer, which doubles.
func (r reader) steadyAllocations(text []byte) float64 {
	reader := r.open(func(dialect.Event) {})
	quarter := len(text) / 4 / chunk * chunk
	next := func() {
		eachChunk(text[:quarter], reader.Append)
		text = text[quarter:]
	}
	next()
	return testing.AllocsPerRun(1, next) / float64(quarter/chunk) // after a run that warms up
}

// lookAndKeep is the minimum cost of reading: looking at every byte once, and keeping it.
func lookAndKeep(text []byte) {
	var kept []byte
	found := false
	eachChunk(text, func(piece []byte) {
		found = found || bytes.IndexByte(piece, 0) >= 0
		kept = append(kept, piece...)
	})
	if found || len(kept) != len(text) {
		check(errors.New("the text was not kept"))
	}
}

// validate only checks with the standard library that a text is JSON.
func validate(text []byte) {
	if !json.Valid(text) {
		check(errors.New("the text is not JSON"))
	}
}
