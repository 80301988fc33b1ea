package question

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Pick is the user's choice for one question of a questionnaire. If it is empty, the question was skipped.
type Pick struct {
	// Options are the indexes of the chosen options in ascending order; at most one unless several may be chosen.
	Options []int `json:"options,omitempty"`
	// Other is the user's own words instead of an option, or in addition to options if several may be chosen.
	Other string `json:"other,omitempty"`
	// Notes are words in addition to the choice.
	Notes string `json:"notes,omitempty"`
}

// Answered reports whether the question has an answer: an option, or own words. Otherwise it was skipped.
func (p Pick) Answered() bool { return len(p.Options) > 0 || p.Other != "" }

// Annotation is the details of the answer to one question of a questionnaire.
type Annotation struct {
	// Notes are words in addition to the choice.
	Notes string `json:"notes,omitempty"`
	// Preview is the chosen option's preview, as the agent wrote it.
	Preview string `json:"preview,omitempty"`
	// Skipped means that the user skipped the question.
	Skipped bool `json:"skipped,omitempty"`
}

// The reasons for rejecting an answer to a questionnaire, in addition to the codes of Followup.Resolve. The question does not change.
const (
	// NoSuchQuestion: there are more picks than questions.
	NoSuchQuestion Code = "no_such_question"
	// NoSuchOption: the index is out of range.
	NoSuchOption Code = "no_such_option"
	// RepeatedOption: an option was chosen twice.
	RepeatedOption Code = "repeated_option"
	// NoQuestionnaire: only questionnaires accept replies.
	NoQuestionnaire Code = "no_questionnaire"
	// TooManyOptions: several options, or an option and own words, but only one may be chosen.
	TooManyOptions Code = "too_many_options"
)

// Resolve validates the answer to a questionnaire, and returns it as recorded: one pick per question, in order, with its options
// ascending, blank words removed and other words unchanged. Its provenance is Clicked if all answers are options, and Typed if
// any has own words. Questions without a pick are skipped. If the code is not empty, the answer is rejected: EmptyAnswer means
// that it has no choice, note or image.
func (q *Questionnaire) Resolve(picks []Pick, with Attachments) (ItemOutcome, Code) {
	a := ItemOutcome{Outcome: Answered, Provenance: Typed}
	code := q.normalise(&a, picks)
	if code != "" {
		return a, code
	}
	answered, noted, typed := false, false, false
	for _, pick := range a.Picks {
		answered = answered || pick.Answered()
		noted = noted || pick.Notes != ""
		typed = typed || pick.Other != ""
	}
	if !answered && !noted && with.empty() {
		return a, EmptyAnswer
	}
	if answered && !typed {
		a.Provenance = Clicked
	}
	return a, with.check()
}

// ResolveReply validates a reply to a questionnaire, with the choices so far. EmptyAnswer means that it has neither words nor
// attachments.
func (q *Questionnaire) ResolveReply(text string, picks []Pick, with Attachments) (ItemOutcome, Code) {
	a := ItemOutcome{Outcome: Replied, Text: text}
	code := q.normalise(&a, picks)
	switch {
	case code != "":
		return a, code
	case !utf8.ValidString(text):
		return a, InvalidText
	case isBlank(text) && with.empty():
		return a, EmptyAnswer
	}
	return a, with.check()
}

// normalise validates the picks and the size of the words, and sets the picks, with empty ones for skipped questions.
func (q *Questionnaire) normalise(a *ItemOutcome, picks []Pick) (code Code) {
	if len(picks) > len(q.Questions) {
		return NoSuchQuestion
	}
	a.Picks = make([]Pick, len(q.Questions))
	words := len(a.Text)
	for i, pick := range picks {
		if a.Picks[i], code = q.Questions[i].normalise(pick); code != "" {
			return code
		}
		words += len(a.Picks[i].Other) + len(a.Picks[i].Notes)
	}
	if words > MaxText {
		return TextTooLong
	}
	return ""
}

func (q *Question) normalise(pick Pick) (Pick, Code) {
	if !utf8.ValidString(pick.Other) || !utf8.ValidString(pick.Notes) {
		return pick, InvalidText
	}
	if isBlank(pick.Other) {
		pick.Other = ""
	}
	if isBlank(pick.Notes) {
		pick.Notes = ""
	}
	pick.Options = slices.Sorted(slices.Values(pick.Options))
	for i, option := range pick.Options {
		switch {
		case option < 0 || option >= len(q.Options):
			return pick, NoSuchOption
		case i > 0 && option == pick.Options[i-1]:
			return pick, RepeatedOption
		}
	}
	chosen := len(pick.Options)
	if pick.Other != "" {
		chosen++
	}
	if chosen > 1 && !q.MultiSelect {
		return pick, TooManyOptions
	}
	return pick, ""
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
