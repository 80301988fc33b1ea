package dialect

import (
	"strings"
	"unicode/utf8"

	"followup/internal/question"
)

// output takes events: nobody's while the reader is not called, so that the reader holds nothing of its caller's.
type output struct{ emit func(Event) }

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
		for to := d.limit; ; to-- {
			if utf8.RuneStart(fresh[to]) {
				fresh = strings.TrimRightFunc(fresh[:to], isSpace)
				break
			}
		}
		d.limit = 0
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
