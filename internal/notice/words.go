package notice

import (
	"strings"
	"unicode"

	"followup/internal/markdown"
	"followup/internal/protocol"
	"followup/internal/subject"
)

// Limits of a notification in characters, since it is read at a glance.
const (
	titleLength  = 80
	textLength   = 200
	choiceLength = 40
	choicesShown = 3
)

// Of returns the notification of a question. If one click can answer it, it has the first choices.
func Of(item protocol.InboxItem, title string) protocol.Notice {
	asked := item.Payload
	n := protocol.Notice{QuestionID: item.QuestionID, Title: short(title, titleLength), Ask: protocol.AskFollowup}
	var choices []string
	if q := asked.Questionnaire; q != nil {
		n.Ask, n.Text = protocol.AskQuestions, q.Questions[0].Question
		if len(q.Questions) == 1 && !q.Questions[0].MultiSelect {
			options := q.Questions[0].Options
			for _, option := range options[:min(len(options), choicesShown)] {
				choices = append(choices, option.Label)
			}
		}
	} else if a := asked.Approval; a != nil { // no choices, since a notification does not show all of it
		n.Ask, n.Text = protocol.AskApproval, subject.Line(a)
	} else if f := asked.Followup; f != nil {
		n.Text = f.Question
		for _, suggestion := range f.Suggest[:min(len(f.Suggest), choicesShown)] {
			choices = append(choices, suggestion.Answer)
		}
	}
	if asked.Approval == nil {
		n.Text = markdown.Plain(n.Text)
	}
	n.Text = short(n.Text, textLength)
	if item.Guidance != nil {
		return n
	}
	for _, choice := range choices {
		n.Choices = append(n.Choices, short(choice, choiceLength))
	}
	return n
}

// Title returns the question in one line.
func Title(item protocol.InboxItem) string {
	var asked []string
	if a := item.Payload.Approval; a != nil {
		asked = append(asked, a.Title)
	}
	if f := item.Payload.Followup; f != nil {
		asked = append(asked, markdown.Plain(f.Question))
	}
	if q := item.Payload.Questionnaire; q != nil {
		for _, one := range q.Questions {
			asked = append(asked, markdown.Plain(one.Question))
		}
	}
	return short(strings.Join(asked, " · "), textLength)
}

// short returns a shortened text on one line, without characters that are invisible or change its direction.
func short(text string, length int) string {
	var cut []rune
	spaced := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			spaced = len(cut) > 0
			continue
		case unicode.In(r, unicode.Cc, unicode.Cf):
			continue
		case spaced:
			cut, spaced = append(cut, ' '), false
		}
		if cut = append(cut, r); len(cut) > length { // do not scan the rest
			return strings.TrimRight(string(cut[:length-1]), " ") + "…"
		}
	}
	return string(cut)
}
