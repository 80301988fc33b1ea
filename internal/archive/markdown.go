package archive

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
)

// Markdown writes an entry for people, in the language, with times in the zone.
func Markdown(t locale.Tag, zone *time.Location, e protocol.HistoryEntry) string {
	var b strings.Builder
	asked := time.UnixMilli(e.AskedAt).In(zone)
	fmt.Fprintf(&b, "## %s · %s\n\n", asked.Format("2006-01-02 15:04"), inline(e.Agent))
	switch p := e.Payload; {
	case e.Error != nil:
		b.WriteString(t.Text(locale.HistoryInvalid, inline(e.Error.Message)) + "\n\n")
	case p == nil:
	case p.Questionnaire != nil:
		for i, q := range p.Questions {
			var pick protocol.Pick
			if i < len(e.Outcome.Picks) {
				pick = e.Outcome.Picks[i]
			}
			writeQuestion(&b, t, q, pick)
		}
	case p.Followup != nil:
		writeFollowup(&b, p.Followup, e.Outcome)
	}
	writeOutcome(&b, t, e)
	return b.String()
}

func writeFollowup(b *strings.Builder, asked *protocol.Followup, o protocol.ItemOutcome) {
	b.WriteString(asked.Question + "\n\n")
	for i, s := range asked.Suggest {
		mode := ""
		if s.Mode != "" {
			mode = " (" + inline(s.Mode) + ")"
		}
		writeItem(b, o.Suggestion != nil && *o.Suggestion == i, s.Answer+mode)
	}
	if len(asked.Suggest) > 0 {
		b.WriteByte('\n')
	}
}

func writeQuestion(b *strings.Builder, t locale.Tag, q protocol.Question, pick protocol.Pick) {
	if q.Header != "" {
		fmt.Fprintf(b, "### %s\n\n", inline(q.Header))
	}
	b.WriteString(q.Question + "\n\n")
	for i, option := range q.Options {
		text := option.Label
		if option.Description != "" {
			text += " — " + option.Description
		}
		writeItem(b, slices.Contains(pick.Options, i), text)
		if option.Preview != "" {
			b.WriteString("\n" + indent(fenced(option.Preview), "  ") + "\n")
		}
	}
	if pick.Other != "" {
		writeItem(b, true, pick.Other)
	}
	if pick.Notes != "" {
		b.WriteString("\n" + t.Text(locale.HistoryNote) + "\n\n" + quoted(pick.Notes))
	}
	b.WriteByte('\n')
}

// writeItem writes an item of a task list: what was chosen is ticked.
func writeItem(b *strings.Builder, chosen bool, text string) {
	mark := " "
	if chosen {
		mark = "x"
	}
	fmt.Fprintf(b, "- [%s] %s\n", mark, strings.TrimSpace(indent(text, "  ")))
}

func writeOutcome(b *strings.Builder, t locale.Tag, e protocol.HistoryEntry) {
	words := t.Text(outcomeKeys[e.Outcome.Outcome])
	if e.Outcome.Provenance == protocol.ProvenanceTimer {
		words = t.Text(locale.HistoryAnsweredByTimer)
	}
	fmt.Fprintf(b, "**%s**\n\n", words)
	if e.Outcome.Text != "" {
		b.WriteString(quoted(e.Outcome.Text) + "\n")
	}
	for i, image := range e.Images {
		fmt.Fprintf(b, "![%s](data:%s;base64,%s)\n\n", t.Text(locale.HistoryImage, i+1), image.MimeType, image.Data)
	}
}

// outcomeKeys are the words for each outcome.
var outcomeKeys = map[protocol.Outcome]locale.Key{
	protocol.OutcomeAnswered:  locale.HistoryAnswered,
	protocol.OutcomeDismissed: locale.HistoryDismissed,
	protocol.OutcomeReplied:   locale.HistoryReplied,
	protocol.OutcomeWithdrawn: locale.HistoryWithdrawn,
	protocol.OutcomeNotShown:  locale.HistoryNotShown,
	protocol.OutcomeInvalid:   locale.HistoryInvalidCall,
}

// inline is a text on one line.
func inline(text string) string { return strings.Join(strings.Fields(text), " ") }

// quoted is a text as a block quote, every line of it.
func quoted(text string) string { return indent(text, "> ") + "\n" }

func indent(text, with string) string {
	return with + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+with)
}

// fenced is a text in a code fence that is longer than any run of backticks in it.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}
