package terminal

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textarea"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// card is a question that is being answered, with what the user has begun.
type card struct {
	speak locale.Tag
	item  *protocol.InboxItem
	parts []part
	// lines reports that the card is not on a screen: then drafts of other views are not used, and a single question of a
	// questionnaire has a review, too.
	lines bool
	// draft is what the user has begun, without what only other views add. Its step is the part that is shown; one past the last is
	// the review.
	draft protocol.Draft
	// changed reports that the draft is not saved; saved is when the last save began, in milliseconds since 1970.
	changed bool
	saved   int64
	// row is where the keys are: an option, or, after the last, the text box.
	row int
	box textarea.Model
	// cut reports that the context is too long to be shown at first; whole that the user wants to see all of it.
	cut, whole bool
	// Of an approval: the line of the page after its text, and how many lines were seen without a gap, at a width.
	ends, seen, width int
	// dismissing asks whether the user means it; sending reports that the answer is on its way.
	dismissing, sending bool
	// note is a message below the question.
	note string
	// over is how the question was closed elsewhere; the words stay.
	over *protocol.ItemOutcome
}

// action is what the user wants to be done with a card.
type action struct {
	back    bool
	dismiss bool
	answer  *protocol.AnswerParams
	reply   *protocol.ReplyParams
	decide  *protocol.DecideParams
}

func newCard(speak locale.Tag, item *protocol.InboxItem, lines bool) *card {
	box := textarea.New()
	box.ShowLineNumbers, box.MaxHeight, box.MaxWidth = false, 0, 0
	box.DynamicHeight, box.MinHeight = true, 1
	box.SetVirtualCursor(false)
	style := textarea.StyleState{Prompt: weak}
	box.SetStyles(textarea.Styles{Focused: style, Blurred: style})
	box.KeyMap.InsertNewline.SetEnabled(false)
	box.KeyMap.Paste.SetEnabled(false) // it would run another program; the terminal pastes by itself
	c := &card{speak: speak, lines: lines, box: box}
	c.take(item)
	return c
}

// take updates the item. A draft replaces what the user has begun here only if it is newer, and never what decides an approval.
func (c *card) take(item *protocol.InboxItem) {
	c.item, c.parts = item, parts(c.speak, item)
	begun := c.begun()
	if item.Payload.Approval == nil && !c.lines && !c.changed && (c.saved == 0 || begun.ChangedAt > c.saved) {
		c.draft = protocol.Draft{
			Text: begun.Text, Suggestion: begun.Suggestion, Mode: begun.Mode, Picks: begun.Picks, Step: begun.Step, Replying: begun.Replying,
		}
	}
	if c.questionnaire() {
		picks := make([]protocol.PickDraft, len(c.parts))
		copy(picks, c.draft.Picks)
		c.draft.Picks = picks
	}
	c.draft.Step = min(max(c.draft.Step, 0), c.lastStep())
	c.load()
}

// begun returns the draft that was saved last, here or in another view.
func (c *card) begun() protocol.Draft {
	if c.item.Draft == nil {
		return protocol.Draft{}
	}
	return *c.item.Draft
}

// whatIsBegun returns the draft as it is saved, with what other views added.
func (c *card) whatIsBegun() protocol.Draft {
	begun := c.begun()
	return archive.MergeDraft(&begun, c.draft)
}

