package terminal

import (
	"strings"

	"charm.land/bubbles/v2/textarea"

	"followup/internal/form"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// card is a question that is being answered, as drawn by both views.
type card struct {
	*form.Form
	speak locale.Tag
	parts []part
	box   textarea.Model
	// cut means that the context is too long to be shown at first, whole that the user wants to see all of it.
	cut, whole bool
	// For an approval: the line of the page after its text, and how many lines were seen without a gap, at a width.
	ends, seen, width int
	// others is the number of other open questions.
	others int
	// ended says how the question was closed here; empty if it was closed elsewhere.
	ended string
	// wrapped has the texts that were wrapped so far.
	wrapped map[wrapping][]string
}

func newCard(speak locale.Tag, item *protocol.InboxItem, lines bool) *card {
	box := textarea.New()
	box.ShowLineNumbers, box.MaxHeight, box.MaxWidth = false, 0, 0
	box.DynamicHeight, box.MinHeight = true, 1
	box.SetVirtualCursor(false)
	style := textarea.StyleState{Prompt: weak}
	box.SetStyles(textarea.Styles{Focused: style, Blurred: style})
	box.KeyMap.InsertNewline.SetEnabled(false)
	box.KeyMap.Paste.SetEnabled(false) // it would run another program; the terminal handles pasting
	c := &card{Form: form.New(speak, item, lines), speak: speak, parts: parts(speak, item), box: box, wrapped: map[wrapping][]string{}}
	c.Unread = item.Payload.Approval != nil && !lines // lines print the whole request
	c.sync()
	return c
}

// take replaces the item by its new state.
func (c *card) take(item *protocol.InboxItem) {
	c.Take(item)
	c.parts = parts(c.speak, item)
	clear(c.wrapped)
	c.sync()
}

// part returns the current question; empty in the review.
func (c *card) part() part {
	if c.Draft.Step < len(c.parts) {
		return c.parts[c.Draft.Step]
	}
	return part{}
}

// Without this, the box would turn tabs into spaces.
var (
	hideTabs = strings.NewReplacer("\t", "␉")
	showTabs = strings.NewReplacer("␉", "\t")
)

// sync updates the box from the form.
func (c *card) sync() {
	if words := hideTabs.Replace(c.Words); words != c.box.Value() {
		c.box.SetValue(words)
		c.box.MoveToEnd()
	}
	if c.Writing() {
		c.box.Focus()
	} else {
		c.box.Blur()
	}
}

// insert inserts a text into the box at its cursor.
func (c *card) insert(text string) form.Action {
	c.box.InsertString(hideTabs.Replace(text))
	c.Write(showTabs.Replace(c.box.Value()))
	return form.Action{}
}

// paste inserts a text into the box, even if the keys are elsewhere.
func (c *card) paste(text string) {
	if c.Over == nil {
		c.Move(c.Options())
	}
	if c.sync(); c.Writing() || c.stillWriting() {
		c.insert(strings.ReplaceAll(text, "\r\n", "\n"))
	}
}

// stillWriting reports whether the question was closed while the user was writing. What they type further belongs to their words.
func (c *card) stillWriting() bool {
	return c.Over != nil && c.ended == "" && (c.Draft.Replying || c.Row >= c.Options() && !c.Reviewing())
}
