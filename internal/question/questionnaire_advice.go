package question

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Notices returns the advice that the questions call for, sorted, never nil.
func (q *Questionnaire) Notices() []Code {
	notices := []Code{}
	for _, asked := range q.Questions {
		if utf8.RuneCountInString(asked.Header) > MaxHeader {
			notices = append(notices, NoticeHeaderLong)
		}
		if !endsAsQuestion(asked.Question) {
			notices = append(notices, NoticeNoQuestionMark)
		}
		for _, option := range asked.Options {
			if len(strings.Fields(withoutRecommended(option.Label))) > MaxLabelWords {
				notices = append(notices, NoticeLabelLong)
			}
			if option.Preview != "" && asked.MultiSelect {
				notices = append(notices, NoticePreviewMultiSelect)
			}
		}
	}
	slices.Sort(notices)
	return slices.Compact(notices)
}

// endsAsQuestion reports whether text ends with a Latin, full-width or Arabic question mark.
func endsAsQuestion(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r == '?' || r == '？' || r == '؟'
}

// recommended are the marks at the end of a label that show the agent's recommendation, in any case.
var recommended = []string{"(recommended)", "（recommended）"}

// withoutRecommended returns the label without this mark.
func withoutRecommended(label string) string {
	for _, mark := range recommended {
		if n := len(label) - len(mark); n >= 0 && strings.EqualFold(label[n:], mark) {
			return label[:n]
		}
	}
	return label
}
