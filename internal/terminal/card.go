package terminal

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// card is a question that is being answered, with what the user has begun.
type card struct {
	speak locale.Tag
	item  *protocol.InboxItem
	// picks and step are of a questionnaire; one past the last step is the review. With lines, one question has a review, too.
	picks []protocol.PickDraft
	step  int
	lines bool
	// row is where the keys are: an option, or, after the last, the text box.
	row int
	box textarea.Model
	// suggestion and mode are of the suggestion that the words came from.
	suggestion *int
	mode       string
	replying   bool
	// aside has the words of a reply while it is not being written.
	aside string
	// cut reports that the context is too long to be shown at first; whole that the user wants to see all of it.
	cut, whole bool
	// Of an approval: the line of the page after its text, and how many lines were seen without a gap, at a width.
	ends, seen, width int
	// dismissing asks whether the user means it; sending reports that the answer is on its way.
	dismissing, sending bool
	// changed reports that the draft is not saved; saved is when the last save began, in milliseconds since 1970.
	changed bool
	saved   int64
	// note is a message below the question.
	note string
	// over is the question as it was closed elsewhere; the words stay.
	over *protocol.InboxItem
}

// action is what the user wants to be done with a card.
type action struct {
	back    bool
	dismiss bool
	answer  *protocol.AnswerParams
	reply   *protocol.ReplyParams
	decide  *protocol.DecideParams
}

func newCard(speak locale.Tag, item *protocol.InboxItem) *card {
	box := textarea.New()
	box.ShowLineNumbers, box.MaxHeight, box.MaxWidth = false, 0, 0
	box.DynamicHeight, box.MinHeight = true, 1
	box.SetVirtualCursor(false)
	style := textarea.StyleState{Prompt: weak}
	box.SetStyles(textarea.Styles{Focused: style, Blurred: style})
	box.KeyMap.InsertNewline.SetEnabled(false)
	box.KeyMap.Paste.SetEnabled(false) // it would run another program; the terminal pastes by itself
	c := &card{speak: speak, box: box}
	c.take(item)
	return c
}

// take updates the item. A draft replaces what the user has begun here only if it is newer.
func (c *card) take(item *protocol.InboxItem) {
	c.item = item
	if missing := len(c.parts()) - len(c.picks); missing > 0 {
		c.picks = append(c.picks, make([]protocol.PickDraft, missing)...)
	}
	c.focus()
	if item.Payload.Approval != nil || c.changed || c.saved > 0 && (item.Draft == nil || item.Draft.ChangedAt <= c.saved) {
		return // nothing that was begun elsewhere decides an approval
	}
	draft := protocol.Draft{}
	if item.Draft != nil {
		draft = *item.Draft
	}
	c.suggestion, c.mode, c.replying = draft.Suggestion, draft.Mode, draft.Replying
	c.step = min(max(draft.Step, 0), c.last())
	for i := range c.picks {
		c.picks[i] = protocol.PickDraft{}
		if i < len(draft.Picks) {
			c.picks[i] = draft.Picks[i]
			c.picks[i].Options = slices.Clone(draft.Picks[i].Options)
		}
	}
	c.aside = draft.Text
	c.load(draft.Text)
}

// close shows that the question was closed elsewhere.
func (c *card) close(item protocol.InboxItem) {
	c.over, c.dismissing, c.changed = &item, false, false
	c.focus()
}

// parts returns the questions of a questionnaire.
func (c *card) parts() []protocol.Question {
	if c.item.Payload.Questionnaire == nil {
		return nil
	}
	return c.item.Payload.Questions
}

// last returns the last step: the review, if there is one.
func (c *card) last() int {
	if n := len(c.parts()); n > 1 || c.lines {
		return n
	}
	return 0
}

func (c *card) reviewing() bool { return c.last() > 0 && c.step == c.last() }

// part returns the question of a questionnaire that is shown; nil in the review, and of another question.
func (c *card) part() *protocol.Question {
	if parts := c.parts(); c.step < len(parts) {
		return &parts[c.step]
	}
	return nil
}

// options returns the number of rows before the box.
func (c *card) options() int {
	switch part := c.part(); {
	case c.replying || c.reviewing():
		return 0
	case part != nil:
		return len(part.Options)
	case c.item.Payload.Followup != nil:
		return len(c.item.Payload.Suggest)
	}
	return 0
}

// writing reports whether keys are letters.
func (c *card) writing() bool { return c.replying || c.row >= c.options() && !c.reviewing() }

// load puts words into the box: the draft's, or those of the step.
func (c *card) load(words string) {
	if c.part() != nil && !c.replying {
		words = c.picks[c.step].Other
	}
	if words != c.words() {
		c.box.SetValue(boxed(words))
		c.box.MoveToEnd()
	}
	c.focus()
}

