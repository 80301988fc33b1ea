package question

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Pick is what the user chose for one question of a questionnaire.
type Pick struct {
	// Options are the indexes of the chosen options; at most one unless several may be chosen.
	Options []int
	// Other is the user's own words in place of an option, or, where several may be chosen, beside them.
	Other string
	// Notes are the user's words beside the choice.
	Notes string
}

// Answered reports whether the question has an answer: an option, or own words. Otherwise it was left out.
func (p Pick) Answered() bool { return len(p.Options) > 0 || p.Other != "" }

// Answers is what the user gave to a questionnaire, as it is recorded.
type Answers struct {
	// Provenance is Clicked where every answer is made of options, and Typed where own words belong to it.
	Provenance Provenance
	// Picks are as many as the questions, in their order: options ascending, blank words left out, others as they were.
	Picks []Pick
}

// Why an answer to a questionnaire is refused, besides the codes of an answer to a Followup. The question stays as it was.
const (
	// NoSuchQuestion: there are more picks than questions.
	NoSuchQuestion Code = "no_such_question"
	// NoSuchOption: the index names none.
	NoSuchOption Code = "no_such_option"
	// RepeatedOption: one option was chosen twice.
	RepeatedOption Code = "repeated_option"
	// NoQuestionnaire: a reply to a question that is no questionnaire; it is answered.
	NoQuestionnaire Code = "no_questionnaire"
	// TooManyOptions: several options, or an option and own words, where only one may be chosen.
	TooManyOptions Code = "too_many_options"
)

// Resolve checks the answer to a questionnaire and returns it as it is recorded. Questions without a pick are left out. Where
// the code is not empty, the answer cannot be taken: EmptyAnswer is one without an answer, a note or an image.
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

// ResolveReply checks what the user writes about a questionnaire instead of answering it, with the picks made so far.
// EmptyAnswer is a reply with neither words nor anything that goes with them.
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

// words is how many bytes the user's words have.
func (a *Answers) words() (n int) {
	for _, pick := range a.Picks {
		n += len(pick.Other) + len(pick.Notes)
	}
	return n
}

// normalise checks each pick, and gives every question one.
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
