// Package form is the model of one question that a user answers: what was begun, where the keys are, and what is sent. It has no view.
package form

import (
	"slices"
	"strings"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// Form is a question that is being answered.
type Form struct {
	Item *protocol.InboxItem
	// Draft is what the user has begun, without what only other views add. Its step is the question that is shown; one past the last
	// is the review.
	Draft protocol.Draft
	// Changed reports that the draft is not saved. SavedAt is the ChangedAt of the last one that was.
	Changed bool
	SavedAt int64
	// Words are in the text box.
	Words string
	// Row is where the user is: at an option, or, after the last, in the text box.
	Row int
	// Unread reports that a part of an approval was not in sight yet.
	Unread bool
	// Dismissing asks whether the user means it; Sending reports that the answer is on its way.
	Dismissing, Sending bool
	// Note is a message for the user.
	Note string
	// Over is how the question was closed elsewhere; nil while it is open. The words stay.
	Over *protocol.ItemOutcome

	speak locale.Tag
	alone bool
}

// Action is what the user wants to be done with a question. The zero value is nothing.
type Action struct {
	Back    bool // leave the form
	Dismiss bool
	Answer  *protocol.AnswerParams
	Reply   *protocol.ReplyParams
	Decide  *protocol.DecideParams
}

// New returns the form of an item. If alone, drafts of other views are not used, and a single question of a questionnaire has a review,
// too.
func New(speak locale.Tag, item *protocol.InboxItem, alone bool) *Form {
	f := &Form{speak: speak, alone: alone}
	f.Take(item)
	return f
}

// Take updates the item. A draft replaces what the user has begun here only if it is newer, and never what decides an approval.
func (f *Form) Take(item *protocol.InboxItem) {
	f.Item = item
	begun := f.Begun()
	if item.Payload.Approval == nil && !f.alone && !f.Changed && (f.SavedAt == 0 || begun.ChangedAt > f.SavedAt) {
		f.Draft = protocol.Draft{
			Text: begun.Text, Suggestion: begun.Suggestion, Mode: begun.Mode, Picks: begun.Picks, Step: begun.Step, Replying: begun.Replying,
		}
	}
	if f.IsQuestionnaire() {
		picks := make([]protocol.PickDraft, f.Steps())
		copy(picks, f.Draft.Picks)
		f.Draft.Picks = picks
	}
	f.Draft.Step = min(max(f.Draft.Step, 0), f.lastStep())
	f.load()
}

// Begun returns the draft that was saved last, here or in another view.
func (f *Form) Begun() protocol.Draft {
	if f.Item.Draft == nil {
		return protocol.Draft{}
	}
	return *f.Item.Draft
}

// Merged returns the draft as it is saved: with what other views added.
func (f *Form) Merged() protocol.Draft {
	begun := f.Begun()
	return archive.MergeDraft(&begun, f.Draft)
}

// Close notes how the question was closed elsewhere.
func (f *Form) Close(outcome *protocol.ItemOutcome) {
	f.Over, f.Dismissing, f.Changed = outcome, false, false
}

// IsQuestionnaire reports whether the question is a questionnaire.
func (f *Form) IsQuestionnaire() bool { return f.Item.Payload.Questionnaire != nil }

// Steps returns the number of questions, at least 1.
func (f *Form) Steps() int {
	if !f.IsQuestionnaire() {
		return 1
	}
	return max(1, len(f.Item.Payload.Questions))
}

// lastStep returns the last step: the review, if there is one.
func (f *Form) lastStep() int {
	if n := f.Steps(); n > 1 || f.alone && f.IsQuestionnaire() {
		return n
	}
	return 0
}

// IsLast reports whether the next step sends the answer.
func (f *Form) IsLast() bool { return f.Draft.Step >= f.lastStep() }

// Reviewing reports whether the review is shown.
func (f *Form) Reviewing() bool { return f.lastStep() > 0 && f.Draft.Step == f.lastStep() }

// question returns the question of a questionnaire that is shown; empty if none is.
func (f *Form) question() protocol.Question {
	if f.IsQuestionnaire() && f.Draft.Step < len(f.Item.Payload.Questions) {
		return f.Item.Payload.Questions[f.Draft.Step]
	}
	return protocol.Question{}
}

// Multi reports whether several options can be picked.
func (f *Form) Multi() bool { return f.question().MultiSelect }

// Options returns the number of options that can be chosen: the rows before the text box.
func (f *Form) Options() int {
	switch {
	case f.Draft.Replying:
		return 0
	case f.Item.Payload.Followup != nil:
		return len(f.Item.Payload.Suggest)
	}
	return len(f.question().Options)
}

// Writing reports whether the user is in the text box.
func (f *Form) Writing() bool {
	return f.Over == nil && (f.Draft.Replying || f.Row >= f.Options() && !f.Reviewing())
}

// pick returns what is picked in the question of a questionnaire that is shown.
func (f *Form) pick() *protocol.PickDraft { return &f.Draft.Picks[f.Draft.Step] }

// Picks reports whether an option is picked.
func (f *Form) Picks(option int) bool {
	return f.IsQuestionnaire() && !f.Reviewing() && slices.Contains(f.pick().Options, option)
}

// boxed returns where the words in the text box belong.
func (f *Form) boxed() *string {
	if f.IsQuestionnaire() && !f.Draft.Replying && !f.Reviewing() {
		return &f.pick().Other
	}
	return &f.Draft.Text
}

// load puts the words of the step into the text box, or those of the reply.
func (f *Form) load() {
	f.Words = *f.boxed()
	f.Move(f.Row)
}

// Write replaces the words in the text box.
func (f *Form) Write(words string) {
	f.Words = words
	*f.boxed() = words
	f.Changed, f.Note = f.Item.Payload.Approval == nil, ""
	switch {
	case f.IsQuestionnaire() && !f.Draft.Replying:
		pick := f.pick()
		if pick.OtherChosen = strings.TrimSpace(words) != ""; pick.OtherChosen && !f.Multi() {
			pick.Options = nil
		}
	case words == "":
		f.Draft.Suggestion, f.Draft.Mode = nil, ""
	}
}

// Move goes to a row.
func (f *Form) Move(row int) Action {
	f.Row = min(max(row, 0), f.Options())
	return Action{}
}

// Show shows another step, at what was picked.
func (f *Form) Show(step int) Action {
	if step = min(max(step, 0), f.lastStep()); step != f.Draft.Step && !f.Draft.Replying {
		f.Draft.Step, f.Row, f.Changed = step, 0, true
		if !f.Reviewing() && len(f.pick().Options) > 0 {
			f.Row = f.pick().Options[0]
		}
		f.load()
	}
	return Action{}
}

// Reply opens the text box for a reply instead of the answers, or closes it.
func (f *Form) Reply(open bool) Action {
	f.Draft.Replying, f.Changed, f.Row = open, true, 0
	f.load()
	return Action{}
}

// Edit puts the suggestion where the user is into the text box.
func (f *Form) Edit() Action {
	s, k := f.Item.Payload.Suggest[f.Row], f.Row
	f.Write(archive.Plain(s.Answer))
	f.Draft.Suggestion, f.Draft.Mode = &k, s.Mode
	return f.Move(f.Options())
}

// Pick picks the option of a questionnaire where the user is. In a list of several, toggle removes one that was picked.
func (f *Form) Pick(toggle bool) Action {
	if !f.IsQuestionnaire() || f.Row >= f.Options() {
		return Action{}
	}
	pick := f.pick()
	at := slices.Index(pick.Options, f.Row)
	switch {
	case !f.Multi():
		pick.Options, pick.OtherChosen = []int{f.Row}, false
	case at < 0:
		pick.Options = slices.Sorted(slices.Values(append(slices.Clip(pick.Options), f.Row)))
	case toggle:
		pick.Options = slices.Delete(slices.Clone(pick.Options), at, at+1)
	}
	f.Changed, f.Note = true, ""
	return Action{}
}

// Choose goes to a row, and answers with it if it is the only one that can be picked.
func (f *Form) Choose(row int) Action {
	if row > f.Options() {
		return Action{}
	}
	if f.Move(row); row < f.Options() && !f.Multi() {
		return f.Send()
	}
	return f.Pick(true)
}

// ChooseAll answers with options, which are sorted.
func (f *Form) ChooseAll(rows []int) Action {
	if f.IsQuestionnaire() {
		*f.pick() = protocol.PickDraft{Options: rows}
	} else {
		f.Draft.Text = ""
	}
	f.load()
	f.Move(rows[0])
	return f.Send()
}

// Answer answers with words alone.
func (f *Form) Answer(words string) Action {
	if f.IsQuestionnaire() && !f.Draft.Replying {
		*f.pick() = protocol.PickDraft{}
	}
	f.Move(f.Options())
	f.Write(words)
	return f.Send()
}

// AskDismiss asks whether the user means to dismiss the question.
func (f *Form) AskDismiss() Action {
	f.Dismissing = true
	return Action{}
}

// refuse notes why nothing is sent.
func (f *Form) refuse(why locale.Key) Action {
	f.Note = f.speak.Text(why)
	return Action{}
}

const emptyAnswer locale.Key = "The answer is empty."

// Send sends the option where the user is, or the words, or shows the next step.
func (f *Form) Send() Action {
	words := f.Words
	images, quotes := f.Added()
	switch blank := strings.TrimSpace(words) == ""; {
	case f.Item.State != protocol.ItemPending:
		return f.refuse(locale.RefusedNotPending)
	case f.Item.Payload.Approval != nil:
		return f.decide()
	case f.IsQuestionnaire() && !f.Draft.Replying:
		if f.Row < f.Options() && !f.Multi() {
			f.Pick(false)
		}
		return f.onward()
	case f.Row < f.Options():
		k := f.Row
		if blank {
			words = ""
		}
		return f.answer(protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: &k, Text: words})
	case blank && len(images)+len(quotes) == 0:
		return f.refuse(emptyAnswer)
	case f.Draft.Replying:
		return Action{Reply: &protocol.ReplyParams{Text: words, Picks: f.Picked(), Images: images, Quotes: quotes}}
	case f.Draft.Suggestion != nil && *f.Draft.Suggestion < len(f.Item.Payload.Suggest):
		return f.answer(protocol.AnswerParams{
			Provenance: protocol.ProvenanceEdited, Text: words, Suggestion: f.Draft.Suggestion, Mode: f.Draft.Mode,
		})
	}
	return f.answer(protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: words})
}

