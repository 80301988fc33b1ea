package dialect

import (
	"slices"

	"followup/internal/question"
)

// askDraft is what was shown of an open questionnaire.
type askDraft struct {
	out   *output
	part  GrewPart
	open  bool
	shown []*shownQuestion
}

// shownQuestion is what was shown of one question.
type shownQuestion struct {
	text    string // empty until all of it was shown
	header  string
	options []question.Option
	multi   bool
}

// begin shows the call, at its first question.
func (d *askDraft) begin() {
	if !d.open {
		d.open = true
		d.out.opened.Tool = question.ToolAskUser
		d.out.emit(&d.out.opened)
	}
}

// question returns what was shown of a question. Its predecessors have ended, so they were shown.
func (d *askDraft) question(index int) *shownQuestion {
	d.begin()
	if len(d.shown) == index {
		d.shown = append(d.shown, &shownQuestion{})
	}
	return d.shown[index]
}

// hasText reports whether anything of a question's text was shown.
func (d *askDraft) hasText(index int) bool { return index < len(d.shown) && d.shown[index].text != "" }

// hasOptions reports whether any of a question's options was shown.
func (d *askDraft) hasOptions(index int) bool {
	return index < len(d.shown) && len(d.shown[index].options) > 0
}

func (d *askDraft) tell(part GrewPart) {
	d.part = part
	d.out.emit(&d.part)
}

// grow shows more of a question's text.
func (d *askDraft) grow(index int, fresh string) {
	d.question(index)
	d.tell(GrewPart{Index: index, Text: fresh})
}

// header shows a question's header, in place of the one before, if any.
func (d *askDraft) header(index int, header string) {
	if shown := d.question(index); shown.header != header {
		shown.header = header
		d.tell(GrewPart{Index: index, Header: header})
	}
}

// option shows one more option of a question.
func (d *askDraft) option(index int, option question.Option) {
	shown := d.question(index)
	shown.options = append(shown.options, option)
	d.tell(GrewPart{Index: index, Options: []question.Option{option}})
}

// multi shows that a question allows several options.
func (d *askDraft) multi(index int) {
	if shown := d.question(index); !shown.multi {
		shown.multi = true
		d.tell(GrewPart{Index: index, MultiSelect: true})
	}
}

// ended shows that a question is over, if nothing was shown of it.
func (d *askDraft) ended(index int) {
	if index >= len(d.shown) {
		d.question(index)
		d.tell(GrewPart{Index: index})
	}
}

// rewrite shows the questions anew, where what was shown is not what they are.
func (d *askDraft) rewrite(questions []question.Question) {
	if slices.EqualFunc(d.shown, questions, (*shownQuestion).is) {
		return
	}
	d.out.rewrote = Rewrote{Questions: slices.Clone(questions)}
	d.out.emit(&d.out.rewrote)
}

// is reports whether what was shown is q.
func (s *shownQuestion) is(q question.Question) bool {
	return s.text == q.Question && s.header == q.Header && s.multi == q.MultiSelect &&
		slices.Equal(s.options, q.Options)
}

// done shows how the call ended.
func (d *askDraft) done(call question.Call) {
	d.begin()
	if call.Err == nil {
		d.rewrite(call.Questionnaire.Questions)
	}
	d.out.done.Call = call
	d.out.emit(&d.out.done)
}
