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
	// parts are the questions, and picks what is answered to each. step is the part that is shown; one past the last is the review.
	parts []part
	picks []protocol.PickDraft
	step  int
	// lines reports that the card is not on a screen: then a single question of a questionnaire has a review, too.
	lines bool
	// row is where the keys are: an option, or, after the last, the text box.
	row int
	box textarea.Model
	// suggestion and mode are of the suggestion that the words came from.
	suggestion *int
	mode       string
	replying   bool
	// aside has the words of a reply.
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
	c.item, c.parts = item, parts(c.speak, item)
	if missing := len(c.parts) - len(c.picks); missing > 0 {
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
	c.step = min(max(draft.Step, 0), c.lastStep())
	clear(c.picks)
	for i := range min(len(c.picks), len(draft.Picks)) {
		c.picks[i] = draft.Picks[i]
		c.picks[i].Options = slices.Clone(draft.Picks[i].Options)
	}
	if c.aside = draft.Text; !c.questionnaire() {
		c.picks[0].Other = draft.Text
	}
	c.load()
}

// close shows that the question was closed elsewhere.
func (c *card) close(item protocol.InboxItem) {
	c.over, c.dismissing, c.changed = &item, false, false
	c.focus()
}

// questionnaire reports whether the card is a questionnaire.
func (c *card) questionnaire() bool { return c.item.Payload.Questionnaire != nil }

// lastStep returns the last step: the review, if there is one.
func (c *card) lastStep() int {
	if n := len(c.parts); n > 1 || c.lines && c.questionnaire() {
		return n
	}
	return 0
}

func (c *card) reviewing() bool { return c.lastStep() > 0 && c.step == c.lastStep() }

// part returns the question that is shown; empty in the review.
func (c *card) part() part {
	if c.step < len(c.parts) {
		return c.parts[c.step]
	}
	return part{}
}

// options returns the number of rows before the box.
func (c *card) options() int {
	if c.replying {
		return 0
	}
	return len(c.part().options)
}

// writing reports whether keys are letters.
func (c *card) writing() bool { return c.replying || c.row >= c.options() && !c.reviewing() }

// load puts the words of the step into the box, or those of the reply.
func (c *card) load() {
	words := c.aside
	if !c.replying {
		words = ""
		if c.step < len(c.picks) {
			words = c.picks[c.step].Other
		}
	}
	if words != c.words() {
		c.box.SetValue(boxed(words))
		c.box.MoveToEnd()
	}
	c.focus()
}

// boxed replaces tabs, which the box would turn into spaces; words restores them.
func boxed(text string) string { return strings.ReplaceAll(text, "\t", "␉") }

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
	if c.replying {
		c.aside = c.words()
		return
	}
	pick := &c.picks[c.step]
	if pick.Other = c.words(); pick.Other == "" {
		c.suggestion, c.mode = nil, ""
	}
	if pick.OtherChosen = strings.TrimSpace(pick.Other) != ""; pick.OtherChosen && !c.part().multi {
		pick.Options = nil
	}
}

// draft returns what the user has begun, here and in other views.
func (c *card) draft() protocol.Draft {
	draft := protocol.Draft{Suggestion: c.suggestion, Mode: c.mode, Step: c.step, Replying: c.replying, Text: c.aside}
	if !c.questionnaire() {
		draft.Text = c.picks[0].Other
	} else if slices.ContainsFunc(c.picks, func(p protocol.PickDraft) bool { return len(p.Options) > 0 || p.Other != "" || p.Notes != "" }) {
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

func (c *card) write(key tea.KeyPressMsg, name string) action {
	was := c.box.Value()
	switch {
	case name == "enter":
		return c.send()
	case name == "up" && c.box.Line() == 0 && c.box.LineInfo().RowOffset == 0 && c.options() > 0:
		c.move(c.options() - 1)
		return action{}
	case name == "left" && was == "" && c.questionnaire():
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

func (c *card) digit(k int) action {
	if k > c.options() {
		return action{}
	}
	c.move(k)
	if k < c.options() && !c.part().multi {
		return c.choose()
	}
	c.pick(true)
	return action{}
}

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
		c.pick(true)
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
		if c.questionnaire() {
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

func (c *card) move(row int) {
	c.row = min(max(row, 0), c.options())
	c.focus()
}

// show shows another step, with the keys at what was picked.
func (c *card) show(step int) {
	if step = min(max(step, 0), c.lastStep()); step == c.step || c.replying {
		return
	}
	c.step, c.row, c.changed = step, 0, true
	if !c.reviewing() && len(c.picks[step].Options) > 0 {
		c.row = c.picks[step].Options[0]
	}
	c.load()
}

// reply opens the box for a reply instead of the answers, or closes it.
func (c *card) reply(open bool) {
	c.replying, c.changed, c.row = open, true, 0
	c.load()
}

// pick picks the option at the keys. In a list of several, toggle removes one that was picked.
func (c *card) pick(toggle bool) {
	if !c.questionnaire() || c.row >= c.options() {
		return
	}
	pick := &c.picks[c.step]
	at := slices.Index(pick.Options, c.row)
	switch {
	case !c.part().multi:
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

func (c *card) choose() action {
	switch {
	case c.item.State != protocol.ItemPending:
		return c.refuse(locale.RefusedNotPending)
	case c.reviewing():
		return c.submit()
	case c.questionnaire():
		if !c.part().multi {
			c.pick(false)
		}
		return c.onward()
	}
	k, words := c.row, c.words()
	if strings.TrimSpace(words) == "" {
		words = ""
	}
	return c.answer(protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: &k, Text: words})
}

// answer sends an answer with what other views added.
func (c *card) answer(params protocol.AnswerParams) action {
	params.Images, params.Quotes = c.added()
	return action{answer: &params}
}

// onward shows the next step, or submits after the last.
func (c *card) onward() action {
	if c.lastStep() == 0 {
		return c.submit()
	}
	c.show(c.step + 1)
	return action{}
}

func (c *card) send() action {
	words := c.words()
	images, quotes := c.added()
	switch {
	case c.item.State != protocol.ItemPending:
		return c.refuse(locale.RefusedNotPending)
	case c.item.Payload.Approval != nil:
		return c.decide()
	case c.questionnaire() && !c.replying:
		return c.onward()
	case strings.TrimSpace(words) == "" && len(images)+len(quotes) == 0:
		return c.refuse(emptyAnswer)
	case c.replying:
		return action{reply: &protocol.ReplyParams{Text: words, Picks: c.picked(), Images: images, Quotes: quotes}}
	case c.suggestion != nil && *c.suggestion < len(c.item.Payload.Suggest):
		return c.answer(protocol.AnswerParams{Provenance: protocol.ProvenanceEdited, Text: words, Suggestion: c.suggestion, Mode: c.mode})
	}
	return c.answer(protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: words})
}

func (c *card) submit() action {
	picks := c.picked()
	if !slices.ContainsFunc(picks, func(p protocol.Pick) bool { return len(p.Options) > 0 || p.Other != "" }) {
		return c.refuse(emptyAnswer)
	}
	return c.answer(protocol.AnswerParams{Picks: picks})
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
