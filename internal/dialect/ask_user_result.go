package dialect

import (
	"slices"
	"strings"

	"followup/internal/locale"
	"followup/internal/question"
)

// Log viewers find the answers with the pattern "([^"]+)"="([^"]*)". So the texts in this file use a straight
// quotation mark only around the two sides of such a pair. Values returns the exact values.

const questionnaireTimed locale.Key = "The user did not answer within the time they set, so the first option was chosen for them:"

// AnsweredText returns the first text part of the result of an answered questionnaire, in the language t: a sentence,
// then each question with its answer, previews and note. picks come from Questionnaire.Resolve. timed means that a
// timer chose.
func AnsweredText(t locale.Tag, q *question.Questionnaire, picks []question.Pick, timed bool) string {
	above := locale.Key("The user has answered none of the questions.")
	switch {
	case timed:
		above = questionnaireTimed
	case slices.ContainsFunc(picks, question.Pick.Answered):
		above = "The user has answered:"
	}
	return strings.Join(pairLines(t, above, q, picks, true), "\n")
}

const questionnaireRepliedPicks locale.Key = "Instead of answering all of the questions, the user wrote back about them. What was chosen until " +
	"then:"

// RepliedText returns the first text part of the result if the user wrote about the questions instead of answering
// them: a sentence, the picks made so far, and the user's words in tags. The words come last because they may contain
// anything, pairs included.
func RepliedText(t locale.Tag, resultTag string, q *question.Questionnaire, picks []question.Pick, words string) string {
	above := locale.Key("Instead of answering the questions, the user wrote back about them.")
	if slices.ContainsFunc(picks, question.Pick.Answered) {
		above = questionnaireRepliedPicks
	}
	lines := pairLines(t, above, q, picks, false)
	if trim(words) != "" {
		lines = append(lines, Result(resultTag, words))
	}
	return strings.Join(lines, "\n")
}

// pairLines returns a sentence, then each question as a pair with its previews and note. A skipped question is not a
// pair. It appears if it has a note, or if skipped is true.
func pairLines(t locale.Tag, above locale.Key, q *question.Questionnaire, picks []question.Pick, skipped bool) []string {
	lines := []string{t.Text(above)}
	for i, asked := range q.Questions {
		pick := pickOf(picks, i)
		if items := chosen(&asked, pick); len(items) > 0 {
			lines = append(lines, `"`+unquoted(asked.Question)+`"="`+unquoted(joined(items, asked.MultiSelect))+`"`)
		} else if skipped || pick.Notes != "" {
			lines = append(lines, t.Text("Left unanswered: “{0}”", unquoted(asked.Question)))
		}
		for _, option := range pick.Options {
			if o := asked.Options[option]; o.Preview != "" {
				lines = append(lines, indent(t.Text("Preview of “{0}”:", unquoted(o.Label)), "  "), indent(unquoted(o.Preview), "    "))
			}
		}
		if pick.Notes != "" {
			lines = append(lines, indent(t.Text("The user's note: {0}", unquoted(pick.Notes)), "  "))
		}
	}
	return lines
}

// Values returns the exact answers by question text: the chosen label, the user's own words or, for a multi-select
// question, a list of both. A skipped question appears in the annotations only.
func Values(q *question.Questionnaire, picks []question.Pick) (answers map[string]any, annotations map[string]question.Annotation) {
	answers, annotations = map[string]any{}, map[string]question.Annotation{}
	for i, asked := range q.Questions {
		pick := pickOf(picks, i)
		items := chosen(&asked, pick)
		switch {
		case asked.MultiSelect && len(items) > 0:
			answers[asked.Question] = items
		case len(items) > 0:
			answers[asked.Question] = items[0]
		}
		var previews []string
		for _, option := range pick.Options {
			if preview := asked.Options[option].Preview; preview != "" {
				previews = append(previews, preview)
			}
		}
		more := question.Annotation{Notes: pick.Notes, Preview: strings.Join(previews, "\n\n"), Skipped: len(items) == 0}
		if more != (question.Annotation{}) {
			annotations[asked.Question] = more
		}
	}
	return answers, annotations
}

// chosen returns the labels of the picked options, followed by the user's own words.
func chosen(q *question.Question, pick question.Pick) []string {
	var items []string
	for _, option := range pick.Options {
		items = append(items, q.Options[option].Label)
	}
	if pick.Other != "" {
		items = append(items, pick.Other)
	}
	return items
}

// pickOf returns the pick for question i, or an empty pick if there is none.
func pickOf(picks []question.Pick, i int) question.Pick {
	if i < len(picks) {
		return picks[i]
	}
	return question.Pick{}
}

// joined joins the items of an answer. If several items are allowed, an item that contains the separator gets single
// quotes.
func joined(items []string, several bool) string {
	if !several {
		return items[0]
	}
	const between = ", "
	for i, item := range items {
		if strings.Contains(item, between) {
			items[i] = "'" + item + "'"
		}
	}
	return strings.Join(items, between)
}

// unquoted replaces straight quotation marks in s.
func unquoted(s string) string { return strings.ReplaceAll(s, `"`, "”") }

func indent(s, by string) string { return by + strings.ReplaceAll(s, "\n", "\n"+by) }