// answer sends an answer with what other views added.
func (f *Form) answer(params protocol.AnswerParams) Action {
	params.Images, params.Quotes = f.Added()
	return Action{Answer: &params}
}

// onward shows the next step, or sends the picks after the last.
func (f *Form) onward() Action {
	if !f.IsLast() {
		return f.Show(f.Draft.Step + 1)
	}
	picks := f.Picked()
	if !slices.ContainsFunc(picks, func(p protocol.Pick) bool { return len(p.Options) > 0 || p.Other != "" }) {
		return f.refuse(emptyAnswer)
	}
	return f.answer(protocol.AnswerParams{Picks: picks})
}

// Picked returns the picks as they are sent.
func (f *Form) Picked() (all []protocol.Pick) {
	for _, draft := range f.Draft.Picks {
		pick := protocol.Pick{Options: draft.Options, Notes: draft.Notes}
		if draft.OtherChosen && strings.TrimSpace(draft.Other) != "" {
			pick.Other = draft.Other
		}
		all = append(all, pick)
	}
	return all
}

// Added returns the images and quotes that other views added to the draft. They are sent with every answer.
func (f *Form) Added() (images []protocol.Image, quotes []protocol.Quote) {
	begun := f.Begun()
	for _, image := range begun.Images {
		if image.Data != "" {
			images = append(images, protocol.Image{MimeType: image.MimeType, Data: image.Data})
		}
	}
	return images, begun.Quotes
}
