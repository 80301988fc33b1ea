package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// reading is the result of reading a call, or a list in one: its parts and their problems.
type reading struct {
	suggestionList
	problems
	options   []question.Option
	questions []question.Question
	count     int  // number of items in a list, dropped ones included
	show      bool // the items are shown as they are read
	// Only for a call:
	tool     string
	err      *question.Error // why the call cannot be read, in any mode
	text     string          // the question
	metadata json.RawMessage
}

// notePlace records where in the message the current call stands. unclosed means that the element around it is not closed.
func (r *reading) notePlace(s *toolcall.Scanner, unclosed bool) {
	if s.Fenced {
		r.repairs.add(question.RepairFencedCall)
	}
	if s.Unclosed || unclosed {
		r.repairs.add(question.RepairUnclosedElement)
	}
}

// call returns the call, valid or not.
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
	copyTexts(&call)
	call.Repairs, call.Notices = r.repairs.sorted(), r.notices.sorted()
	return call
}

// copyTexts copies the texts of a call, so that a call that is kept does not keep the whole input alive.
func copyTexts(call *question.Call) {
	texts, size := call.Texts(), 0
	for _, text := range texts {
		size += len(*text)
	}
	var all strings.Builder
	all.Grow(size)
	for _, text := range texts {
		from := all.Len()
		all.WriteString(*text)
		*text = all.String()[from:]
	}
	if f := call.Followup; f != nil {
		for i := range f.Suggest {
			f.Suggest[i].Mode = strings.Clone(f.Suggest[i].Mode)
		}
	}
}

// strictAllowed are the repairs that strict mode makes too.
var strictAllowed = []question.Code{
	question.RepairBadSuggestion, question.RepairBlankSuggestion, question.RepairDuplicateSuggestion,
}

// error returns the first error in the order of package question's codes, or nil.
func (r *reading) error(strict bool) *question.Error {
	code, name := question.CodeInvalidFormat, ""
	if r.tool == question.ToolAskUser {
		code, name = question.CodeInvalidValue, keyQuestions
	}
	var repaired []question.Code
	if strict {
		repaired = slices.DeleteFunc(r.repairs.sorted(), func(c question.Code) bool { return slices.Contains(strictAllowed, c) })
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
	case len(repaired) > 0:
		found := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(repaired)), ", "), "[]")
		return &question.Error{Code: code, Detail: question.Detail{Name: name, Reason: question.ReasonRepaired, Found: found}}
	}
	return nil
}
