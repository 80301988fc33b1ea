package terminal

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"followup/internal/locale"
)

// key is what some keys do now.
type key struct {
	names string     // separated by spaces
	help  locale.Key // if empty, the foot does not name them
	do    func() action
}

// keys returns the keys that do something now. All others are letters if the user is writing.
func (c *card) keys() []key {
	next := key{"enter", "Enter send", c.send}
	if c.draft.Step < c.lastStep() {
		next.help = "Enter next"
	}
	newline := key{"alt+enter shift+enter ctrl+j", "Alt+Enter new line", func() action {
		c.box.InsertString("\n")
		c.wrote()
		return action{}
	}}
	back := key{"esc", "Esc back", func() action { return action{back: true} }}
	previous := key{names: "left", do: func() action { return c.show(c.draft.Step - 1) }}
	switch {
	case c.over != nil:
		back.names = "esc enter q"
		return []key{back}
	case c.draft.Replying:
		next.help, back.do = "Enter send", func() action { return c.reply(false) }
		return []key{next, newline, back}
	case c.writing():
		if c.unseen() {
			next.help = "PgUp PgDn read all of it"
		}
		all := []key{next, newline}
		if c.options() > 0 {
			all = append(all, key{"tab shift+tab", "Tab choose", func() action { return c.move(0) }})
			if c.box.Line() == 0 && c.box.LineInfo().RowOffset == 0 {
				all = append(all, key{names: "up", do: func() action { return c.move(c.row - 1) }})
			}
		}
		if c.words() == "" {
			all = append(all, previous)
		}
		return append(all, back)
	}
	previous.names, back.names = "left h", "esc q"
	own := key{"tab shift+tab", "Tab own words", func() action { return c.move(c.options()) }}
	all := []key{
		{names: "up k", do: func() action { return c.move(c.row - 1) }},
		{names: "down j", do: func() action { return c.move(c.row + 1) }},
		{names: "right l", do: func() action { return c.show(c.draft.Step + 1) }},
	}
	whole := key{names: "c", do: func() action {
		c.whole = !c.whole
		return action{}
	}}
	if c.cut {
		whole.help = "c context"
	}
	all = append(all, whole)
	reply := key{"r", "r reply", func() action { return c.reply(true) }}
	switch {
	case c.reviewing():
		previous.help = "← back"
		all = append(all, next, previous, reply)
	case c.questionnaire():
		all = append(all, previous, key{help: "1–9 choose"}, key{"space", "Space pick", func() action { return c.choose(true) }}, next, own, reply)
	default:
		next.help = "1–9 Enter choose"
		all = append(all, next, key{"e", "e edit", c.edit}, own)
	}
	return append(all, key{"x", "x dismiss", func() action {
		c.dismissing = true
		return action{}
	}}, back)
}

func (c *card) press(msg tea.KeyPressMsg) action {
	name := msg.String()
	if c.dismissing {
		c.dismissing = false
		return action{dismiss: name == "y"}
	}
	for _, k := range c.keys() {
		if slices.Contains(strings.Fields(k.names), name) {
			return k.do()
		}
	}
	switch was := c.box.Value(); {
	case c.writing():
		if c.box, _ = c.box.Update(msg); c.box.Value() != was {
			c.wrote()
		}
	case len(name) == 1 && name >= "0" && name <= "9" && c.over == nil && !c.reviewing():
		return c.digit(int(name[0]-'1'+10) % 10)
	}
	return action{}
}

func (c *card) digit(k int) action {
	if k > c.options() {
		return action{}
	}
	c.move(k)
	if k < c.options() && !c.part().multi {
		return c.send()
	}
	return c.choose(true)
}
