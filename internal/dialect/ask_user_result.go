package dialect

import (
	"slices"
	"strings"

	"followup/internal/locale"
	"followup/internal/question"
)

// Log viewers find the answers to a questionnaire by the pattern "([^"]+)"="([^"]*)", so in the texts of this file a
// straight quotation mark stands nowhere but around the two sides of such a pair. The exact values go beside them, as Values.

// Annotation is what belongs to the answer to one question of a questionnaire.
type Annotation struct {
	// Notes are the user's words beside the choice.
	Notes string `json:"notes,omitempty"`
	// Preview is the chosen option's, as the agent wrote it; those of several are set apart by an empty line.
	Preview string `json:"preview,omitempty"`
	// Skipped tells that the question has no answer.
	Skipped bool `json:"skipped,omitempty"`
}

const questionnaireTimed locale.Key = "The user did not answer within the time they set, so the first option was chosen for them:"

// AnsweredText is the first text part that an agent gets for an answered questionnaire, in the language t: a sentence, and below it each
// question with its answer, its previews and its note. Picks are those of Questionnaire.Resolve; timed means that a timer chose.
func AnsweredText(t locale.Tag, q *question.Questionnaire, picks []question.Pick, timed bool) string {
	w, above := pairWriter{t: t}, locale.Key("The user has answered none of the questions.")
	switch {
	case timed:
		above = questionnaireTimed
	case slices.ContainsFunc(picks, question.Pick.Answered):
		above = "The user has answered:"
	}
	w.line(t.Text(above))
	for i := range q.Questions {
		w.question(&q.Questions[i], pickOf(picks, i))
	}
	return w.String()
}

const questionnaireRepliedPicks locale.Key = "Instead of answering all of the questions, the user wrote back about them. What was chosen until " +
	"then:"

// RepliedText is the first text part that an agent is given where the user wrote about the questions instead of answering
// them: a sentence, the picks made so far, and the words as they are in tags. The words stand last, since what stands in them
// is not ours to change.
func RepliedText(t locale.Tag, resultTag string, q *question.Questionnaire, picks []question.Pick, words string) string {
	w, above := pairWriter{t: t}, locale.Key("Instead of answering the questions, the user wrote back about them.")
	if slices.ContainsFunc(picks, question.Pick.Answered) {
		above = questionnaireRepliedPicks
	}
	w.line(t.Text(above))
	for i := range q.Questions {
		if pick := pickOf(picks, i); pick.Answered() || pick.Notes != "" {
			w.question(&q.Questions[i], pick)
		}
	}
	if trim(words) != "" {
		w.line(Result(resultTag, words))
	}
	return w.String()
}

// Values returns the exact values of the answers by question text: the chosen label, the user's own words or, where several
// may be chosen, the list of them. A question that was left out is in the annotations only.
func Values(q *question.Questionnaire, picks []question.Pick) (answers map[string]any, annotations map[string]Annotation) {
	answers, annotations = map[string]any{}, map[string]Annotation{}
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
		more := Annotation{Notes: pick.Notes, Preview: strings.Join(previews, "\n\n"), Skipped: len(items) == 0}
		if more != (Annotation{}) {
			annotations[asked.Question] = more
		}
	}
	return answers, annotations
}

// chosen returns the labels of the options that were picked, and then the user's own words.
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

// pickOf returns the pick for a question, which is empty where there are fewer.
func pickOf(picks []question.Pick, i int) question.Pick {
	if i < len(picks) {
		return picks[i]
	}
	return question.Pick{}
}

// pairWriter writes questions with their answers, a line each.
type pairWriter struct {
	t locale.Tag
	strings.Builder
}

func (w *pairWriter) line(text string) {
	if w.Len() > 0 {
		w.WriteByte('\n')
	}
	w.WriteString(text)
}

// question writes one question: its pair, and below it what belongs to its answer. One without an answer is no pair.
func (w *pairWriter) question(q *question.Question, pick question.Pick) {
	if items := chosen(q, pick); len(items) > 0 {
		w.line(`"` + unquoted(q.Question) + `"="` + unquoted(joined(items, q.MultiSelect)) + `"`)
	} else {
		w.line(w.t.Text("Left unanswered: “{0}”", unquoted(q.Question)))
	}
	for _, option := range pick.Options {
		if o := q.Options[option]; o.Preview != "" {
			w.line(indent(w.t.Text("Preview of “{0}”:", unquoted(o.Label)), "  "))
			w.line(indent(unquoted(o.Preview), "    "))
		}
	}
	if pick.Notes != "" {
		w.line(indent(w.t.Text("The user's note: {0}", unquoted(pick.Notes)), "  "))
	}
}

// joined writes the items of an answer. If there may be several, those with a separator in them get single quotes.
func joined(items []string, several bool) string {
	if !several {
		return items[0]
	}
	const between = ", "
	parts := make([]string, len(items))
	for i, item := range items {
		if parts[i] = item; strings.Contains(item, between) {
			parts[i] = "'" + item + "'"
		}
	}
	return strings.Join(parts, between)
}

// unquoted returns s without straight quotation marks.
func unquoted(s string) string { return strings.ReplaceAll(s, `"`, "”") }

func indent(s, by string) string { return by + strings.ReplaceAll(s, "\n", "\n"+by) }
