package terminal

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// The colours are the terminal's own, so that they suit light and dark themes.
var (
	plain  = lipgloss.NewStyle()
	strong = lipgloss.NewStyle().Bold(true)
	weak   = lipgloss.NewStyle().Faint(true)
	marked = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Cyan)
	alarm  = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
)

// widest is the maximum width of a text in columns, for readability.
const widest = 100

// page collects the lines to draw, and which of them must be visible.
type page struct {
	width    int
	lines    []string
	plain    bool // lines are printed in order: there are no keys and no box
	from, to int  // the lines at the keys
	cursor   *tea.Cursor
}

// hang adds a styled text: its first line after a label, the others after an indent.
func (p *page) hang(label, indent, text string) {
	for line := range strings.SplitSeq(lipgloss.Wrap(text, max(p.width-ansi.StringWidth(indent), 1), ""), "\n") {
		p.lines = append(p.lines, label+line)
		label = indent
	}
}

// block adds a styled text.
func (p *page) block(indent, text string) { p.hang(indent, indent, text) }

func (p *page) add(style lipgloss.Style, indent, text string) { p.block(indent, painted(style, text)) }

func (p *page) gap() { p.lines = append(p.lines, "") }

// row adds a text after a label. here means that the keys are at it.
func (p *page) row(here bool, label, text string) {
	mark, style, begin := "  ", plain, len(p.lines)
	if here {
		mark, style = "❯ ", marked
	}
	p.hang(style.Render(mark+label), strings.Repeat(" ", ansi.StringWidth(mark+label)), painted(style, text))
	if here {
		p.from, p.to = begin, len(p.lines)-1
	}
}

// keys adds help on keys, with line breaks only between them.
func (p *page) keys(speak locale.Tag, keys ...locale.Key) {
	var all []string
	for _, help := range keys {
		if help != "" {
			all = append(all, strings.ReplaceAll(speak.Text(help), " ", "\u00a0"))
		}
	}
	p.add(weak, "", strings.Join(all, " · "))
}

// fit returns the lines from top to bottom that fit in a height, with the foot below. It keeps the lines at the keys visible, and
// then moves by scroll.
func (p *page) fit(height, scroll int, foot []string) (content string, cursor *tea.Cursor, top, bottom int) {
	if height < len(foot)+4 { // without room for the foot, the question takes precedence
		foot = nil
	}
	room := max(1, height-len(foot)-1)
	if len(p.lines) > room {
		if p.to >= room {
			top = min(p.from, p.to-room+1)
		}
		top = min(max(top+scroll, 0), len(p.lines)-room)
	}
	bottom = min(top+room, len(p.lines))
	lines := slices.Clone(p.lines[top:bottom])
	if p.cursor != nil && p.cursor.Y >= top && p.cursor.Y < bottom {
		cursor = p.cursor
		cursor.Y -= top
	}
	if len(foot) > 0 {
		lines = append(lines, make([]string, room-len(lines)+1)...)
	}
	return strings.Join(append(lines, foot...), "\n"), cursor, top, bottom
}

func (c *card) draw(p *page) {
	p.add(weak, "", heading(c.speak, c.Item))
	c.drawContext(p)
	switch {
	case c.Reviewing():
		c.drawReview(p)
	case c.Item.Payload.Approval != nil:
		c.drawApproval(p)
	default:
		c.drawPart(p, c.part())
	}
	switch {
	case c.Over != nil:
		c.drawOver(p)
		return
	case c.Draft.Replying:
		p.gap()
		p.add(strong, "", c.speak.Text("Reply instead of answering"))
	case c.Options() > 0 && !p.plain:
		c.drawOption(p, c.Options(), c.speak.Text("Your own words"))
	}
	if !p.plain {
		c.drawBox(p)
	}
	c.drawAdded(p)
	if c.Unread {
		p.from, p.to = 0, 0 // the start of the request is shown first
	}
}

// contextLines is the number of lines of the context that are shown at first: its end, which leads to the question.
const contextLines = 6

// drawContext draws the text that the agent wrote before it asked.
func (c *card) drawContext(p *page) {
	if c.Item.Context == "" {
		return
	}
	before := &page{width: p.width}
	before.block("  ", styled(weak, weak, rendered(c.Item).Context, c.Item.Context))
	lines := before.lines
	if c.cut = len(lines) > contextLines && !p.plain; c.cut && !c.whole {
		p.add(weak, "  ", "…")
		lines = lines[len(lines)-contextLines:]
	}
	p.lines = append(p.lines, lines...)
	p.gap()
}

