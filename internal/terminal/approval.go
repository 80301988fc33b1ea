package terminal

import (
	"context"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/subject"
)

// An approval is decided by a word that is typed out, so that no single key, held or pressed for something else, allows anything.
const (
	wordInstead = "instead" // the command that is allowed in place of the agent's follows
	wordLeave   = "leave"
)

// choiceWords are the words for the kinds of options.
var choiceWords = map[protocol.ChoiceKind]string{
	protocol.ChoiceOnce: "allow", protocol.ChoiceSession: "session", protocol.ChoiceAlways: "always", protocol.ChoiceDeny: "deny",
}

// decision reads what the user has typed: a decision, or nil to leave the request to the agent's own dialog. Not ok: it is neither.
func decision(item *protocol.InboxItem, typed string) (decided *protocol.DecideParams, ok bool) {
	asked := item.Payload.Approval
	word, rest := strings.TrimSpace(typed), ""
	if end := strings.IndexAny(word, " \n\t"); end >= 0 {
		word, rest = word[:end], strings.TrimSpace(word[end:])
	}
	word = strings.ToLower(strings.TrimRight(word, ":."))
	if word == wordLeave {
		return nil, rest == ""
	}
	params := protocol.DecideParams{QuestionID: item.QuestionID, Text: rest}
	kind := protocol.ChoiceKind("")
	for each, of := range choiceWords {
		if of == word {
			kind = each
		}
	}
	if word == wordInstead && asked.Changeable && rest != "" {
		kind, params.Text, params.Changed = protocol.ChoiceOnce, "", rest
	}
	if params.Text != "" && kind != protocol.ChoiceDeny && asked.Subject.Kind != protocol.SubjectPlan {
		return nil, false // "allow, but …" is more than a word that allows
	}
	for _, o := range asked.Options {
		if o.Kind == kind {
			if params.Option = o.ID; kind != protocol.ChoiceDeny {
				params.Digest = subject.Digest(asked, o)
			}
			return &params, true
		}
	}
	return nil, false
}

// choices says which words there are, one a line.
func choices(speak locale.Tag, asked *protocol.Approval) (lines []string) {
	line := func(word, does string) { lines = append(lines, fmt.Sprintf("%-8s %s", word, does)) }
	for _, o := range asked.Options {
		line(choiceWords[o.Kind], archive.ChoiceWords(speak, asked.Subject.Kind, o))
	}
	if asked.Changeable {
		line(wordInstead, speak.Text("Allow another command, which follows this word"))
	}
	line(wordLeave, speak.Text("Leave it to the agent's own dialog"))
	return lines
}

const decideWord locale.Key = "Type one of the words above. Words for the agent can follow “deny”, and a plan’s “allow”."

// askApproval has a request decided.
func (l *Lines) askApproval(ctx context.Context, item *protocol.InboxItem) error {
	asked := item.Payload.Approval
	l.print("%s\n\n  %s\n\n", shown(asked.Title), strings.ReplaceAll(shown(subject.Text(asked.Subject)), "\n", "\n  "))
	if asked.Reason != "" {
		l.print("%s\n\n", shown(asked.Reason))
	}
	for _, line := range choices(l.speak, asked) {
		l.print("  %s\n", shown(line))
	}
	l.begun(item)
	line, err := l.line(ctx, "Type a word from the list, /next or /quit: ")
	if err != nil {
		return err
	}
	switch strings.TrimSpace(line) {
	case "/quit":
		return errQuit
	case "/next":
		return errNext
	}
	decided, ok := decision(item, line)
	switch {
	case !ok:
		return l.refuse(decideWord)
	case decided == nil:
		return l.close(rpc.Call(context.WithoutCancel(ctx), l.sidecar, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: item.QuestionID}))
	}
	return l.close(rpc.Call(context.WithoutCancel(ctx), l.sidecar, protocol.QuestionDecide, *decided))
}

// drawApproval draws a request. The keys begin at its first line, until all of it was in sight.
func (c *card) drawApproval(p *page) {
	asked := c.item.Payload.Approval
	p.add(strong, "", shown(asked.Title))
	p.gap()
	p.block("  ", styledSubject(c.item))
	if asked.Reason != "" {
		p.gap()
		p.add(weak, "  ", shown(asked.Reason))
	}
	p.gap()
	for _, line := range choices(c.speak, asked) {
		p.add(plain, "  ", shown(line))
	}
	c.ends = len(p.lines)
	p.gap()
}

// styledSubject is what a request would allow, in the terminal's colours.
func styledSubject(item *protocol.InboxItem) string {
	s := item.Payload.Subject
	if s.Kind == protocol.SubjectEdit {
		lines := strings.Split(shown(subject.Text(s)), "\n")
		for i, line := range lines {
			style := plain
			switch {
			case strings.HasPrefix(line, "+"):
				style = style.Foreground(lipgloss.Green)
			case strings.HasPrefix(line, "-"):
				style = style.Foreground(lipgloss.Red)
			}
			lines[i] = style.Render(line)
		}
		return strings.Join(lines, "\n")
	}
	return shown(subject.Text(s))
}

// saw notes which lines of the card were in sight: all of them count that follow on those that were seen before.
func (c *card) saw(width, top, bottom int) {
	if c.width != width {
		c.width, c.seen = width, 0
	}
	if top <= c.seen {
		c.seen = max(c.seen, bottom)
	}
}

// decide takes what was typed.
func (c *card) decide() deed {
	decided, ok := decision(c.item, c.words())
	switch {
	case c.item.State != protocol.ItemPending:
		c.note = c.speak.Text(locale.RefusedNotPending)
	case !ok:
		c.note = c.speak.Text(decideWord)
	case decided == nil:
		return deed{dismiss: true}
	case decided.Digest != "" && c.seen < c.ends:
		c.note = c.speak.Text("Look at all of it first, with PgUp and PgDn.")
	default:
		return deed{decide: decided}
	}
	return deed{}
}
