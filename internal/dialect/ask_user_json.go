package dialect

import (
	"followup/internal/question"
	"followup/internal/toolcall"
)

// askUserInput reads the arguments of AskUserQuestion (seed 003), or a string that holds them.
type askUserInput struct {
	askLayer
}

func newAskUserInput(in *Input) *askUserInput {
	r := &askUserInput{}
	r.args = &askArguments{limit: in.options.Limits.Parameter, strict: in.options.Strict}
	r.args.draft.out = &in.out
	r.tokens = toolcall.NewJSON(r)
	return r
}

func (r *askUserInput) flush()       { r.args.flush() }
func (r *askUserInput) opened() bool { return r.args.draft.open }

func (r *askUserInput) run(room int) run {
	a := r.args
	if r.inner != nil || a.dead || a.growing == nil {
		return run{}
	}
	return newRun(a.growing, min(room, a.room(0)))
}

func (r *askUserInput) end(state inputEnd) {
	a := r.args
	if in := a.whole; in != nil && in.ended && state.problem == "" {
		switch {
		case in.tokens.Failed():
			state.problem, state.found = question.Reason(in.tokens.Fault), quoted(in.tokens.Found)
		case !in.complete:
			state.problem = question.ReasonInnerEnd
		}
	}
	reading := a.finish(state)
	a.flush()
	a.draft.done(reading.call(a.strict))
}

// askLayer hands on what one JSON reader finds: that of the arguments, or of a string in them that holds JSON itself, at
// most three deep.
type askLayer struct {
	args     *askArguments
	tokens   *toolcall.JSON
	inner    *askLayer // reads the string that is open
	back     askPlace  // where that string stands
	blank    bool      // it holds white space only, so far
	ended    bool
	complete bool // with a whole value in it
}

// bounded reports whether the limit of parameters is measured here, and one of them is open.
func (l *askLayer) bounded() bool { return l.tokens == l.args.tokens && l.args.parameter }

// goes reports whether what comes, n bytes further on, is still read.
func (l *askLayer) goes(n int) bool {
	return !l.args.dead && (!l.bounded() || l.args.within(n))
}

func (l *askLayer) Key(name []byte) {
	if l.goes(0) {
		l.args.takeKey(name)
	}
}

func (l *askLayer) Value(k toolcall.Kind) {
	if !l.goes(0) {
		return
	}
	back := l.args.place
	if l.args.takeValue(k, l) {
		l.inner = &askLayer{args: l.args, back: back, blank: true}
		l.inner.tokens = toolcall.NewJSON(l.inner)
		if back == askTop {
			l.args.whole = l.inner
		}
	}
}

func (l *askLayer) StringPart(b []byte) {
	if !l.goes(0) {
		return
	}
	if l.bounded() {
		b = wholeChars(b, l.args.room(0))
	}
	if in := l.inner; in != nil {
		in.blank = in.blank && lenTrimmed(b) == 0
		in.tokens.Append(b)
		return
	}
	l.args.takePart(b)
}

func (l *askLayer) EndString() {
	if !l.goes(0) {
		return
	}
	in := l.inner
	if in == nil {
		l.args.endString()
		return
	}
	l.inner = nil
	in.ended, in.complete = true, in.tokens.End()
	l.args.endInner(in)
}

func (l *askLayer) EndContainer() {
	if l.goes(1) {
		l.args.endContainer()
	}
}