// close shows how the question was closed elsewhere.
func (c *card) close(outcome *protocol.ItemOutcome) {
	c.over, c.dismissing, c.changed = outcome, false, false
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

func (c *card) reviewing() bool { return c.lastStep() > 0 && c.draft.Step == c.lastStep() }

// part returns the question that is shown; empty in the review.
func (c *card) part() part {
	if c.draft.Step < len(c.parts) {
		return c.parts[c.draft.Step]
	}
	return part{}
}

// pick returns what is picked in the question of the questionnaire that is shown.
func (c *card) pick() *protocol.PickDraft { return &c.draft.Picks[c.draft.Step] }

// options returns the number of rows before the box.
func (c *card) options() int {
	if c.draft.Replying {
		return 0
	}
	return len(c.part().options)
}

// writing reports whether keys are letters.
func (c *card) writing() bool {
	return c.over == nil && (c.draft.Replying || c.row >= c.options() && !c.reviewing())
}

// boxed returns where the words in the box belong.
func (c *card) boxed() *string {
	if c.questionnaire() && !c.draft.Replying && !c.reviewing() {
		return &c.pick().Other
	}
	return &c.draft.Text
}

// load puts the words of the step into the box, or those of the reply.
func (c *card) load() {
	if words := *c.boxed(); words != c.words() {
		c.fill(words)
	}
	c.focus()
}

// The box would turn tabs into spaces.
var (
	hideTabs = strings.NewReplacer("\t", "␉")
	showTabs = strings.NewReplacer("␉", "\t")
)

func (c *card) fill(words string) {
	c.box.SetValue(hideTabs.Replace(words))
	c.box.MoveToEnd()
}

func (c *card) words() string { return showTabs.Replace(c.box.Value()) }

func (c *card) focus() {
	c.row = min(c.row, c.options())
	if c.writing() {
		c.box.Focus()
	} else {
		c.box.Blur()
	}
}

// wrote notes a change of the box.
func (c *card) wrote() {
	words := c.words()
	*c.boxed() = words
	c.changed, c.note = c.item.Payload.Approval == nil, ""
	switch {
	case c.questionnaire() && !c.draft.Replying:
		pick := c.pick()
		if pick.OtherChosen = strings.TrimSpace(words) != ""; pick.OtherChosen && !c.part().multi {
			pick.Options = nil
		}
	case words == "":
		c.draft.Suggestion, c.draft.Mode = nil, ""
	}
}

// paste puts a text into the box, wherever the keys are.
func (c *card) paste(text string) {
	if c.move(c.options()); !c.writing() {
		return
	}
	c.box.InsertString(hideTabs.Replace(strings.ReplaceAll(text, "\r\n", "\n")))
	c.wrote()
}

func (c *card) move(row int) action {
	c.row = min(max(row, 0), c.options())
	c.focus()
	return action{}
}

// show shows another step, with the keys at what was picked.
func (c *card) show(step int) action {
	if step = min(max(step, 0), c.lastStep()); step != c.draft.Step && !c.draft.Replying {
		c.draft.Step, c.row, c.changed = step, 0, true
		if !c.reviewing() && len(c.pick().Options) > 0 {
			c.row = c.pick().Options[0]
		}
		c.load()
	}
	return action{}
}

// reply opens the box for a reply instead of the answers, or closes it.
func (c *card) reply(open bool) action {
	c.draft.Replying, c.changed, c.row = open, true, 0
	c.load()
	return action{}
}

// edit puts the suggestion at the keys into the box.
func (c *card) edit() action {
	s, k := c.item.Payload.Suggest[c.row], c.row
	c.fill(archive.Plain(s.Answer))
	c.wrote()
	c.draft.Suggestion, c.draft.Mode = &k, s.Mode
	return c.move(c.options())
}

// choose picks the option at the keys of a questionnaire. In a list of several, toggle removes one that was picked.
func (c *card) choose(toggle bool) action {
	if !c.questionnaire() || c.row >= c.options() {
		return action{}
	}
	pick := c.pick()
	at := slices.Index(pick.Options, c.row)
	switch {
	case !c.part().multi:
		pick.Options, pick.OtherChosen = []int{c.row}, false
	case at < 0:
		pick.Options = slices.Sorted(slices.Values(append(slices.Clip(pick.Options), c.row)))
	case toggle:
		pick.Options = slices.Delete(slices.Clone(pick.Options), at, at+1)
	}
	c.changed, c.note = true, ""
	return action{}
}

// refuse shows why nothing is sent.
func (c *card) refuse(why locale.Key) action {
	c.note = c.speak.Text(why)
	return action{}
}

const emptyAnswer locale.Key = "The answer is empty."

// send sends what the keys are at, or shows the next step.
func (c *card) send() action {
	words := c.words()
	images, quotes := c.added()
	switch blank := strings.TrimSpace(words) == ""; {
	case c.item.State != protocol.ItemPending:
		return c.refuse(locale.RefusedNotPending)
	case c.item.Payload.Approval != nil:
		return c.decide()
	case c.questionnaire() && !c.draft.Replying:
		if c.row < c.options() && !c.part().multi {
			c.choose(false)
		}
		return c.onward()
	case c.row < c.options():
		k := c.row
		if blank {
			words = ""
		}
		return c.answer(protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: &k, Text: words})
	case blank && len(images)+len(quotes) == 0:
		return c.refuse(emptyAnswer)
	case c.draft.Replying:
		return action{reply: &protocol.ReplyParams{Text: words, Picks: c.picked(), Images: images, Quotes: quotes}}
	case c.draft.Suggestion != nil && *c.draft.Suggestion < len(c.item.Payload.Suggest):
		return c.answer(protocol.AnswerParams{
			Provenance: protocol.ProvenanceEdited, Text: words, Suggestion: c.draft.Suggestion, Mode: c.draft.Mode,
		})
	}
	return c.answer(protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: words})
}

// answer sends an answer with what other views added.
func (c *card) answer(params protocol.AnswerParams) action {
	params.Images, params.Quotes = c.added()
	return action{answer: &params}
}

// onward shows the next step, or submits after the last.
func (c *card) onward() action {
	if c.draft.Step < c.lastStep() {
		return c.show(c.draft.Step + 1)
	}
	picks := c.picked()
	if !slices.ContainsFunc(picks, func(p protocol.Pick) bool { return len(p.Options) > 0 || p.Other != "" }) {
		return c.refuse(emptyAnswer)
	}
	return c.answer(protocol.AnswerParams{Picks: picks})
}

// picked returns the picks as they are sent.
func (c *card) picked() (all []protocol.Pick) {
	for _, draft := range c.draft.Picks {
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
	begun := c.begun()
	for _, image := range begun.Images {
		if image.Data != "" {
			images = append(images, protocol.Image{MimeType: image.MimeType, Data: image.Data})
		}
	}
	return images, begun.Quotes
}
