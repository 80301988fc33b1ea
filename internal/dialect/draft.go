package dialect

import (
	"strings"

	"followup/internal/question"
)

// output passes events to the caller. Between calls, send is discard, so that the reader does not keep the caller's data alive.
type output struct {
	send func(Event)
	list *suggestionList // items of list from the index from on are not sent yet; nil if all are
	from int
}

func (o *output) emit(e Event) {
	o.flush()
	o.send(e)
}

func (o *output) flush() {
	if l := o.list; l != nil {
		o.list = nil
		o.send(&Suggested{l.items[o.from:]})
	}
}

// draft tracks which parts of the open call were already shown.
type draft struct {
	out    *output
	tool   string
	limit  int // maximum size of a question's text, in bytes
	open   bool
	listed bool // a list of suggestions is already shown
	begun  int  // number of questions shown
	parts  [question.MaxRaised]shownPart
}

// shownPart records what was shown of one question.
type shownPart struct{ text, options bool }

// begin emits Opened once, at the call's first parameter.
func (d *draft) begin() {
	if !d.open {
		d.open = true
		d.out.emit(&Opened{d.tool})
	}
}

// question emits the start of a question once and returns what was shown of it. All earlier questions must have
// begun.
func (d *draft) question(index int) *shownPart {
	d.begin()
	if index == d.begun {
		if d.begun++; d.tool == question.ToolAskUser {
			d.out.emit(&GrewPart{Index: index})
		}
	}
	return &d.parts[index]
}

// grow emits more of a question's text, up to the limit.
func (d *draft) grow(index int, fresh string) {
	if len(fresh) > d.limit {
		fresh, d.limit = trimRight(strings.ToValidUTF8(fresh[:d.limit], "")), 0 // the last character may be cut
	}
	if d.limit -= min(len(fresh), d.limit); fresh == "" {
		return
	}
	if d.question(index).text = true; d.tool == question.ToolFollowup {
		d.out.emit(&Grew{fresh})
	} else {
		d.out.emit(&GrewPart{Index: index, Text: fresh})
	}
}

func (d *draft) fail(code question.Code, limit int) {
	d.end(question.Call{Tool: d.tool, Err: &question.Error{Code: code, Detail: question.Detail{Limit: limit}}})
}

func (d *draft) end(call question.Call) {
	d.begin()
	d.open = false
	d.out.emit(&Done{call})
}
