package terminal

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"followup/internal/form"
	"followup/internal/locale"
)

// key describes keys with the same current effect.
type key struct {
	names string     // separated by spaces
	help  locale.Key // if empty, the foot omits them
	do    func() form.Action
}

// keys returns the keys that currently have an effect. All others are letters if the user is writing.
func (c *card) keys() []key {
	next := key{"enter", "Enter send", c.Send}
	if !c.IsLast() {
		next.help = "Enter next"
	}
	newline := key{"alt+enter shift+enter ctrl+j", "Alt+Enter new line", func() form.Action { return c.insert("\n") }}
	back := key{"esc", "Esc back", func() form.Action { return form.Action{Back: true} }}
	previous := key{names: "left", do: func() form.Action { return c.Show(c.Draft.Step - 1) }}
	var other []key
	if c.others > 0 {
		other = []key{{"ctrl+n", "Ctrl+N next question", func() form.Action { return form.Action{Next: true} }}}
	}
	switch {
	case c.Over != nil:
		if !c.stillWriting() {
			back.names = "esc q"
		}
		if c.others == 0 {
			back.names += " enter"
			back.help = "Enter back"
			return []key{back}
		}
		other[0].names, other[0].help = "enter ctrl+n", "Enter next question"
		return append(other, back)
	case c.Draft.Replying:
		next.help, back.do = "Enter send", func() form.Action { return c.Reply(false) }
		return append([]key{next, newline, back}, other...)
	case c.Writing():
		if c.Unread {
			next.help = "PgUp PgDn read all of it"
		}
		all := []key{next, newline}
		if c.Options() > 0 {
			all = append(all, key{"tab shift+tab", "Tab choose", func() form.Action { return c.Move(0) }})
			if c.box.Line() == 0 && c.box.LineInfo().RowOffset == 0 {
				all = append(all, key{names: "up", do: func() form.Action { return c.Move(c.Row - 1) }})
			}
		}
		if c.Words == "" {
			all = append(all, previous)
		}
		return append(append(all, back), other...)
	}
	previous.names, back.names = "left h", "esc q"
	own := key{"tab shift+tab", "Tab own words", func() form.Action { return c.Move(c.Options()) }}
	reply := key{"r", "r reply", func() form.Action { return c.Reply(true) }}
	whole := key{names: "c", do: c.toggleContext}
	if c.cut {
		whole.help = "c context"
	}
	all := []key{
		{names: "up k", do: func() form.Action { return c.Move(c.Row - 1) }},
		{names: "down j", do: func() form.Action { return c.Move(c.Row + 1) }},
		{names: "right l", do: func() form.Action { return c.Show(c.Draft.Step + 1) }},
		whole,
	}
	switch {
	case c.Reviewing():
		previous.help = "← back"
		all = append(all, next, previous, reply)
	case c.IsQuestionnaire():
		all = append(all, previous, key{help: "1–9 choose"}, key{"space", "Space pick", func() form.Action { return c.Pick(true) }}, next, own, reply)
	default:
		next.help = "1–9 Enter choose"
		all = append(all, next, key{"e", "e edit", c.Edit}, own)
	}
	return append(append(all, key{"x", "x dismiss", c.AskDismiss}, back), other...)
}

func (c *card) toggleContext() form.Action {
	c.whole = !c.whole
	return form.Action{}
}

func (c *card) press(msg tea.KeyPressMsg) (asked form.Action) {
	defer c.sync()
	name := msg.String()
	if c.Dismissing {
		c.Dismissing = false
		return form.Action{Dismiss: name == "y"}
	}
	for _, k := range c.keys() {
		if slices.Contains(strings.Fields(k.names), name) {
			return k.do()
		}
	}
	switch was := c.box.Value(); {
	case c.Writing() || c.stillWriting():
		c.box.Focus()
		if c.box, _ = c.box.Update(msg); c.box.Value() != was {
			c.Write(showTabs.Replace(c.box.Value()))
		}
	case len(name) == 1 && name >= "0" && name <= "9" && c.Over == nil && !c.Reviewing():
		return c.Choose(int(name[0]-'1'+10) % 10)
	}
	return form.Action{}
}
