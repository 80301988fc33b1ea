package terminal

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"followup/internal/locale"
	"followup/internal/protocol"
)

// The colours are the terminal's own, so that they suit a light one and a dark one.
var (
	plain  = lipgloss.NewStyle()
	strong = lipgloss.NewStyle().Bold(true)
	weak   = lipgloss.NewStyle().Faint(true)
	marked = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Cyan)
	alarm  = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
)

// widest is how wide a text is set, so that its lines can be read.
const widest = 100

// page is lines that are drawn, and which of them must be seen.
type page struct {
	width    int
	lines    []string
	from, to int // of what the keys are at
	cursor   *tea.Cursor
	// top and bottom are the lines that fit found room for.
	top, bottom int
}

func (p *page) add(style lipgloss.Style, indent, text string) {
	for _, line := range wrapped(text, p.width-ansi.StringWidth(indent)) {
		p.lines = append(p.lines, indent+style.Render(line))
	}
}

// block adds a text that has its styles.
func (p *page) block(indent, text string) {
	width := max(p.width-ansi.StringWidth(indent), 1)
	for line := range strings.SplitSeq(lipgloss.Wrap(text, width, ""), "\n") {
		p.lines = append(p.lines, indent+line)
	}
}

func (p *page) gap() { p.lines = append(p.lines, "") }

// item adds a text behind a mark, with its further lines moved in.
func (p *page) item(style lipgloss.Style, mark, text string) {
	width := ansi.StringWidth(mark)
	for i, line := range wrapped(text, p.width-width) {
		if i > 0 {
			mark = strings.Repeat(" ", width)
		}
		p.lines = append(p.lines, style.Render(mark+line))
	}
}

// fit is the page in a height, with its foot at the bottom, and what the keys are at in sight. Scroll moves it by hand.
func (p *page) fit(height, scroll int, foot []string) (content string, cursor *tea.Cursor) {
	if height < len(foot)+4 { // the question comes first
		foot = nil
	}
	room := max(1, height-len(foot)-1)
	top := 0
	if len(p.lines) > room {
		if p.to >= room {
			top = min(p.from, p.to-room+1)
		}
		top = min(max(top+scroll, 0), len(p.lines)-room)
	}
	p.top, p.bottom = top, min(top+room, len(p.lines))
	lines := p.lines[top:p.bottom]
	if p.cursor != nil {
		if p.cursor.Y -= top; p.cursor.Y >= 0 && p.cursor.Y < len(lines) {
			cursor = p.cursor
		}
	}
	for len(foot) > 0 && len(lines) < room {
		lines = append(slices.Clip(lines), "")
	}
	if len(foot) > 0 {
		lines = append(slices.Clip(lines), "")
	}
	return strings.Join(append(lines, foot...), "\n"), cursor
}

// draw draws the card.
func (c *card) draw(p *page) {
	p.add(weak, "", heading(c.speak, c.item))
	c.drawContext(p)
	if part := c.part(); part != nil || c.reviewing() {
		c.drawPart(p, part)
	} else if c.item.Payload.Approval != nil {
		c.drawApproval(p)
	} else if c.item.Payload.Followup != nil {
		p.block("", styled(plain, strong, rendered(c.item).Question, c.item.Payload.Question))
		p.gap()
		for k, s := range c.item.Payload.Suggest {
			c.drawOption(p, k, "", suggestion(c.speak, s))
		}
	}
	if c.reviewing() && !c.replying {
		return
	}
	if c.replying {
		p.gap()
		p.add(strong, "", c.speak.Text("Reply instead of answering"))
	} else if c.options() > 0 {
		c.drawOption(p, c.options(), "", c.speak.Text("Your own words"))
	}
	c.drawBox(p)
	if c.seen < c.ends {
		p.from, p.to = 0, 0 // what is to be allowed comes first
	}
}

// contextLines is how many lines of the context are shown at first: its end, which leads to the question.
const contextLines = 6

// drawContext draws what the agent wrote before it asked.
func (c *card) drawContext(p *page) {
	if c.item.Context == "" {
		return
	}
	before := &page{width: p.width}
	before.block("  ", styled(weak, weak, rendered(c.item).Context, c.item.Context))
	lines := before.lines
	if c.cut = len(lines) > contextLines; c.cut && !c.whole {
		p.add(weak, "  ", "…")
		lines = lines[len(lines)-contextLines:]
	}
	p.lines = append(p.lines, lines...)
	p.gap()
}

// drawOption draws an option, and the box's title, as the keys find it.
func (c *card) drawOption(p *page, k int, tick, text string) {
	mark, style := "  ", lipgloss.NewStyle()
	here := c.row == k && c.over == nil
	if here {
		mark, style = "❯ ", marked
		p.from = len(p.lines)
	}
	p.item(style, fmt.Sprintf("%s%d. %s", mark, k+1, tick), text)
	if here {
		p.to = len(p.lines) - 1
	}
}

