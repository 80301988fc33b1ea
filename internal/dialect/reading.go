package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// reading is what was read of a whole call, or of a list in it: its parts, and all that is wrong with them.
type reading struct {
	suggestionList
	problems
	options   []question.Option
	questions []question.Question
	count     int  // of a list's items, of use or not
	show      bool // they are shown as they are read
	// Of a call:
	tool     string
	err      *question.Error   // why nothing could be read, in any mode
	text     string            // of the question
	scanner  *toolcall.Scanner // of what some of the texts are parts of; nil for others
	metadata json.RawMessage
}

// call is the call that was read.
func (r *reading) call(strict bool) question.Call {
	call := question.Call{Tool: r.tool}
	if call.Err = r.error(strict); call.Err != nil {
		return call
	}
	if r.tool == question.ToolAskUser {
		call.Questionnaire = &question.Questionnaire{Questions: r.questions, Metadata: r.metadata}
		r.notices.add(call.Questionnaire.Notices()...)
	} else {
		call.Followup = &question.Followup{Question: r.text, Suggest: append([]question.Suggestion{}, r.items...)}
		r.notices.add(question.Notices(r.items)...)
	}
	r.own(&call)
	call.Repairs, call.Notices = r.repairs.sorted(), r.notices.sorted()
	return call
}

// own copies the texts of a call: what is kept of a call must not keep all that was read.
func (r *reading) own(call *question.Call) {
	size := call.Size()
	if r.scanner != nil && r.scanner.Filled(size) {
		return
	}
	var all strings.Builder
	all.Grow(size)
	own := func(texts ...*string) {
		for _, text := range texts {
			from := all.Len()
			all.WriteString(*text)
			*text = all.String()[from:]
		}
	}
	if f := call.Followup; f != nil {
		own(&f.Question)
		for i := range f.Suggest {
			own(&f.Suggest[i].Answer)
			f.Suggest[i].Mode = strings.Clone(f.Suggest[i].Mode)
		}
	}
	for i := range r.questions {
		q := &r.questions[i]
		own(&q.Question, &q.Header)
		for i := range q.Options {
			own(&q.Options[i].Label, &q.Options[i].Description, &q.Options[i].Preview)
		}
	}
}

// allowed are the repairs that strict mode makes too.
var allowed = []question.Code{
	question.RepairBadSuggestion, question.RepairBlankSuggestion, question.RepairDuplicateSuggestion,
}

// error returns the first of the errors that apply, in the order of package question's codes.
func (r *reading) error(strict bool) *question.Error {
	code, name := question.CodeInvalidFormat, ""
	if r.tool == question.ToolAskUser {
		code, name = question.CodeInvalidValue, keyQuestions
	}
	var mended []question.Code
	if strict {
		mended = slices.DeleteFunc(r.repairs.sorted(), func(c question.Code) bool { return slices.Contains(allowed, c) })
	}
	switch {
	case r.err != nil:
		return r.err
	case r.missing != nil:
		return &question.Error{Code: question.CodeMissingParameter, Detail: *r.missing}
	case strict && r.fault != nil:
		return &question.Error{Code: question.CodeParseFailed, Detail: *r.fault}
	case r.invalid != nil:
		return &question.Error{Code: code, Detail: *r.invalid}
	case len(mended) > 0:
		found := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(mended)), ", "), "[]")
		return &question.Error{Code: code, Detail: question.Detail{Name: name, Reason: question.ReasonRepaired, Found: found}}
	}
	return nil
}
