// Package form is the model of one question that a user answers: the draft, the position and the answer. It has no view.
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
	// Draft is the user's draft, without the parts that only other views add. Its step is the shown question, or the review after
	// the last one.
	Draft protocol.Draft
	// Changed means that the draft has unsaved changes. SavedAt is the ChangedAt of the last saved one.
	Changed bool
	SavedAt int64
	// Words is the text in the text box.
	Words string
	// Row is the user's position: an option, or after the last one, the text box.
	Row int
	// Unread means that a part of an approval has not been visible yet.
	Unread bool
	// Dismissing means that the user is asked for confirmation, Sending that the answer is being sent.
	Dismissing, Sending bool
	// Note is a message for the user.
	Note string
	// Over is the outcome of a closed question; nil while it is open. The words stay.
	Over *protocol.ItemOutcome

	speak locale.Tag
	alone bool
}

// Action is what the caller must do with a question. The zero value means nothing.
type Action struct {
	Back    bool // leave the form
	Next    bool // leave it for the next question
	Dismiss bool
	Answer  *protocol.AnswerParams
	Reply   *protocol.ReplyParams
	Decide  *protocol.DecideParams
}

// New returns the form of an item. If alone, it ignores drafts of other views, and a questionnaire of one question has
// a review too.
func New(speak locale.Tag, item *protocol.InboxItem, alone bool) *Form {
	f := &Form{speak: speak, alone: alone}
	f.Take(item)
	return f
}

// Take updates the item. Its draft replaces the one here only if it is newer, and never for an approval.
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

// Begun returns the last saved draft, from here or from another view.
func (f *Form) Begun() protocol.Draft {
	if f.Item.Draft == nil {
		return protocol.Draft{}
	}
	return *f.Item.Draft
}

// Merged returns the draft to save, with the additions of other views.
func (f *Form) Merged() protocol.Draft {
	begun := f.Begun()
	return archive.MergeDraft(&begun, f.Draft)
}

// Close records that the question was closed, here or elsewhere.
func (f *Form) Close(outcome *protocol.ItemOutcome) {
	f.Over, f.Dismissing, f.Changed = outcome, false, false
}

// Unsent returns the user's words that are not part of an outcome, as one text.
func (f *Form) Unsent(outcome protocol.ItemOutcome) string {
	var all []string
	add := func(words string, given ...string) {
		if words = strings.TrimSpace(words); words != "" && !slices.ContainsFunc(given, func(g string) bool { return strings.TrimSpace(g) == words }) {
			all = append(all, words)
		}
	}
	if outcome.Outcome == protocol.OutcomeAllowed || outcome.Outcome == protocol.OutcomeDenied {
		if decided, ok := decision(f.Item, f.Draft.Text); ok && decided != nil && decided.Option == outcome.Option {
			add(decided.Text, outcome.Text)
			add(decided.Changed, outcome.Changed)
			return strings.Join(all, "\n\n")
		}
	}
	add(f.Draft.Text, outcome.Text, outcome.Note)
	for i, pick := range f.Draft.Picks {
		var given protocol.Pick
		if i < len(outcome.Picks) {
			given = outcome.Picks[i]
		}
		add(pick.Other, given.Other)
		add(pick.Notes, given.Notes)
	}
	return strings.Join(all, "\n\n")
}

// Beside reports whether the user has typed words that a choice of a single option leaves out. They stay in the draft.
func (f *Form) Beside() bool {
	return f.IsQuestionnaire() && !f.Draft.Replying && !f.Reviewing() && !f.Multi() && strings.TrimSpace(f.Words) != "" &&
		f.Row < f.Options()
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

// question returns the shown question of a questionnaire; the zero value if none is shown.
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

// pick returns the picks for the shown question of a questionnaire.
func (f *Form) pick() *protocol.PickDraft { return &f.Draft.Picks[f.Draft.Step] }

// Picks reports whether an option is picked.
func (f *Form) Picks(option int) bool {
	return f.IsQuestionnaire() && !f.Reviewing() && slices.Contains(f.pick().Options, option)
}

// boxed returns the part of the draft that the text box edits.
func (f *Form) boxed() *string {
	if f.IsQuestionnaire() && !f.Draft.Replying && !f.Reviewing() {
		return &f.pick().Other
	}
	return &f.Draft.Text
}

// load copies the words of the step, or of the reply, into the text box.
func (f *Form) load() {
	f.Words = *f.boxed()
	f.Move(f.Row)
}

// Write replaces the words in the text box.
func (f *Form) Write(words string) {
	f.Words = words
	*f.boxed() = words
	f.Changed, f.Note = f.Item.Payload.Approval == nil && f.Over == nil, ""
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

// Move moves to a row.
func (f *Form) Move(row int) Action {
	f.Row = min(max(row, 0), f.Options())
	return Action{}
}

// Show shows another step, at its first picked option.
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

// Edit copies the suggestion at Row into the text box.
func (f *Form) Edit() Action {
	s, k := f.Item.Payload.Suggest[f.Row], f.Row
	f.Write(archive.Plain(s.Answer))
	f.Draft.Suggestion, f.Draft.Mode = &k, s.Mode
	return f.Move(f.Options())
}

// Pick picks the option at Row in a questionnaire. If several can be picked, toggle removes a picked one.
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

// Choose moves to a row, and sends its option unless several can be picked, or the user's words would be left out.
func (f *Form) Choose(row int) Action {
	if row > f.Options() {
		return Action{}
	}
	if f.Move(row); row < f.Options() && !f.Multi() && !f.Beside() {
		return f.Send()
	}
	return f.Pick(true)
}

// ChooseAll sends the given options, which must be sorted.
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

// Answer sends only words.
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

// refuse sets a note with the reason why nothing is sent.
func (f *Form) refuse(why locale.Key) Action {
	f.Note = f.speak.Text(why)
	return Action{}
}

const emptyAnswer locale.Key = "The answer is empty."

// Send sends the option at Row, or the words, or shows the next step.
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

// answer returns an answer with the additions of other views.
func (f *Form) answer(params protocol.AnswerParams) Action {
	params.Images, params.Quotes = f.Added()
	return Action{Answer: &params}
}

// onward shows the next step. After the last step, it sends the picks.
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
