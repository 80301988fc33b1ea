package dialect

import (
	"strconv"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// Input reads the arguments of one native tool call, a JSON value, as they arrive.
type Input struct {
	options Options
	tool    string
	out     output
	tokens  *toolcall.JSON
	reader  inputReader // nil for a tool that nothing here reads
	size    int         // bytes so far
	run     run
	over    bool // the limit was passed
	ended   bool
}

// inputReader reads the arguments of one tool.
type inputReader interface {
	toolcall.JSONSink
	// flush tells what is known and was not told.
	flush()
	// run returns the run of a question that is open, of room bytes at most.
	run(room int) run
	// open reports whether Opened was told.
	opened() bool
	// end tells how the arguments ended, and with that the call.
	end(state inputEnd)
}

// inputEnd is how arguments ended.
type inputEnd struct {
	truncated bool
	over      int // the limit of the message, if it was passed
	problem   question.Reason
	found     string         // the character that the problem is about
	lenient   toolcall.Fault // what was mended
}

// NewInput returns a reader of the arguments of a call of the tool.
func NewInput(tool string, o Options) *Input {
	o.Limits = o.Limits.WithDefaults()
	in := &Input{options: o, tool: tool}
	switch tool {
	case question.ToolFollowup:
		r := newFollowupInput(in)
		in.tokens = toolcall.NewJSON(r)
		in.reader, r.tokens = r, in.tokens
	case question.ToolAskUser:
		r := newAskUserInput(in)
		in.reader, in.tokens = r, r.tokens
	}
	return in
}

// Append reads the next fragment, which may be cut anywhere, within a character or an escape too.
func (in *Input) Append(fragment []byte, emit func(Event)) {
	if in.run.fits(fragment) && toolcall.PlainString(fragment) {
		in.out.emit = emit
		in.run.take(fragment)
		in.reader.flush()
		return
	}
	in.settle()
	if in.over || in.ended {
		return
	}
	if room := in.options.Limits.Message - in.size; len(fragment) > room {
		in.over = true
		fragment = fragment[:room]
	}
	in.size += len(fragment)
	if in.reader == nil {
		return
	}
	in.out.emit = emit
	in.tokens.Append(fragment)
	in.reader.flush()
	if in.tokens.InString() && !in.over {
		in.run = in.reader.run(in.options.Limits.Message - in.size)
	}
}

// settle ends the run that was under way, if any.
func (in *Input) settle() {
	if n := in.run.taken; n > 0 {
		in.size += n
		in.tokens.Skip(n)
	}
	in.run = run{}
}

// End tells that the arguments are complete. It tells Done, once.
func (in *Input) End(emit func(Event)) {
	if in.ended {
		return
	}
	in.settle()
	in.ended = true
	in.out.emit = emit
	if in.reader == nil {
		in.endUnknown()
		return
	}
	whole := in.tokens.End()
	end := inputEnd{truncated: !whole && !in.tokens.Failed(), lenient: in.tokens.Mended}
	if in.over {
		end.truncated, end.over = false, in.options.Limits.Message
	}
	if in.tokens.Failed() {
		end.problem, end.found = question.Reason(in.tokens.Fault), quoted(in.tokens.Found)
	}
	in.reader.end(end)
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
func (in *Input) Open() bool { return in.reader != nil && in.reader.opened() && !in.ended }

// ReadInput reads the whole arguments of a call of the tool.
func ReadInput(tool string, input []byte, o Options) question.Call {
	var call question.Call
	take := func(e Event) {
		if done, ok := e.(*Done); ok {
			call = done.Call
		}
	}
	in := NewInput(tool, o)
	in.Append(input, take)
	in.End(take)
	return call
}

// quoted returns a character as a message can name it.
func quoted(r rune) string { return strconv.QuoteRune(r) }
