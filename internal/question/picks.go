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

// Answers is the user's answer to a questionnaire, as recorded.
type Answers struct {
	// Provenance is Clicked if all answers are options, and Typed if any has own words.
	Provenance Provenance
	// Picks has one pick per question, in order: options ascending, blank words removed, other words unchanged.
	Picks []Pick
}

// Why an answer to a questionnaire is rejected, in addition to the codes of Followup.Resolve. The question does not change.
const (
	// NoSuchQuestion: there are more picks than questions.
	NoSuchQuestion Code = "no_such_question"
	// NoSuchOption: the index is out of range.
	NoSuchOption Code = "no_such_option"
	// RepeatedOption: an option was chosen twice.
	RepeatedOption Code = "repeated_option"
	// NoQuestionnaire: only questionnaires take replies.
	NoQuestionnaire Code = "no_questionnaire"
	// TooManyOptions: several options, or an option and own words, but only one may be chosen.
	TooManyOptions Code = "too_many_options"
)

// Resolve validates the answer to a questionnaire and returns it as recorded. Questions without a pick are skipped. If the code is
// not empty, the answer is rejected: EmptyAnswer means that it has no choice, note or image.
func (q *Questionnaire) Resolve(picks []Pick, with Attachments) (Answers, Code) {
	a, code := q.normalise(picks)
	if code != "" {
		return Answers{}, code
	}
	if a.words() > MaxText {
		return Answers{}, TextTooLong
	}
	answered, noted, typed := false, false, false
	for _, pick := range a.Picks {
		answered = answered || pick.Answered()
		noted = noted || pick.Notes != ""
		typed = typed || pick.Other != ""
	}
	if !answered && !noted && with.empty() {
		return Answers{}, EmptyAnswer
	}
	if a.Provenance = Typed; answered && !typed {
		a.Provenance = Clicked
	}
	return a, with.check()
}

// ResolveReply validates a reply to a questionnaire, with the choices so far. EmptyAnswer means that it has neither words nor
// attachments.
func (q *Questionnaire) ResolveReply(text string, picks []Pick, with Attachments) (Answers, Code) {
	a, code := q.normalise(picks)
	switch {
	case code != "":
		return Answers{}, code
	case !utf8.ValidString(text):
		return Answers{}, InvalidText
	case len(text)+a.words() > MaxText:
		return Answers{}, TextTooLong
	case isBlank(text) && with.empty():
		return Answers{}, EmptyAnswer
	}
	a.Provenance = Typed
	return a, with.check()
}

// words returns the size of the user's words in bytes.
func (a *Answers) words() (n int) {
	for _, pick := range a.Picks {
		n += len(pick.Other) + len(pick.Notes)
	}
	return n
}

// normalise validates each pick, and adds empty ones for skipped questions.
func (q *Questionnaire) normalise(picks []Pick) (Answers, Code) {
	if len(picks) > len(q.Questions) {
		return Answers{}, NoSuchQuestion
	}
	all := make([]Pick, len(q.Questions))
	for i, pick := range picks {
		var code Code
		if all[i], code = q.Questions[i].normalise(pick); code != "" {
			return Answers{}, code
		}
	}
	return Answers{Picks: all}, ""
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
