package dialect

import (
	"encoding/json"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// reading is what was read of a whole call: its parts, and all that is wrong with them.
type reading struct {
	told
	problems
	tool string
	err  *question.Error // why nothing could be read, in any mode
	// Of ask_followup_question:
	text    string // of the question
	suggest []question.Suggestion
	scanner *toolcall.Scanner // of what some of the texts are parts of; nil for others
	// Of AskUserQuestion:
	questions []question.Question
	metadata  json.RawMessage
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
		call.Followup = &question.Followup{Question: r.text, Suggest: append([]question.Suggestion{}, r.suggest...)}
		r.notices.add(question.Notices(r.suggest)...)
	}
	r.own(&call)
	call.Repairs, call.Notices = r.repairs.sorted(), r.notices.sorted()
	return call
}

// own copies the texts of a call into one allocation: what is kept of a call must not keep all that was read.
func (r *reading) own(call *question.Call) {
	size := 0
	texts(call, func(text *string) { size += len(*text) })
	if q := call.Followup; q != nil && r.scanner != nil && r.scanner.Filled(size) {
		return
	}
	var all strings.Builder
	all.Grow(size)
	texts(call, func(text *string) {
		from := all.Len()
		all.WriteString(*text)
		*text = all.String()[from:]
	})
}

// texts calls each with the texts of a call.
func texts(call *question.Call, each func(text *string)) {
	if f := call.Followup; f != nil {
		each(&f.Question)
		for i := range f.Suggest {
			each(&f.Suggest[i].Answer)
			each(&f.Suggest[i].Mode)
		}
		return
	}
	for i := range call.Questionnaire.Questions {
		q := &call.Questionnaire.Questions[i]
		each(&q.Question)
		each(&q.Header)
		for i := range q.Options {
			each(&q.Options[i].Label)
			each(&q.Options[i].Description)
			each(&q.Options[i].Preview)
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
	var mended codes
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
		return &question.Error{Code: code, Detail: question.Detail{Name: name, Reason: question.ReasonMended, Found: mended.String()}}
	}
	return nil
}
