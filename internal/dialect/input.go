package dialect

import (
	"runtime"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// Input reads the arguments of one native tool call, a JSON value, as they arrive.
type Input struct {
	emit    func(Event)
	reader  *native // nil after End
	size    int     // bytes received
	cleanup runtime.Cleanup
}

// NewInput returns a reader of a call's arguments that calls emit with each event.
func NewInput(tool string, o Options, emit func(Event)) *Input {
	n := acquireNative(tool, o)
	n.feed = toolcall.NewFeed(func() { n.read("", n.feed.More) })
	in := &Input{emit: emit, reader: n}
	in.cleanup = runtime.AddCleanup(in, (*toolcall.Feed).Stop, n.feed) // the parser holds no reference to in
	return in
}

// Append reads the next fragment. Fragments may end anywhere, even inside a character or an escape.
func (in *Input) Append(fragment []byte) {
	if r := in.reader; r != nil {
		r.out.send = in.emit
		r.feed.Append(fragment[:max(0, min(len(fragment), r.options.Limits.Message-in.size))])
		r.out.flush()
		r.out.send = discard // in.emit may reference in
	}
	in.size += len(fragment)
}

// discard ignores events between calls.
func discard(Event) {}

// End ends the arguments and emits Done. Further calls do nothing.
func (in *Input) End() {
	r := in.reader
	if in.reader = nil; r == nil {
		return
	}
	r.out.send = in.emit
	r.feed.End()
	read := r.result(in.size)
	r.draft.end(read.call(r.options.Strict))
	in.cleanup.Stop()
	r.release()
}

// ReadInput reads the complete arguments of a call.
func ReadInput(tool string, input []byte, o Options) question.Call {
	if tool == question.ToolApproval {
		return readApproval(input, o)
	}
	read := readInput(tool, input, o)
	return read.call(o.Strict)
}

func readInput(tool string, input []byte, o Options) reading {
	n := acquireNative(tool, o)
	defer n.release()
	n.read(toolcall.Valid(input[:min(len(input), n.options.Limits.Message)]), nil)
	return n.result(len(input))
}
