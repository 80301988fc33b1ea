package archive

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/subject"
)

// Text formats a complete entry for a terminal in the given language and time zone, with Markdown as it was written. Texts of
// agents and users are indented, so that they cannot imitate Followup's lines. It omits a missing outcome.
func Text(t locale.Tag, zone *time.Location, e protocol.HistoryEntry) string {
	var b strings.Builder
	b.WriteString(Inline(e.QuestionID) + "\n")
	var from []string
	if e.AskedAt != 0 {
		from = append(from, clock(e.AskedAt, zone))
	}
	for _, part := range []string{e.Agent, protocol.PathOf(e.Workspace), e.To} {
		if part = Inline(part); part != "" {
			from = append(from, part)
		}
	}
	b.WriteString(strings.Join(from, " · ") + "\n")
	block := func(text string) { b.WriteString("\n" + inset(text, "    ") + "\n") }
	option := func(chosen bool, text string) {
		mark := "[ ] "
		if chosen {
			mark = "[x] "
		}
		b.WriteString("    " + mark + strings.TrimSpace(inset(text, "        ")) + "\n")
	}
	if e.Context != "" {
		b.WriteString("\n" + t.Text("Before the question:") + "\n")
		block(e.Context)
		b.WriteString("\n" + t.Text("Question:") + "\n")
	}
	switch p := e.Payload; {
	case e.Error != nil:
		block(t.Text("The call could not be read: {0}", e.Error.Message))
	case p == nil:
	case p.Questionnaire != nil:
		for i, q := range p.Questions {
			var pick protocol.Pick
			if i < len(e.Outcome.Picks) {
				pick = e.Outcome.Picks[i]
			}
			block(q.Question)
			b.WriteByte('\n')
			for n, o := range q.Options {
				text := o.Label
				if o.Description != "" {
					text += " — " + o.Description
				}
				if o.Preview != "" {
					text += "\n" + o.Preview
				}
				option(slices.Contains(pick.Options, n), text)
			}
			if pick.Other != "" {
				option(true, pick.Other)
			}
			if pick.Notes != "" {
				b.WriteString("\n" + t.Text("Note:") + "\n")
				block(pick.Notes)
			}
		}
	case p.Approval != nil:
		block(p.Title)
		block(subject.Text(p.Subject))
		if p.Reason != "" {
			block(p.Reason)
		}
		b.WriteByte('\n')
		for _, o := range p.Options {
			option(e.Outcome.Option == o.ID, ChoiceWords(t, p.Subject.Kind, o))
		}
		if e.Outcome.Changed != "" {
			b.WriteString("\n" + t.Text("Allowed instead:") + "\n")
			block(subject.Visible(e.Outcome.Changed))
		}
	case p.Followup != nil:
		block(p.Question)
		for n, s := range p.Suggest {
			if n == 0 {
				b.WriteByte('\n')
			}
			text := s.Answer
			if s.Mode != "" {
				text += " (" + s.Mode + ")"
			}
			option(e.Outcome.Suggestion != nil && *e.Outcome.Suggestion == n, text)
		}
	}
	if e.Outcome.Outcome == "" {
		return b.String()
	}
	ended := outcomeWords(t, e.Outcome)
	if e.Outcome.At != 0 {
		ended = clock(e.Outcome.At, zone) + " · " + ended
	}
	b.WriteString("\n" + Inline(ended) + "\n")
	if e.Outcome.Text != "" {
		block(e.Outcome.Text)
	}
	for i, image := range e.Images {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "    %s (%s)\n", t.Text("Image {0}", i+1), linkable(image.MimeType))
	}
	return b.String()
}

// inset indents the lines of a text, except empty ones.
func inset(text, by string) string {
	lines := strings.Split(strings.TrimRight(Plain(text), "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = by + line
		}
	}
	return strings.Join(lines, "\n")
}

// clock returns a time of an entry, to the minute.
func clock(at int64, zone *time.Location) string {
	return time.UnixMilli(at).In(zone).Format("2006-01-02 15:04")
}
