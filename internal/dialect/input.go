package dialect

import (
	"runtime"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// Input reads the arguments of one native tool call, a JSON value, as they arrive.
type Input struct {
	emit    func(Event)
	reader  *native // nil once the arguments are complete
	size    int     // bytes so far
	cleanup runtime.Cleanup
}

// NewInput returns a reader of the arguments of a call of the tool, which tells emit what it reads.
func NewInput(tool string, o Options, emit func(Event)) *Input {
	n := beginNative(tool, o)
	n.feed = toolcall.NewFeed(func() { n.read("", n.feed.More) })
	in := &Input{emit: emit, reader: n}
	in.cleanup = runtime.AddCleanup(in, (*toolcall.Feed).Stop, n.feed) // the parser does not hold in
	return in
}

// Append reads the next fragment, which may be cut anywhere, within a character or an escape too.
func (in *Input) Append(fragment []byte) {
	if r := in.reader; r != nil {
		r.out.take = in.emit
		r.feed.Append(fragment[:max(0, min(len(fragment), r.options.Limits.Message-in.size))])
		r.out.flush()
		r.out.take = discard // in.emit may hold in
	}
	in.size += len(fragment)
}

// discard takes the events of a reader that is not called.
func discard(Event) {}

// End tells that the arguments are complete. It tells Done, once.
func (in *Input) End() {
	r := in.reader
	if in.reader = nil; r == nil {
		return
	}
	r.out.take = in.emit
	r.feed.End()
	read := r.reading(in.size)
	r.draft.end(read.call(r.options.Strict))
	in.cleanup.Stop()
	r.release()
}

// ReadInput reads the whole arguments of a call of the tool.
func ReadInput(tool string, input []byte, o Options) question.Call {
	if tool == question.ToolApproval {
		return readApproval(input, o)
	}
	read := readInput(tool, input, o)
	return read.call(o.Strict)
}

func readInput(tool string, input []byte, o Options) reading {
	n := beginNative(tool, o)
	defer n.release()
	n.read(toolcall.Valid(input[:min(len(input), n.options.Limits.Message)]), nil)
	return n.reading(len(input))
}
