package terminal

import (
	"fmt"
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
	chunks   [][]string // the lines; a chunk of a card's texts is never copied, since it may have a million lines
	height   int        // the number of lines
	plain    bool       // lines are printed in order: there are no keys and no box
	from, to int        // the lines at the keys
	cursor   *tea.Cursor
}

// hang adds a styled text: its first line after a label, the others after an indent.
func (p *page) hang(label, indent, text string) {
	for line := range strings.SplitSeq(lipgloss.Wrap(text, max(p.width-ansi.StringWidth(indent), 1), ""), "\n") {
		p.push(label + line)
		label = indent
	}
}

// push adds lines.
func (p *page) push(lines ...string) {
	if len(p.chunks) == 0 {
		p.chunks = [][]string{nil}
	}
	last := len(p.chunks) - 1
	p.chunks[last] = append(p.chunks[last], lines...)
	p.height += len(lines)
}

// include adds lines that others share.
func (p *page) include(lines []string) {
	p.chunks = append(p.chunks, lines, nil)
	p.height += len(lines)
}

// lines returns the lines from top to bottom.
func (p *page) lines(top, bottom int) (all []string) {
	for _, chunk := range p.chunks {
		if from, to := max(top, 0), min(bottom, len(chunk)); from < to {
			all = append(all, chunk[from:to]...)
		}
		top, bottom = top-len(chunk), bottom-len(chunk)
	}
	return all
}

// block adds a styled text.
func (p *page) block(indent, text string) { p.hang(indent, indent, text) }

func (p *page) add(style lipgloss.Style, indent, text string) { p.block(indent, painted(style, text)) }

func (p *page) gap() { p.push("") }

// row adds a text after a label. here means that the keys are at it.
func (p *page) row(here bool, label, text string) {
	begin := p.height
	p.label(here, label, text)
	if here {
		p.from, p.to = begin, p.height-1
	}
}

func (p *page) label(here bool, label, text string) {
	mark, style := "  ", plain
	if here {
		mark, style = "❯ ", marked
	}
	p.hang(style.Render(mark+label), strings.Repeat(" ", ansi.StringWidth(mark+label)), painted(style, text))
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
	if p.height > room {
		if p.to >= room {
			top = min(p.from, p.to-room+1)
		}
		top = min(max(top+scroll, 0), p.height-room)
	}
	bottom = min(top+room, p.height)
	lines := p.lines(top, bottom)
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
		c.drawOption(p, c.Options(), "", c.speak.Text("Your own words"))
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
	lines := c.wrap(p, wrapping{what: "context"}, func(p *page) {
		p.block("  ", styled(weak, weak, rendered(c.Item).Context, c.Item.Context))
	})
	if c.cut = len(lines) > contextLines && !p.plain; c.cut && !c.whole {
		p.add(weak, "  ", "…")
		lines = lines[len(lines)-contextLines:]
	}
	p.include(lines)
	p.gap()
}

// wrapping identifies a text of a card that was wrapped.
type wrapping struct {
	what         string
	step, option int
	label, said  string
	here, plain  bool
	width        int
}

// wrap returns the lines that draw draws. They are kept until the item, its place on the card or the width changes: an agent's text
// may have a million lines, of which a key changes none.
func (c *card) wrap(p *page, w wrapping, draw func(*page)) []string {
	w.step, w.plain, w.width = c.Draft.Step, p.plain, p.width
	lines, known := c.wrapped[w]
	if !known {
		q := &page{width: p.width, plain: p.plain}
		draw(q)
		lines = q.lines(0, q.height)
		if len(c.wrapped) >= mostWrapped {
			clear(c.wrapped)
		}
		c.wrapped[w] = lines
	}
	return lines
}

// mostWrapped bounds the number of kept texts.
const mostWrapped = 1000

// block adds a text of the card.
func (c *card) block(p *page, w wrapping, indent string, text func() string) {
	p.include(c.wrap(p, w, func(p *page) { p.block(indent, text()) }))
}

func (c *card) drawOption(p *page, k int, mark, text string) {
	here, begin := c.Row == k && c.Over == nil && !p.plain, p.height
	w := wrapping{what: "option", option: k, label: mark, here: here}
	p.include(c.wrap(p, w, func(p *page) { p.label(here, fmt.Sprintf("%d. ", k+1), mark+text) }))
	if here {
		p.from, p.to = begin, p.height-1
	}
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
		c.block(p, wrapping{what: "review", option: i, said: said}, "", func() string { return strong.Render(part.title) + " — " + said })
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
	c.block(p, wrapping{what: "question"}, "", func() string { return part.question })
	p.gap()
	if c.Draft.Replying {
		return
	}
	for k, option := range part.options {
		here := c.Row == k
		c.drawOption(p, k, c.tick(p, k), option.label)
		if option.description != "" {
			c.block(p, wrapping{what: "description", option: k}, "     ", func() string { return option.description })
		}
		if option.preview != "" && (here || p.plain) {
			c.block(p, wrapping{what: "preview", option: k}, "     │ ", func() string { return option.preview })
		}
		if here {
			p.to = p.height - 1
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

const questionClosed locale.Key = "This question is closed: {0}"

// closedBy returns how a question that was closed elsewhere ended.
func (c *card) closedBy() string {
	return c.speak.Text(questionClosed, archive.Inline(archive.OutcomeSummary(c.speak, protocol.HistoryEntry{Envelope: c.Item.Envelope, Payload: &c.Item.Payload, Outcome: *c.Over})))
}

func (c *card) drawOver(p *page) {
	p.gap()
	if c.ended != "" {
		p.add(strong, "", c.ended)
	} else {
		p.add(alarm, "", c.closedBy())
	}
	if words := c.Unsent(*c.Over); words != "" {
		p.add(strong, "", c.speak.Text(wordsNotSent))
		p.add(plain, "  ", shown(words))
	}
	p.from, p.to = p.height-1, p.height-1
}

// drawBox draws the text box if it has text or the keys are there.
func (c *card) drawBox(p *page) {
	if c.Writing() || !c.Reviewing() && c.Words != "" {
		c.box.SetWidth(max(p.width, 8))
		if cursor := c.box.Cursor(); c.Writing() && cursor != nil {
			p.from = p.height
			cursor.Y += p.height
			p.cursor, p.to = cursor, cursor.Y
		}
		p.push(strings.Split(unturned.Replace(c.box.View()), "\n")...)
	}
	if c.Options() > 0 && !c.IsQuestionnaire() && strings.TrimSpace(c.Words) != "" {
		p.add(weak, "  ", c.speak.Text("Your words are sent with the suggestion you choose."))
	}
	if c.Beside() {
		p.add(alarm, "  ", c.speak.Text("Your words are not sent with an option. Press Enter to send the option alone, or Tab to go back to your words."))
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

// othersOpen says how many other questions are open.
func othersOpen(speak locale.Tag, n int) string {
	return speak.Count(n, "{0} other question is open.", "{0} other questions are open.")
}

// drawFoot draws the note and the keys that currently have an effect.
func (c *card) drawFoot(p *page) {
	if c.Note != "" {
		p.add(alarm, "", c.Note)
	}
	if c.Dismissing {
		p.add(alarm, "", c.speak.Text("Dismiss the question? y: yes, any other key: no"))
		return
	}
	if c.others > 0 {
		p.add(plain, "", othersOpen(c.speak, c.others))
	}
	var help []locale.Key
	for _, k := range c.keys() {
		help = append(help, k.help)
	}
	p.keys(c.speak, help...)
}
