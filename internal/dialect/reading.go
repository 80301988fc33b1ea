package dialect

import (
	"encoding/json"
	"slices"

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
	scanner *toolcall.Scanner // that holds the texts; nil where they are copies
	// Of AskUserQuestion:
	questions []question.Question
	metadata  json.RawMessage
}

// newReading returns what was read of the arguments of a tool, or why there are none.
func newReading(tool string, a *arguments, err *question.Error, limits question.Limits) reading {
	r := reading{tool: tool, err: err}
	switch {
	case err != nil:
		return r
	case tool == question.ToolAskUser:
		r.told = a.told
		r.questionnaire(a, limits)
	default:
		r.told = a.told
		r.followup(a)
	}
	return r
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
		call.Followup = &question.Followup{Question: r.own(r.text), Suggest: make([]question.Suggestion, len(r.suggest))}
		for i, s := range r.suggest {
			call.Followup.Suggest[i] = question.Suggestion{Answer: r.own(s.Answer), Mode: r.own(s.Mode)}
		}
		r.notices.add(question.Notices(r.suggest)...)
	}
	call.Repairs = append([]question.Code{}, r.repairs...)
	call.Notices = append([]question.Code{}, r.notices...)
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
	code, name := question.CodeInvalidFormat, ""
	if r.tool == question.ToolAskUser {
		code, name = question.CodeInvalidValue, keyQuestions
	}
	var mended codes
	if strict {
		mended = slices.DeleteFunc(slices.Clone(r.repairs), func(c question.Code) bool { return slices.Contains(allowed, c) })
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
