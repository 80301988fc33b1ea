package dialect

import "followup/internal/question"

// Input reads the arguments of one native tool call, a JSON value, as they arrive.
type Input struct {
	tool   string
	out    *output
	walker *walker // nil for a tool that nothing here reads, and once the arguments are complete
	size   int     // bytes so far
	limit  int     // of them
	ended  bool
}

// NewInput returns a reader of the arguments of a call of the tool, which tells emit what it reads.
func NewInput(tool string, o Options, emit func(Event)) *Input {
	o.Limits = o.Limits.WithDefaults()
	in := &Input{tool: tool, out: &output{emit: emit}, limit: o.Limits.Message}
	if whole := wholeOf[tool]; whole != nil {
		in.walker = newWalker(o, draft{out: in.out, tool: tool})
		newLayer(in.walker, 0, whole)
	}
	return in
}

// Append reads the next fragment, which may be cut anywhere, within a character or an escape too.
func (in *Input) Append(fragment []byte) {
	room := in.limit - in.size
	if in.size += len(fragment); in.walker != nil && room > 0 {
		in.walker.layers[0].tokens.Append(fragment[:min(room, len(fragment))])
	}
}

// End tells that the arguments are complete. It tells Done, once.
func (in *Input) End() {
	w := in.walker
	switch in.walker = nil; {
	case in.ended:
		return
	case w == nil:
		(&draft{out: in.out, tool: in.tool}).end(question.Call{Tool: in.tool, Err: &question.Error{
			Code: question.CodeUnknownTool, Detail: question.Detail{Name: in.tool},
		}})
	default:
		a, err := w.finish(&w.layers[0].tokens)
		if in.size > in.limit {
			err = &question.Error{Code: question.CodeTooLarge, Detail: question.Detail{Limit: in.limit}}
		}
		read := newReading(in.tool, a, err, w.options.Limits)
		w.draft.end(read.call(w.options.Strict))
		w.release()
	}
	in.ended = true
}

// Open reports whether the call is open: Opened was told, and Done was not.
func (in *Input) Open() bool { return in.walker != nil && in.walker.draft.open }

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
