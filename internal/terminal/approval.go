package terminal

import (
	"fmt"
	"strings"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/subject"
)

// An approval is decided by a word that is typed out, so that no single key, held or pressed for something else, allows anything.
const (
	wordInstead = "instead" // followed by the command that is allowed instead of the agent's
	wordLeave   = "leave"
)

// choiceWords are the words for the kinds of options.
var choiceWords = map[protocol.ChoiceKind]string{
	protocol.ChoiceOnce: "allow", protocol.ChoiceSession: "session", protocol.ChoiceAlways: "always", protocol.ChoiceDeny: "deny",
}

// decision parses what the user has typed: a decision, or nil to leave the request to the agent's own dialog.
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
	if word == wordInstead && asked.Changeable && rest != "" {
		word, params.Text, params.Changed = choiceWords[protocol.ChoiceOnce], "", rest
	}
	for _, o := range asked.Options {
		if word == "" || choiceWords[o.Kind] != word {
			continue
		}
		params.Option = o.ID
		if o.Kind != protocol.ChoiceDeny {
			params.Digest = subject.Digest(asked, o)
		}
		// "allow, but …" is more than a word that allows.
		return &params, params.Text == "" || o.Kind == protocol.ChoiceDeny || asked.Subject.Kind == protocol.SubjectPlan
	}
	return nil, false
}

// drawApproval draws a request, and the words that decide it.
func (c *card) drawApproval(p *page) {
	asked := c.item.Payload.Approval
	p.add(strong, "", shown(asked.Title))
	p.gap()
	for line := range strings.SplitSeq(shown(subject.Text(asked.Subject)), "\n") {
		style := plain
		if asked.Subject.Kind == protocol.SubjectEdit && strings.HasPrefix(line, "+") {
			style = kindStyles[protocol.MarkdownInserted]
		} else if asked.Subject.Kind == protocol.SubjectEdit && strings.HasPrefix(line, "-") {
			style = kindStyles[protocol.MarkdownRemoved]
		}
		p.add(style, "  ", line)
	}
	if changes := rendered(c.item).Changes; changes != nil {
		p.gap()
		p.add(strong, "  ", c.speak.Text("Changes since the last plan:"))
		p.addChanges(changes)
	}
	if asked.Reason != "" {
		p.gap()
		p.add(weak, "  ", shown(asked.Reason))
	}
	p.gap()
	word := func(word, does string) { p.add(plain, "  ", shown(fmt.Sprintf("%-8s %s", word, does))) }
	for _, o := range asked.Options {
		word(choiceWords[o.Kind], archive.ChoiceWords(c.speak, asked.Subject.Kind, o))
	}
	if asked.Changeable {
		word(wordInstead, c.speak.Text("Allow another command, which follows this word"))
	}
	word(wordLeave, c.speak.Text("Leave it to the agent's own dialog"))
	c.ends = len(p.lines)
	p.gap()
}

// addChanges adds the blocks and items that only one of two plans has.
func (p *page) addChanges(nodes []protocol.MarkdownNode) {
	for _, n := range nodes {
		mark, style := "  + ", kindStyles[protocol.MarkdownInserted]
		switch n.Kind {
		case protocol.MarkdownRemoved:
			mark, style = "  - ", kindStyles[protocol.MarkdownRemoved]
		case protocol.MarkdownInserted:
		default:
			p.addChanges(n.Nodes)
			continue
		}
		p.block(mark, styled(style, style, append([]protocol.MarkdownNode{{Text: n.Text}}, n.Nodes...), ""))
	}
}

// saw notes which lines of the card were in sight. A line counts if all lines before it were seen, too.
func (c *card) saw(width, top, bottom int) {
	if c.width != width {
		c.width, c.seen = width, 0
	}
	if top <= c.seen {
		c.seen = max(c.seen, bottom)
	}
}

// unseen reports whether a part of an approval was not in sight yet. Lines print all of it.
func (c *card) unseen() bool { return c.seen < c.ends && !c.lines }

const decideWord locale.Key = "Type one of the words above. Words for the agent can follow “deny”, and a plan’s “allow”."

func (c *card) decide() action {
	decided, ok := decision(c.item, c.words())
	switch {
	case !ok:
		return c.refuse(decideWord)
	case decided == nil:
		return action{dismiss: true}
	case decided.Digest != "" && c.unseen():
		return c.refuse("Read all of it first, with PgUp and PgDn.")
	}
	return action{decide: decided}
}
