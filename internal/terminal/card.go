package terminal

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// card is a question that is being answered, with what the user has begun.
type card struct {
	speak locale.Tag
	item  *protocol.InboxItem
	// picks and step are of a questionnaire; one past the last step is the review.
	picks []protocol.PickDraft
	step  int
	// row is where the keys are: an option, or, behind the last, the box of words.
	row int
	box textarea.Model
	// suggestion and mode are of the suggestion that the words came from.
	suggestion *int
	mode       string
	replying   bool
	// aside are the words of a reply while it is not being written.
	aside string
	// cut tells that the context is too long to be shown at first; whole that the user wants to see all of it.
	cut, whole bool
	// Of an approval: the line of the page that its text ends before, and how many lines were seen in a row, at a width.
	ends, seen, width int
	// dismissing asks whether the user means it.
	dismissing bool
	// sending tells that the answer is on its way.
	sending bool
	// changed tells that the draft is to be saved; saved is when the last one was begun to be, in milliseconds since 1970.
	changed bool
	saved   int64
	// note is told below the question.
	note string
	// over is the question as it was closed elsewhere; the words stay.
	over *protocol.InboxItem
}

// deed is what a key asks of the card's owner.
type deed struct {
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
	var plain textarea.StyleState
	plain.Prompt = lipgloss.NewStyle().Faint(true)
	box.SetStyles(textarea.Styles{Focused: plain, Blurred: plain})
	box.KeyMap.InsertNewline.SetEnabled(false)
	box.KeyMap.Paste.SetEnabled(false) // it would run another program; the terminal pastes by itself
	c := &card{speak: speak, box: box}
	c.take(item)
	return c
}

// take takes the item as it is told now. What the user has begun here is newer than what is told.
func (c *card) take(item *protocol.InboxItem) {
	c.item = item
	if len(c.picks) != len(c.parts()) {
		c.picks = append(c.picks, make([]protocol.PickDraft, max(0, len(c.parts())-len(c.picks)))...)
	}
	if item.Payload.Approval != nil { // what was begun elsewhere is no word that was typed here
		c.focus()
		return
	}
	if c.changed || c.saved > 0 && (item.Draft == nil || item.Draft.ChangedAt <= c.saved) {
		return
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

// parts are the questions of a questionnaire.
func (c *card) parts() []protocol.Question {
	if c.item.Payload.Questionnaire == nil {
		return nil
	}
	return c.item.Payload.Questions
}

// last is the last step: of several questions, their review.
func (c *card) last() int {
	if n := len(c.parts()); n > 1 {
		return n
	}
	return 0
}

func (c *card) reviewing() bool { return len(c.parts()) > 1 && c.step == len(c.parts()) }

// part is the question of a questionnaire that is shown; nil in the review, and of another question.
func (c *card) part() *protocol.Question {
	if parts := c.parts(); c.step < len(parts) {
		return &parts[c.step]
	}
	return nil
}

// options is how many rows stand before the box.
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

// writing tells that keys are letters.
func (c *card) writing() bool {
	return c.row >= c.options() && !c.reviewing() || c.replying
}

// load puts words into the box: the draft's, or those of the step.
func (c *card) load(words string) {
	if part := c.part(); part != nil && !c.replying {
		words = c.picks[c.step].Other
	}
	if words != c.words() {
		c.box.SetValue(boxed(words))
		c.box.MoveToEnd()
	}
	c.focus()
}

// boxed keeps tabs, which the box would make spaces of; words takes them back.
func boxed(text string) string { return strings.ReplaceAll(text, "\t", "␉") }

// words are what stands in the box.
func (c *card) words() string { return strings.ReplaceAll(c.box.Value(), "␉", "\t") }

func (c *card) focus() {
	c.row = min(c.row, c.options())
	if c.writing() && c.over == nil {
		c.box.Focus()
	} else {
		c.box.Blur()
	}
}

// wrote notes what was written.
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

// draft is what the user has begun, here and in other views.
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
	c.row = c.options()
	c.focus()
	c.box.InsertString(boxed(strings.ReplaceAll(text, "\r\n", "\n")))
	c.wrote()
}

// press takes a key.
func (c *card) press(key tea.KeyPressMsg) deed {
	name := key.String()
	if c.dismissing {
		c.dismissing = false
		return deed{dismiss: name == "y"}
	}
	switch name {
	case "esc":
		if c.replying && c.over == nil {
			c.reply(false)
			return deed{}
		}
		return deed{back: true}
	case "tab", "shift+tab":
		if c.options() > 0 && !c.replying {
			if c.writing() {
				c.move(0)
			} else {
				c.move(c.options())
			}
		}
		return deed{}
	}
	switch {
	case c.over != nil:
		return deed{back: name == "enter" || name == "q"}
	case c.writing():
		return c.write(key, name)
	}
	return c.command(name)
}

// write takes a key in the box.
func (c *card) write(key tea.KeyPressMsg, name string) deed {
	switch name {
	case "enter":
		return c.send()
	case "alt+enter", "shift+enter", "ctrl+j":
		c.box.InsertString("\n")
		c.wrote()
		return deed{}
	case "up":
		if c.box.Line() == 0 && c.box.LineInfo().RowOffset == 0 && c.options() > 0 {
			c.move(c.options() - 1)
			return deed{}
		}
	case "left":
		if c.words() == "" && c.part() != nil {
			c.show(c.step - 1)
			return deed{}
		}
	}
	was := c.box.Value()
	c.box, _ = c.box.Update(key)
	if c.box.Value() != was {
		c.wrote()
	}
	return deed{}
}

// command takes a key outside the box.
func (c *card) command(name string) deed {
	if n := len(name); n == 1 && name >= "0" && name <= "9" && !c.reviewing() {
		k := int(name[0]-'1'+10) % 10
		if k < c.options() {
			c.row = k
			if part := c.part(); part != nil && part.MultiSelect {
				c.pick(true)
				return deed{}
			}
			return c.choose()
		}
		if k == c.options() {
			c.move(k)
		}
		return deed{}
	}
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
			s := c.item.Payload.Suggest[c.row]
			k := c.row
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
		return deed{back: true}
	}
	return deed{}
}

