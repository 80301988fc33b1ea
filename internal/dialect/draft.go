package dialect

import (
	"slices"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// output hands events on. It owns one of each kind, so that telling costs no allocation.
type output struct {
	emit      func(Event)
	text      Text
	hidden    Hidden
	opened    Opened
	grew      Grew
	rewrote   Rewrote
	suggested Suggested
	done      Done
}

// draft is what was shown of the open call.
type draft struct {
	out      *output
	open     bool
	question string          // that was shown, once all of it was
	list     *suggestionList // whose items were shown; nil where none were
}

// begin shows the call, at its first parameter.
func (d *draft) begin(tool string) {
	if !d.open {
		d.open = true
		d.out.opened.Tool = tool
		d.out.emit(&d.out.opened)
	}
}

// grow shows more of the question.
func (d *draft) grow(fresh string) {
	d.out.grew.Text = fresh
	d.out.emit(&d.out.grew)
}

// accept shows one more suggestion.
func (d *draft) accept(s question.Suggestion) {
	d.out.suggested.Suggestion = s
	d.out.emit(&d.out.suggested)
}

// same reports whether what was shown is the payload.
func (d *draft) same(f *question.Followup) bool {
	var shown []question.Suggestion
	if d.list != nil {
		shown = d.list.items
	}
	return d.question == f.Question && slices.Equal(shown, f.Suggest)
}

// end shows how the call ended. Where the payload is not what was shown before, it is shown anew.
func (d *draft) end(call question.Call) {
	d.begin(call.Tool)
	if f := call.Followup; f != nil && !d.same(f) {
		d.out.rewrote = Rewrote{Question: f.Question, Suggest: f.Suggest}
		d.out.emit(&d.out.rewrote)
	}
	d.out.done.Call = call
	d.out.emit(&d.out.done)
}

// reading is what was read of a whole call: its parts, and all that is wrong with them.
type reading struct {
	told
	err       *question.Error // why nothing could be read, in any mode
	text      string          // of the question
	suggest   []question.Suggestion
	shapeless bool              // follow_up holds no suggestions
	scanner   *toolcall.Scanner // that holds the texts; nil where they are copies

	// Where something is wrong, as far as it is known:
	questionAt, listAt question.Place
}

// call is the call that was read.
func (r *reading) call(tool string, strict bool) question.Call {
	call := question.Call{Tool: tool}
	if call.Err = r.error(strict); call.Err == nil {
		call.Followup = &question.Followup{Question: r.own(r.text), Suggest: make([]question.Suggestion, len(r.suggest))}
		for i, s := range r.suggest {
			call.Followup.Suggest[i] = question.Suggestion{Answer: r.own(s.Answer), Mode: r.own(s.Mode)}
		}
		r.tell(&call, question.Notices(r.suggest))
	}
	return call
}

// own returns a text that may be kept: what is kept of a call must not keep all that was read.
func (r *reading) own(text string) string {
	if r.scanner == nil {
		return text
	}
	return r.scanner.Own(text)
}

// allowed are the repairs that strict mode makes too.
var allowed = []question.Code{
	question.RepairBadSuggestion, question.RepairBlankSuggestion, question.RepairDuplicateSuggestion,
}

// error returns the first of the errors that apply, in the order of package question's codes.
func (r *reading) error(strict bool) *question.Error {
	var mended codes
	if strict {
		mended = slices.DeleteFunc(slices.Clone(r.repairs), func(c question.Code) bool { return slices.Contains(allowed, c) })
	}
	switch {
	case r.err != nil:
		return r.err
	case r.text == "":
		return &question.Error{Code: question.CodeMissingParameter, Detail: question.Detail{Name: tagQuestion, At: r.questionAt}}
	case strict && r.fault != nil:
		return &question.Error{Code: question.CodeParseFailed, Detail: *r.fault}
	case r.shapeless:
		return &question.Error{Code: question.CodeInvalidFormat, Detail: question.Detail{Name: tagFollowUp, At: r.listAt}}
	case strict && len(mended) > 0:
		return &question.Error{Code: question.CodeInvalidFormat, Detail: question.Detail{Reason: question.ReasonMended, Found: mended.String()}}
	}
	return nil
}
