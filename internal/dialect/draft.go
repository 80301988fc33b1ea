package dialect

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"followup/internal/question"
)

// output hands events on. It owns one of each kind, so that telling costs no allocation.
type output struct {
	emit      func(Event)
	text      Text
	hidden    Hidden
	opened    Opened
	grew      Grew
	part      GrewPart
	rewrote   Rewrote
	suggested Suggested
	done      Done
}

// draft is what was shown of the open call.
type draft struct {
	out   *output
	tool  string
	limit int // of a question's text, in bytes
	open  bool
	shown []question.Question // with the texts that were shown whole; ask_followup_question has one
	list  *suggestionList     // whose items were shown; nil where none were
}

// begin shows the call, at its first parameter.
func (d *draft) begin() {
	if !d.open {
		d.open = true
		d.out.opened.Tool = d.tool
		d.out.emit(&d.out.opened)
	}
}

// question returns what was shown of a question. Its predecessors have ended, so they were shown.
func (d *draft) question(index int) *question.Question {
	d.begin()
	if len(d.shown) == index {
		d.shown = append(d.shown, question.Question{})
	}
	return &d.shown[index]
}

// hasText reports whether a question's text was shown, and hasOptions whether options were.
func (d *draft) hasText(index int) bool { return index < len(d.shown) && d.shown[index].Question != "" }

func (d *draft) hasOptions(index int) bool {
	return index < len(d.shown) && len(d.shown[index].Options) > 0
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
	if d.tool == question.ToolFollowup {
		d.out.grew.Text = fresh
		d.out.emit(&d.out.grew)
		return
	}
	d.part(GrewPart{Index: index, Text: fresh})
}

// part shows what is new of a question of a questionnaire, which begins with its first part.
func (d *draft) part(p GrewPart) {
	begins := p.Index == len(d.shown)
	shown := d.question(p.Index)
	if p.Header == shown.Header {
		p.Header = ""
	}
	if p.MultiSelect = p.MultiSelect && !shown.MultiSelect; !begins && p.Text == "" && p.Header == "" && p.Options == nil && !p.MultiSelect {
		return
	}
	shown.Header, shown.MultiSelect = cmp.Or(p.Header, shown.Header), shown.MultiSelect || p.MultiSelect
	shown.Options = append(shown.Options, p.Options...)
	d.out.part = p
	d.out.emit(&d.out.part)
}

// accept shows one more suggestion.
func (d *draft) accept(s question.Suggestion) {
	d.out.suggested.Suggestion = s
	d.out.emit(&d.out.suggested)
}

// same reports whether what was shown is the payload of the call.
func (d *draft) same(call *question.Call) bool {
	if q := call.Questionnaire; q != nil {
		return slices.EqualFunc(d.shown, q.Questions, func(a, b question.Question) bool {
			return a.Question == b.Question && a.Header == b.Header && a.MultiSelect == b.MultiSelect && slices.Equal(a.Options, b.Options)
		})
	}
	var shown []question.Suggestion
	if d.list != nil {
		shown = d.list.items
	}
	return d.hasText(0) && d.shown[0].Question == call.Followup.Question && slices.Equal(shown, call.Followup.Suggest)
}

// end shows how the call ended. Where the payload is not what was shown before, it is shown anew.
func (d *draft) end(call question.Call) {
	d.begin()
	if call.Err == nil && !d.same(&call) {
		d.out.rewrote = Rewrote{}
		if q := call.Questionnaire; q != nil {
			d.out.rewrote.Questions = slices.Clone(q.Questions)
		} else {
			d.out.rewrote = Rewrote{Question: call.Followup.Question, Suggest: call.Followup.Suggest}
		}
		d.out.emit(&d.out.rewrote)
	}
	d.out.done.Call = call
	d.out.emit(&d.out.done)
}
