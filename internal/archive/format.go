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
	f := format{
		heading: func(text string) string { return "### " + escapedInline(text) },
		text:    escaped,
		code:    fenced,
		quote:   func(text string) string { return indent(escaped(text), "> ") },
		item: func(mark, text, preview string) string {
			item := "- " + mark + strings.TrimSpace(indent(escaped(text), "  "))
			if preview != "" {
				item += "\n\n" + indent(fenced(preview), "  ")
			}
			return item
		},
		ended: func(words string) string { return "**" + escapedInline(words) + "**" },
		image: func(name string, image protocol.Image) string {
			return fmt.Sprintf("![%s](data:%s;base64,%s)", name, linkable(image.MimeType), image.Data)
		},
	}
	head := "## "
	if e.AskedAt != 0 {
		head += clock(e.AskedAt, zone) + " · "
	}
	return head + escapedInline(e.Agent) + "\n\n" + strings.Join(f.blocks(t, e), "\n\n") + "\n\n"
}

// Text formats a complete entry for a terminal in the given language and time zone, with Markdown as it was written. Texts of
// agents and users are indented, so that they cannot imitate Followup's lines. It omits a missing outcome.
func Text(t locale.Tag, zone *time.Location, e protocol.HistoryEntry) string {
	block := func(text string) string { return inset(text, "    ") }
	f := format{
		heading: func(string) string { return "" },
		text:    block,
		code:    block,
		quote:   block,
		item: func(mark, text, preview string) string {
			return "    " + mark + strings.TrimSpace(inset(text+"\n"+preview, "        "))
		},
		ended: func(words string) string {
			if e.Outcome.At != 0 {
				words = clock(e.Outcome.At, zone) + " · " + words
			}
			return Inline(words)
		},
		image: func(name string, image protocol.Image) string {
			return "    " + name + " (" + linkable(image.MimeType) + ")"
		},
	}
	var from []string
	if e.AskedAt != 0 {
		from = append(from, clock(e.AskedAt, zone))
	}
	for _, part := range []string{e.Agent, protocol.PathOf(e.Workspace), e.To} {
		if part = Inline(part); part != "" {
			from = append(from, part)
		}
	}
	all := []string{Inline(e.QuestionID) + "\n" + strings.Join(from, " · ")}
	if e.Context != "" {
		all = append(all, t.Text("Before the question:"), block(e.Context), t.Text("Question:"))
	}
	return strings.Join(append(all, f.blocks(t, e)...), "\n\n") + "\n"
}

// format is how the parts of an entry are written. Texts of agents and users cannot imitate the others.
type format struct {
	heading, text, code, quote func(text string) string
	// item is an item of a task list, and ended how the question ended.
	item  func(mark, text, preview string) string
	ended func(words string) string
	image func(name string, image protocol.Image) string
}

// blocks returns the parts of an entry that a blank line separates: the question with what it offered, and how it ended.
func (f format) blocks(t locale.Tag, e protocol.HistoryEntry) (all []string) {
	add := func(blocks ...string) { all = append(all, blocks...) }
	var items []string
	offer := func(chosen bool, text, preview string) {
		mark := "[ ] "
		if chosen {
			mark = "[x] "
		}
		items = append(items, f.item(mark, text, preview))
	}
	switch p := e.Payload; {
	case e.Error != nil:
		add(f.text(t.Text("The call could not be read: {0}", e.Error.Message)))
	case p == nil:
	case p.Questionnaire != nil:
		for i, q := range p.Questions {
			pick := pickOf(e.Outcome, i)
			for n, o := range q.Options {
				offer(slices.Contains(pick.Options, n), joined(o.Label, o.Description), o.Preview)
			}
			if pick.Other != "" {
				offer(true, pick.Other, "")
			}
			if q.Header != "" {
				add(f.heading(q.Header))
			}
			add(f.text(q.Question), strings.Join(items, "\n"))
			items = nil
			if pick.Notes != "" {
				add(t.Text("Note:"), f.quote(pick.Notes))
			}
		}
	case p.Approval != nil:
		add(f.text(p.Title), f.code(subject.Text(p.Subject)))
		if p.Subject.Kind == protocol.SubjectUnshown {
			add(t.Text(Unshown))
		}
		if p.Reason != "" {
			add(f.quote(p.Reason))
		}
		for _, o := range p.Options {
			offer(e.Outcome.Option == o.ID, ChoiceWords(t, p.Subject.Kind, o), "")
		}
		add(strings.Join(items, "\n"))
		if e.Outcome.Changed != "" {
			add(t.Text("Allowed instead:"), f.code(subject.Visible(e.Outcome.Changed)))
		}
	case p.Followup != nil:
		for i, s := range p.Suggest {
			text := s.Answer
			if s.Mode != "" {
				text += " (" + s.Mode + ")"
			}
			offer(e.Outcome.Suggestion != nil && *e.Outcome.Suggestion == i, text, "")
		}
		add(f.text(p.Question), strings.Join(items, "\n"))
	}
	if e.Outcome.Outcome != "" {
		add(f.ended(outcomeWords(t, e.Beside, e.Outcome)))
		if e.Outcome.Text != "" {
			add(f.quote(e.Outcome.Text))
		}
		for i, image := range e.Images {
			add(f.image(t.Text("Image {0}", i+1), image))
		}
	}
	return slices.DeleteFunc(all, func(block string) bool { return block == "" })
}