// move moves the keys to a row.
func (c *card) move(row int) {
	c.row = min(max(row, 0), c.options())
	c.focus()
}

// show shows another step.
func (c *card) show(step int) {
	if step = min(max(step, 0), c.last()); step == c.step || c.replying {
		return
	}
	c.step, c.row, c.changed = step, 0, true
	if part := c.part(); part != nil { // a new question begins at what was picked
		for _, k := range c.picks[step].Options {
			c.row = k
			break
		}
	}
	c.box.Reset()
	c.load("")
}

// reply opens the box for a reply in place of the answers, or closes it.
func (c *card) reply(open bool) {
	if !open {
		c.aside = c.words()
	}
	c.replying, c.changed, c.row = open, true, 0
	c.box.Reset()
	c.load(c.aside)
}

// pick picks the option that the keys are at; of several that may be picked it may be taken back.
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

// choose takes what the keys are at.
func (c *card) choose() deed {
	part := c.part()
	switch {
	case c.item.State != protocol.ItemPending:
		c.note = c.speak.Text(locale.RefusedNotPending)
		return deed{}
	case c.reviewing():
		return c.submit()
	case part == nil:
		k := c.row
		answer := protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: &k}
		if words := c.words(); strings.TrimSpace(words) != "" {
			answer.Text = words
		}
		answer.Images, answer.Quotes = added(c.item)
		return deed{answer: &answer}
	case !part.MultiSelect:
		c.pick(false)
		return c.onward()
	}
	return c.onward()
}

// onward goes on to the next question, or sends where there is none.
func (c *card) onward() deed {
	if c.last() == 0 {
		return c.submit()
	}
	c.show(c.step + 1)
	return deed{}
}

// send sends what stands in the box.
func (c *card) send() deed {
	if c.item.Payload.Approval != nil {
		return c.decide()
	}
	words := c.words()
	images, quotes := added(c.item)
	switch {
	case c.item.State != protocol.ItemPending:
		c.note = c.speak.Text(locale.RefusedNotPending)
	case c.part() != nil && !c.replying:
		return c.onward()
	case strings.TrimSpace(words) == "" && len(images)+len(quotes) == 0:
		c.note = c.speak.Text("The answer is empty.")
	case c.replying:
		return deed{reply: &protocol.ReplyParams{Text: words, Picks: c.picked(), Images: images, Quotes: quotes}}
	default:
		answer := protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: words, Images: images, Quotes: quotes}
		if c.suggestion != nil && *c.suggestion < len(c.item.Payload.Suggest) {
			answer.Provenance, answer.Suggestion, answer.Mode = protocol.ProvenanceEdited, c.suggestion, c.mode
		}
		return deed{answer: &answer}
	}
	return deed{}
}

func (c *card) submit() deed {
	picks := c.picked()
	if !slices.ContainsFunc(picks, func(p protocol.Pick) bool { return len(p.Options) > 0 || p.Other != "" }) {
		c.note = c.speak.Text("The answer is empty.")
		return deed{}
	}
	images, quotes := added(c.item)
	return deed{answer: &protocol.AnswerParams{Picks: picks, Images: images, Quotes: quotes}}
}

// picked are the picks as they are sent.
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