func (c *card) drawPart(p *page, part *protocol.Question) {
	if len(c.parts()) > 1 {
		steps := c.speak.Text("Review")
		if part != nil {
			steps = c.speak.Text("Question {0} of {1}", c.step+1, len(c.parts()))
		}
		p.add(weak, "", steps)
	}
	if part == nil {
		p.gap()
		picks := c.picked()
		for i, q := range c.parts() {
			p.add(strong, "", title(c.item, i))
			if said := answered(q, picks[i]); said != "" {
				p.add(lipgloss.NewStyle(), "  ", said)
			} else {
				p.add(weak, "  ", c.speak.Text("left out"))
			}
		}
		p.gap()
		p.from = len(p.lines)
		p.item(marked, "❯ ", c.speak.Text("Submit"))
		p.to = len(p.lines) - 1
		return
	}
	read := renderedPart(c.item, c.step)
	p.block("", strong.Render(header(*part))+styled(plain, strong, read.Question, part.Question))
	p.gap()
	if c.replying {
		return
	}
	for k, option := range part.Options {
		c.drawOption(p, k, tick(part.MultiSelect, slices.Contains(c.picks[c.step].Options, k)), shown(option.Label))
		if option.Description != "" {
			p.block("     ", styled(weak, weak, read.Options[k].Description, option.Description))
		}
		if option.Preview != "" && c.row == k {
			p.block("     │ ", styled(plain, plain, read.Options[k].Preview, option.Preview))
		}
		if c.row == k {
			p.to = len(p.lines) - 1
		}
	}
}

func tick(several, on bool) string {
	switch {
	case several && on:
		return "[x] "
	case several:
		return "[ ] "
	case on:
		return "(•) "
	}
	return "( ) "
}

// drawBox draws the box of words, where there is something in it, or the keys are.
func (c *card) drawBox(p *page) {
	if c.over != nil {
		p.gap()
		p.add(alarm, "", c.speak.Text("It was closed elsewhere: {0}", said(c.speak, *c.over)))
		if c.words() != "" {
			p.add(strong, "", c.speak.Text("Your words, which were not sent:"))
			p.add(lipgloss.NewStyle(), "  ", shown(c.words()))
		}
		p.from, p.to = len(p.lines)-1, len(p.lines)-1
		return
	}
	if c.writing() || c.words() != "" {
		c.box.SetWidth(max(p.width, 8))
		if cursor := c.box.Cursor(); c.writing() && cursor != nil {
			cursor.Y += len(p.lines)
			p.cursor = cursor
			p.from, p.to = min(len(p.lines), cursor.Y), cursor.Y
		}
		p.lines = append(p.lines, strings.Split(unturned.Replace(c.box.View()), "\n")...)
	}
	if c.options() > 0 && c.part() == nil && strings.TrimSpace(c.words()) != "" {
		p.add(weak, "  ", c.speak.Text("A suggestion is sent with your words."))
	}
	for _, line := range addedLines(c.speak, c.item) {
		p.add(weak, "  ", line)
	}
}

// unturned takes what turns the direction of writing out of words that may have come from an agent. It has no width.
var unturned = strings.NewReplacer(
	"\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "", "\u202e", "", "\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "",
)

// foot is what is told, and the keys that there are.
func (c *card) foot(width int) (lines []string) {
	if c.note != "" {
		for _, line := range wrapped(c.note, width) {
			lines = append(lines, alarm.Render(line))
		}
	}
	if c.dismissing {
		for _, line := range wrapped(c.speak.Text("Dismiss the question? y: yes, any other key: no"), width) {
			lines = append(lines, alarm.Render(line))
		}
		return lines
	}
	return append(lines, help(c.speak, width, c.keys()...)...)
}

// keys are those that do something now, each with what.
func (c *card) keys() []any {
	all := c.stepKeys()
	if c.cut && !c.writing() && c.over == nil {
		all = slices.Concat([]any{"c", locale.Key("context")}, all)
	}
	return all
}

func (c *card) stepKeys() []any {
	part := c.part()
	switch {
	case c.over != nil:
		return []any{"Esc", locale.Key("back")}
	case c.replying:
		return []any{"Enter", locale.Key("send"), "Alt+Enter", locale.Key("new line"), "Esc", locale.Key("back")}
	case c.item.Payload.Approval != nil && c.seen < c.ends:
		return []any{"PgUp PgDn", locale.Key("read all of it"), "Esc", locale.Key("back")}
	case c.writing() && part == nil:
		return []any{"Enter", locale.Key("send"), "Alt+Enter", locale.Key("new line"), "Tab", locale.Key("choose"), "Esc", locale.Key("back")}
	case c.writing():
		return []any{"Enter", locale.Key("next"), "Alt+Enter", locale.Key("new line"), "Tab", locale.Key("choose"), "Esc", locale.Key("back")}
	case c.reviewing():
		return []any{"Enter", locale.Key("send"), "←", locale.Key("back"), "r", locale.Key("reply"), "x", locale.Key("dismiss"), "Esc", locale.Key("back")}
	case part == nil:
		return []any{"1–9 Enter", locale.Key("choose"), "e", locale.Key("edit"), "Tab", locale.Key("own words"), "x", locale.Key("dismiss"), "Esc", locale.Key("back")}
	}
	enter := locale.Key("next")
	if c.last() == 0 {
		enter = "send"
	}
	return []any{
		"1–9", locale.Key("choose"), "Space", locale.Key("pick"), "Enter", enter, "Tab", locale.Key("own words"), "r", locale.Key("reply"), "x", locale.Key("dismiss"),
		"Esc", locale.Key("back"),
	}
}

// help is a line of keys, or several where it is narrow.
func help(speak locale.Tag, width int, keys ...any) (lines []string) {
	line := ""
	add := func() {
		for _, part := range wrapped(line, width) {
			lines = append(lines, weak.Render(part))
		}
	}
	for i := 0; i+1 < len(keys); i += 2 {
		one := fmt.Sprintf("%s %s", keys[i], speak.Text(keys[i+1].(locale.Key)))
		switch {
		case line == "":
			line = one
		case ansi.StringWidth(line)+3+ansi.StringWidth(one) > width:
			add()
			line = one
		default:
			line += " · " + one
		}
	}
	add()
	return lines
}
