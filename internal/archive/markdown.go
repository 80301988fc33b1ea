package archive

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/subject"
)

// Markdown formats an entry for people in the given language and time zone. Unknown times are omitted.
func Markdown(t locale.Tag, zone *time.Location, e protocol.HistoryEntry) string {
	var b strings.Builder
	b.WriteString("## ")
	if e.AskedAt != 0 {
		b.WriteString(time.UnixMilli(e.AskedAt).In(zone).Format("2006-01-02 15:04") + " · ")
	}
	b.WriteString(escapedInline(e.Agent) + "\n\n")
	switch p := e.Payload; {
	case e.Error != nil:
		b.WriteString(t.Text("The call could not be read: {0}", escapedInline(e.Error.Message)) + "\n\n")
	case p == nil:
	case p.Questionnaire != nil:
		for i, q := range p.Questions {
			var pick protocol.Pick
			if i < len(e.Outcome.Picks) {
				pick = e.Outcome.Picks[i]
			}
			writeQuestion(&b, t, q, pick)
		}
	case p.Approval != nil:
		writeApproval(&b, t, p.Approval, e.Outcome)
	case p.Followup != nil:
		writeFollowup(&b, p.Followup, e.Outcome)
	}
	writeOutcome(&b, t, e)
	return b.String()
}

func writeFollowup(b *strings.Builder, asked *protocol.Followup, o protocol.ItemOutcome) {
	b.WriteString(escaped(asked.Question) + "\n\n")
	for i, s := range asked.Suggest {
		mode := ""
		if s.Mode != "" {
			mode = " (" + s.Mode + ")"
		}
		writeItem(b, o.Suggestion != nil && *o.Suggestion == i, s.Answer+mode)
	}
	if len(asked.Suggest) > 0 {
		b.WriteByte('\n')
	}
}

func writeApproval(b *strings.Builder, t locale.Tag, asked *protocol.Approval, o protocol.ItemOutcome) {
	b.WriteString(escaped(asked.Title) + "\n\n" + fenced(subject.Text(asked.Subject)) + "\n\n")
	if asked.Reason != "" {
		b.WriteString(quoted(asked.Reason) + "\n")
	}
	for _, choice := range asked.Options {
		writeItem(b, o.Option == choice.ID, ChoiceWords(t, asked.Subject.Kind, choice))
	}
	b.WriteByte('\n')
	if o.Changed != "" {
		b.WriteString(t.Text("Allowed instead:") + "\n\n" + fenced(subject.Visible(o.Changed)) + "\n\n")
	}
}

// ChoiceWords describes an option of an approval.
func ChoiceWords(t locale.Tag, of protocol.SubjectKind, o protocol.Choice) string {
	key := choiceKeys[o.Kind]
	if plan := planKeys[o.Kind]; of == protocol.SubjectPlan && plan != "" {
		key = plan
	}
	words := t.Text(key)
	if o.Label != "" {
		words += " — " + o.Label
	}
	return words
}

// choiceKeys are the texts for each kind of option, and planKeys those that differ for a plan.
var (
	choiceKeys = map[protocol.ChoiceKind]locale.Key{
		protocol.ChoiceOnce: "Allow once", protocol.ChoiceSession: "Allow for this session",
		protocol.ChoiceAlways: "Always allow", protocol.ChoiceDeny: "Deny",
	}
	planKeys = map[protocol.ChoiceKind]locale.Key{protocol.ChoiceOnce: "Approve", protocol.ChoiceDeny: "Keep planning"}
)

func writeQuestion(b *strings.Builder, t locale.Tag, q protocol.Question, pick protocol.Pick) {
	if q.Header != "" {
		fmt.Fprintf(b, "### %s\n\n", escapedInline(q.Header))
	}
	b.WriteString(escaped(q.Question) + "\n\n")
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
		b.WriteString("\n" + t.Text("Note:") + "\n\n" + quoted(pick.Notes))
	}
	b.WriteByte('\n')
}

// writeItem writes an item of a task list, ticked if it was chosen.
func writeItem(b *strings.Builder, chosen bool, text string) {
	mark := " "
	if chosen {
		mark = "x"
	}
	fmt.Fprintf(b, "- [%s] %s\n", mark, strings.TrimSpace(indent(escaped(text), "  ")))
}

func writeOutcome(b *strings.Builder, t locale.Tag, e protocol.HistoryEntry) {
	fmt.Fprintf(b, "**%s**\n\n", outcomeWords(t, e.Outcome))
	if e.Outcome.Text != "" {
		b.WriteString(quoted(e.Outcome.Text) + "\n")
	}
	for i, image := range e.Images {
		fmt.Fprintf(b, "![%s](data:%s;base64,%s)\n\n", t.Text("Image {0}", i+1), linkable(image.MimeType), image.Data)
	}
}

// outcomeWords describes how a question ended.
func outcomeWords(t locale.Tag, o protocol.ItemOutcome) string {
	if by := o.AnsweredBy; by != "" {
		o.AnsweredBy = ""
		return t.Text("{0}, by {1}", outcomeWords(t, o), by)
	}
	if o.Client != "" {
		from := Inline(o.Client)
		o.Client = ""
		return t.Text("{0} ({1})", outcomeWords(t, o), from)
	}
	if o.Provenance == protocol.ProvenanceTimer {
		return t.Text("Answered by a timer")
	}
	if o.Elsewhere {
		return t.Text("Handled in the agent's own dialog")
	}
	return t.Text(outcomeKeys[o.Outcome])
}

// outcomeKeys are the texts for each outcome.
var outcomeKeys = map[protocol.Outcome]locale.Key{
	protocol.OutcomeAnswered:  "Answered",
	protocol.OutcomeDismissed: "Dismissed",
	protocol.OutcomeReplied:   "Replied instead of answering",
	protocol.OutcomeAllowed:   "Allowed",
	protocol.OutcomeDenied:    "Denied",
	protocol.OutcomeWithdrawn: "Withdrawn by the agent",
	protocol.OutcomeNotShown:  "Not seen by anybody",
	protocol.OutcomeInvalid:   "Not a question",
}

// quoted returns a text as a block quote.
func quoted(text string) string { return indent(escaped(text), "> ") + "\n" }

// linkable returns the part of an image type that is safe in a link, since agents choose it.
func linkable(mimeType string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/.+-", r)) {
			return r
		}
		return -1
	}, mimeType)
}

func indent(text, with string) string {
	return with + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+with)
}

// fenced returns a text in a code fence that is longer than any run of backticks in it.
func fenced(text string) string {
	text = Plain(text)
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}
