package dialect

import (
	"followup/internal/question"
	"followup/internal/toolcall"
)

// Input reads the arguments of one native tool call, a JSON value, as they arrive.
type Input struct {
	options Options
	tool    string
	out     output
	walker  *walker // nil for a tool that nothing here reads
	tokens  *toolcall.JSON
	size    int  // bytes so far
	over    bool // the limit was passed
	ended   bool
}

// NewInput returns a reader of the arguments of a call of the tool, which tells emit what it reads.
func NewInput(tool string, o Options, emit func(Event)) *Input {
	o.Limits = o.Limits.WithDefaults()
	in := &Input{options: o, tool: tool}
	in.out.emit = emit
	switch tool {
	case question.ToolFollowup:
		in.walker = newWalker(o)
		in.walker.draft.out = &in.out
		in.tokens = newLayer(in.walker, 0, wholeFollowup).tokens
	case question.ToolAskUser:
		in.walker = newWalker(o)
		in.walker.asked = &askDraft{out: &in.out}
		in.tokens = newLayer(in.walker, 0, wholeAsk).tokens
	}
	return in
}

// Append reads the next fragment, which may be cut anywhere, within a character or an escape too.
func (in *Input) Append(fragment []byte) {
	if in.over || in.ended {
		return
	}
	if room := in.options.Limits.Message - in.size; len(fragment) > room {
		in.over = true
		fragment = fragment[:room]
	}
	in.size += len(fragment)
	if in.walker == nil {
		return
	}
	in.tokens.Append(fragment)
}

// End tells that the arguments are complete. It tells Done, once.
func (in *Input) End() {
	if in.ended {
		return
	}
	in.ended = true
	if in.walker == nil {
		in.endUnknown()
		return
	}
	w := in.walker
	a, err := w.finish(in.tokens)
	if in.over {
		err = &question.Error{Code: question.CodeTooLarge, Detail: question.Detail{Limit: in.options.Limits.Message}}
	}
	if w.asked != nil {
		w.asked.done(newAskReading(a, err, in.options.Limits).call(in.options.Strict))
	} else {
		read := newReading(a, err)
		w.draft.end(read.call(in.tool, in.options.Strict))
	}
	in.walker = nil
}

// endUnknown tells that there is no reader for the tool.
func (in *Input) endUnknown() {
	in.out.opened.Tool = in.tool
	in.out.emit(&in.out.opened)
	in.out.done.Call = question.Call{Tool: in.tool, Err: &question.Error{
		Code: question.CodeUnknownTool, Detail: question.Detail{Name: in.tool},
	}}
	in.out.emit(&in.out.done)
}

// Open reports whether the call is open: Opened was told, and Done was not.
func (in *Input) Open() bool { return in.walker != nil && in.walker.opened() && !in.ended }

// ReadInput reads the whole arguments of a call of the tool.
func ReadInput(tool string, input []byte, o Options) question.Call {
	var call question.Call
	in := NewInput(tool, o, func(e Event) {
		if done, ok := e.(*Done); ok {
			call = done.Call
		}
	})
	in.Append(input)
	in.End()
	return call
}