// boxed replaces tabs, which the box would turn into spaces; words restores them.
func boxed(text string) string { return strings.ReplaceAll(text, "\t", "␉") }

// words returns the text in the box.
func (c *card) words() string { return strings.ReplaceAll(c.box.Value(), "␉", "\t") }

func (c *card) focus() {
	c.row = min(c.row, c.options())
	if c.writing() && c.over == nil {
		c.box.Focus()
	} else {
		c.box.Blur()
	}
}

// wrote notes a change of the box.
func (c *card) wrote() {
	c.changed, c.note = c.item.Payload.Approval == nil, ""
	part := c.part()
	if part == nil || c.replying {
		if c.words() == "" {
			c.suggestion, c.mode = nil, ""
		}
		return
	}
	pick := &c.picks[c.step]
	pick.Other = c.words()
	if pick.OtherChosen = strings.TrimSpace(pick.Other) != ""; pick.OtherChosen && !part.MultiSelect {
		pick.Options = nil
	}
}

// draft returns what the user has begun, here and in other views.
func (c *card) draft() protocol.Draft {
	draft := protocol.Draft{Suggestion: c.suggestion, Mode: c.mode, Step: c.step, Replying: c.replying, Text: c.aside}
	if c.parts() == nil || c.replying {
		draft.Text = c.words()
	}
	if slices.ContainsFunc(c.picks, func(p protocol.PickDraft) bool { return len(p.Options) > 0 || p.Other != "" || p.Notes != "" }) {
		draft.Picks = c.picks
	}
	return archive.MergeDraft(c.item.Draft, draft)
}

// paste puts a text into the box, wherever the keys are.
func (c *card) paste(text string) {
	if c.over != nil || c.reviewing() {
		return
	}
	c.move(c.options())
	c.box.InsertString(boxed(strings.ReplaceAll(text, "\r\n", "\n")))
	c.wrote()
}

// press takes a key.
func (c *card) press(key tea.KeyPressMsg) action {
	name := key.String()
	switch {
	case c.dismissing:
		c.dismissing = false
		return action{dismiss: name == "y"}
	case name == "esc" && c.replying && c.over == nil:
		c.reply(false)
	case name == "esc":
		return action{back: true}
	case name == "tab" || name == "shift+tab":
		if c.options() > 0 && c.writing() {
			c.move(0)
		} else if c.options() > 0 {
			c.move(c.options())
		}
	case c.over != nil:
		return action{back: name == "enter" || name == "q"}
	case c.writing():
		return c.write(key, name)
	case len(name) == 1 && name >= "0" && name <= "9" && !c.reviewing():
		return c.digit(int(name[0]-'1'+10) % 10)
	default:
		return c.command(name)
	}
	return action{}
}

// write takes a key in the box.
func (c *card) write(key tea.KeyPressMsg, name string) action {
	was := c.box.Value()
	switch {
	case name == "enter":
		return c.send()
	case name == "up" && c.box.Line() == 0 && c.box.LineInfo().RowOffset == 0 && c.options() > 0:
		c.move(c.options() - 1)
		return action{}
	case name == "left" && was == "" && c.part() != nil:
		c.show(c.step - 1)
		return action{}
	case name == "alt+enter" || name == "shift+enter" || name == "ctrl+j":
		c.box.InsertString("\n")
	default:
		c.box, _ = c.box.Update(key)
	}
	if c.box.Value() != was {
		c.wrote()
	}
	return action{}
}

// digit chooses an option, or moves the keys to the box after the last.
func (c *card) digit(k int) action {
	if k > c.options() {
		return action{}
	}
	c.move(k)
	switch part := c.part(); {
	case k == c.options():
	case part != nil && part.MultiSelect:
		c.pick(true)
	default:
		return c.choose()
	}
	return action{}
}

// command takes a key outside the box.
func (c *card) command(name string) action {
	switch name {
	case "up", "k":
		c.move(c.row - 1)
	case "down", "j":
		c.move(c.row + 1)
	case "left", "h":
		c.show(c.step - 1)
	case "right", "l":
		c.show(c.step + 1)
	case "space":
		if c.part() != nil {
			c.pick(true)
		}
	case "enter":
		return c.choose()
	case "e":
		if c.item.Payload.Followup != nil && c.row < c.options() {
			s, k := c.item.Payload.Suggest[c.row], c.row
			c.suggestion, c.mode = &k, s.Mode
			c.box.SetValue(boxed(archive.Plain(s.Answer)))
			c.box.MoveToEnd()
			c.move(c.options())
			c.wrote()
		}
	case "r":
		if c.parts() != nil {
			c.reply(true)
		}
	case "c":
		c.whole = !c.whole
	case "x":
		c.dismissing = true
	case "q":
		return action{back: true}
	}
	return action{}
}

