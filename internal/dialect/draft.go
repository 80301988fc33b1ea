package dialect

import (
	"strings"
	"unicode/utf8"

	"followup/internal/question"
)

// output hands events to the caller: to nobody while the reader is not called, so that the reader keeps nothing of its caller's alive.
type output struct {
	take func(Event)
	list *suggestionList // whose items from the index on are not handed over yet, which a piece's are together; nil for none
	from int
}

func (o *output) emit(e Event) {
	o.flush()
	o.take(e)
}

func (o *output) flush() {
	if l := o.list; l != nil {
		o.list = nil
		o.take(&Suggested{l.items[o.from:]})
	}
}

// draft is what was shown of the open call.
type draft struct {
	out    *output
	tool   string
	limit  int // of a question's text, in bytes
	open   bool
	listed bool // suggestions may have been shown
	begun  int  // questions that were
	parts  [question.MaxRaised]shownPart
}

// shownPart says what was shown of a question.
type shownPart struct{ text, options bool }

// begin shows the call, at its first parameter.
func (d *draft) begin() {
	if !d.open {
		d.open = true
		d.out.emit(&Opened{d.tool})
	}
}

// question shows that a question begins, unless it did, and returns what was shown of it. Its predecessors have begun.
func (d *draft) question(index int) *shownPart {
	d.begin()
	if index == d.begun {
		if d.begun++; d.tool == question.ToolAskUser {
			d.out.emit(&GrewPart{Index: index})
		}
	}
	return &d.parts[index]
}

// grow shows more of a question's text, as far as that may be long.
func (d *draft) grow(index int, fresh string) {
	if len(fresh) > d.limit {
		to := d.limit
		for !utf8.RuneStart(fresh[to]) {
			to--
		}
		fresh, d.limit = strings.TrimRightFunc(fresh[:to], isSpace), 0
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