// pickOf returns the answer to one question of a questionnaire.
func pickOf(o protocol.ItemOutcome, question int) (pick protocol.Pick) {
	if question < len(o.Picks) {
		pick = o.Picks[question]
	}
	return pick
}

// joined returns a label and its explanation.
func joined(label, more string) string {
	if more != "" {
		label += " — " + more
	}
	return label
}

// Unshown explains a request for permission that cannot be shown exactly.
const Unshown locale.Key = "This request cannot be shown exactly here, so it cannot be allowed here. Read it in the agent's own dialog."

// ChoiceWords describes an option of an approval.
func ChoiceWords(t locale.Tag, of protocol.SubjectKind, o protocol.Choice) string {
	key := choiceKeys[o.Kind]
	if plan := planKeys[o.Kind]; of == protocol.SubjectPlan && plan != "" {
		key = plan
	}
	return joined(t.Text(key), o.Label)
}

// choiceKeys are the texts for each kind of option, and planKeys those that differ for a plan.
var (
	choiceKeys = map[protocol.ChoiceKind]locale.Key{
		protocol.ChoiceOnce: "Allow once", protocol.ChoiceSession: "Allow for this session",
		protocol.ChoiceAlways: "Always allow", protocol.ChoiceDeny: "Deny",
	}
	planKeys = map[protocol.ChoiceKind]locale.Key{protocol.ChoiceOnce: "Approve", protocol.ChoiceDeny: "Keep planning"}
)

// outcomeWords describes how a question ended. beside means that the agent's own dialog was open, too.
func outcomeWords(t locale.Tag, beside bool, o protocol.ItemOutcome) string {
	switch {
	case o.Overridden() && o.Effective == protocol.OutcomeAllowed:
		o.Effective = o.Outcome
		return t.Text("{0}, but allowed in the agent's own dialog at the same moment: it ran", outcomeWords(t, beside, o))
	case o.Overridden():
		o.Effective = o.Outcome
		return t.Text("{0}, but denied in the agent's own dialog at the same moment: it did not run", outcomeWords(t, beside, o))
	case beside && o.Outcome.IsDecision() && o.Effective == "":
		return t.Text("{0}; not confirmed by the agent", outcomeWords(t, false, o))
	}
	if by := o.AnsweredBy; by != "" {
		o.AnsweredBy = ""
		return t.Text("{0}, by {1}", outcomeWords(t, beside, o), by)
	}
	if o.Client != "" {
		from := Inline(o.Client)
		o.Client = ""
		return t.Text("{0} ({1})", outcomeWords(t, beside, o), from)
	}
	if o.Provenance == protocol.ProvenanceTimer {
		return t.Text("Answered by a timer")
	}
	if o.Elsewhere {
		return t.Text("Handled in the agent's own dialog")
	}
	if beside && o.Outcome == protocol.OutcomeDisconnected {
		return t.Text("The agent stopped waiting here; its own dialog may still be open")
	}
	return t.Text(outcomeKeys[o.Outcome])
}

// outcomeKeys are the texts for each outcome.
var outcomeKeys = map[protocol.Outcome]locale.Key{
	protocol.OutcomeAnswered:     "Answered",
	protocol.OutcomeDismissed:    "Dismissed",
	protocol.OutcomeReplied:      "Replied instead of answering",
	protocol.OutcomeAllowed:      "Allowed",
	protocol.OutcomeDenied:       "Denied",
	protocol.OutcomeWithdrawn:    "Withdrawn by the agent",
	protocol.OutcomeExpired:      "Not answered in time",
	protocol.OutcomeDisconnected: "The agent disconnected",
	protocol.OutcomeNotShown:     "Nobody saw it",
	protocol.OutcomeInvalid:      "Not a question",
}

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