// move moves the keys to a row.
func (c *card) move(row int) {
	c.row = min(max(row, 0), c.options())
	c.focus()
}

// show shows another step, with the keys at what was picked.
func (c *card) show(step int) {
	if step = min(max(step, 0), c.last()); step == c.step || c.replying {
		return
	}
	c.step, c.row, c.changed = step, 0, true
	if c.part() != nil && len(c.picks[step].Options) > 0 {
		c.row = c.picks[step].Options[0]
	}
	c.box.Reset()
	c.load("")
}

// reply opens the box for a reply instead of the answers, or closes it.
func (c *card) reply(open bool) {
	if !open {
		c.aside = c.words()
	}
	c.replying, c.changed, c.row = open, true, 0
	c.box.Reset()
	c.load(c.aside)
}

// pick picks the option at the keys. In a list of several, toggle removes one that was picked.
func (c *card) pick(toggle bool) {
	part, pick := c.part(), &c.picks[c.step]
	if c.row >= len(part.Options) {
		return
	}
	at := slices.Index(pick.Options, c.row)
	switch {
	case !part.MultiSelect:
		pick.Options, pick.OtherChosen = []int{c.row}, false
	case at < 0:
		pick.Options = append(pick.Options, c.row)
		slices.Sort(pick.Options)
	case toggle:
		pick.Options = slices.Delete(pick.Options, at, at+1)
	}
	c.changed, c.note = true, ""
}

// refuse shows why nothing is sent.
func (c *card) refuse(why locale.Key) action {
	c.note = c.speak.Text(why)
	return action{}
}

const emptyAnswer locale.Key = "The answer is empty."

// choose takes what is at the keys.
func (c *card) choose() action {
	part := c.part()
	switch {
	case c.item.State != protocol.ItemPending:
		return c.refuse(locale.RefusedNotPending)
	case c.reviewing():
		return c.submit()
	case part != nil:
		if !part.MultiSelect {
			c.pick(false)
		}
		return c.onward()
	}
	k := c.row
	answer := protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: &k}
	if words := c.words(); strings.TrimSpace(words) != "" {
		answer.Text = words
	}
	answer.Images, answer.Quotes = c.added()
	return action{answer: &answer}
}

// onward shows the next step, or submits after the last.
func (c *card) onward() action {
	if c.last() == 0 {
		return c.submit()
	}
	c.show(c.step + 1)
	return action{}
}

// send sends the words in the box.
func (c *card) send() action {
	words := c.words()
	images, quotes := c.added()
	switch {
	case c.item.State != protocol.ItemPending:
		return c.refuse(locale.RefusedNotPending)
	case c.item.Payload.Approval != nil:
		return c.decide()
	case c.part() != nil && !c.replying:
		return c.onward()
	case strings.TrimSpace(words) == "" && len(images)+len(quotes) == 0:
		return c.refuse(emptyAnswer)
	case c.replying:
		return action{reply: &protocol.ReplyParams{Text: words, Picks: c.picked(), Images: images, Quotes: quotes}}
	}
	answer := protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: words, Images: images, Quotes: quotes}
	if c.suggestion != nil && *c.suggestion < len(c.item.Payload.Suggest) {
		answer.Provenance, answer.Suggestion, answer.Mode = protocol.ProvenanceEdited, c.suggestion, c.mode
	}
	return action{answer: &answer}
}

func (c *card) submit() action {
	picks := c.picked()
	if !slices.ContainsFunc(picks, func(p protocol.Pick) bool { return len(p.Options) > 0 || p.Other != "" }) {
		return c.refuse(emptyAnswer)
	}
	images, quotes := c.added()
	return action{answer: &protocol.AnswerParams{Picks: picks, Images: images, Quotes: quotes}}
}

// picked returns the picks as they are sent.
func (c *card) picked() (all []protocol.Pick) {
	for _, draft := range c.picks {
		pick := protocol.Pick{Options: draft.Options, Notes: draft.Notes}
		if draft.OtherChosen && strings.TrimSpace(draft.Other) != "" {
			pick.Other = draft.Other
		}
		all = append(all, pick)
	}
	return all
}

// added returns the images and quotes that other views added to the draft. They are sent with every answer.
func (c *card) added() (images []protocol.Image, quotes []protocol.Quote) {
	if c.item.Draft == nil {
		return nil, nil
	}
	for _, image := range c.item.Draft.Images {
		if image.Data != "" {
			images = append(images, protocol.Image{MimeType: image.MimeType, Data: image.Data})
		}
	}
	return images, c.item.Draft.Quotes
}
