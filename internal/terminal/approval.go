package terminal

import (
	"fmt"
	"strings"

	"followup/internal/archive"
	"followup/internal/form"
	"followup/internal/protocol"
	"followup/internal/subject"
)

// drawApproval draws a request and the words that decide it.
func (c *card) drawApproval(p *page) {
	p.include(c.wrap(p, wrapping{what: "approval"}, c.drawRequest))
	c.ends = p.height
	p.gap()
}

func (c *card) drawRequest(p *page) {
	asked := c.Item.Payload.Approval
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
	if asked.Subject.Kind == protocol.SubjectUnshown {
		p.add(plain, "  ", c.speak.Text(archive.Unshown))
	}
	if changes := rendered(c.Item).Changes; changes != nil {
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
		word(form.ChoiceWords[o.Kind], archive.ChoiceWords(c.speak, asked.Subject.Kind, o))
	}
	if asked.Changeable {
		word(form.WordInstead, c.speak.Text("Allow another command, typed after this word"))
	}
	word(form.WordLeave, c.speak.Text("Leave it to the agent's own dialog"))
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

// saw records which lines of the card were visible. A line counts only if all lines before it were seen.
func (c *card) saw(width, top, bottom int) {
	if c.width != width {
		c.width, c.seen = width, 0
	}
	if top <= c.seen {
		c.seen = max(c.seen, bottom)
	}
	c.Unread = c.seen < c.ends
}