func (c *card) drawOption(p *page, k int, text string) {
	p.row(c.Row == k && c.Over == nil && !p.plain, fmt.Sprintf("%d. ", k+1), text)
}

func (c *card) drawReview(p *page) {
	if len(c.parts) > 1 {
		p.add(weak, "", c.speak.Text("Review"))
		p.gap()
	}
	picks := c.Picked()
	for i, part := range c.parts {
		said := part.said(picks[i])
		if said == "" {
			said = weak.Render(c.speak.Text("skipped"))
		}
		p.block("", strong.Render(part.title)+" — "+said)
	}
	if !p.plain {
		p.gap()
		p.row(!c.Draft.Replying, "", c.speak.Text("Submit"))
	}
}

func (c *card) drawPart(p *page, part part) {
	if n := len(c.parts); n > 1 {
		p.add(weak, "", c.speak.Text("Question {0} of {1}", c.Draft.Step+1, n))
	}
	p.block("", part.question)
	p.gap()
	if c.Draft.Replying {
		return
	}
	for k, option := range part.options {
		here := c.Row == k
		c.drawOption(p, k, c.tick(p, k)+option.label)
		if option.description != "" {
			p.block("     ", option.description)
		}
		if option.preview != "" && (here || p.plain) {
			p.block("     │ ", option.preview)
		}
		if here {
			p.to = len(p.lines) - 1
		}
	}
}

// tick returns a mark that shows whether an option is picked.
func (c *card) tick(p *page, k int) string {
	if p.plain || !c.IsQuestionnaire() {
		return ""
	}
	switch on, multi := c.Picks(k), c.Multi(); {
	case multi && on:
		return "[x] "
	case multi:
		return "[ ] "
	case on:
		return "(•) "
	}
	return "( ) "
}

const closedElsewhere locale.Key = "It was closed elsewhere: {0}"

// closedBy returns how a question that was closed elsewhere ended.
func (c *card) closedBy() string {
	return c.speak.Text(closedElsewhere, archive.Inline(archive.OutcomeSummary(c.speak, protocol.HistoryEntry{Payload: &c.Item.Payload, Outcome: *c.Over})))
}

func (c *card) drawOver(p *page) {
	p.gap()
	p.add(alarm, "", c.closedBy())
	if c.Words != "" {
		p.add(strong, "", c.speak.Text(wordsNotSent))
		p.add(plain, "  ", shown(c.Words))
	}
	p.from, p.to = len(p.lines)-1, len(p.lines)-1
}

// drawBox draws the text box if it has text or the keys are there.
func (c *card) drawBox(p *page) {
	if c.Writing() || !c.Reviewing() && c.Words != "" {
		c.box.SetWidth(max(p.width, 8))
		if cursor := c.box.Cursor(); c.Writing() && cursor != nil {
			p.from = len(p.lines)
			cursor.Y += len(p.lines)
			p.cursor, p.to = cursor, cursor.Y
		}
		p.lines = append(p.lines, strings.Split(unturned.Replace(c.box.View()), "\n")...)
	}
	if c.Options() > 0 && !c.IsQuestionnaire() && strings.TrimSpace(c.Words) != "" {
		p.add(weak, "  ", c.speak.Text("Your words are sent with the suggestion you choose."))
	}
}

// drawAdded draws the images and quotes that are sent with the answer.
func (c *card) drawAdded(p *page) {
	images, quotes := c.Added()
	if len(images) > 0 {
		p.add(weak, "  ", c.speak.Text("Images sent with your answer: {0}", len(images)))
	}
	var labels []string
	for _, quote := range quotes {
		labels = append(labels, archive.Inline(quote.Label))
	}
	if len(labels) > 0 {
		p.add(weak, "  ", c.speak.Text("Added from the editor: {0}", strings.Join(labels, ", ")))
	}
}

// unturned removes characters that change the direction of text, which an agent may have written. They have no width.
var unturned = strings.NewReplacer(
	"\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "", "\u202e", "", "\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "",
)

// drawFoot draws the note and the keys that currently have an effect.
func (c *card) drawFoot(p *page) {
	if c.Note != "" {
		p.add(alarm, "", c.Note)
	}
	if c.Dismissing {
		p.add(alarm, "", c.speak.Text("Dismiss the question? y: yes, any other key: no"))
		return
	}
	var help []locale.Key
	for _, k := range c.keys() {
		help = append(help, k.help)
	}
	p.keys(c.speak, help...)
}
