package conversation

import (
	"errors"
	"fmt"

	"followup/internal/locale"
	"followup/internal/question"
	"followup/internal/session"
)

// Kind is what is wrong with a request.
type Kind int

// The kinds.
const (
	Unknown    Kind = iota // it names a session or a question that is not there
	Misnamed               // its params contradict what is there
	Late                   // it came when that can no longer be done
	Incomplete             // a part of what it is about has not arrived
)

// Error is a request that cannot be done, told to the program that sent it. What the user is told is a locale.Refusal.
type Error struct {
	Kind Kind
	Text string
}

func (e *Error) Error() string { return e.Text }

func errorf(kind Kind, format string, args ...any) error {
	return &Error{kind, fmt.Sprintf(format, args...)}
}

// NoSession is the error for a session that no agent here has opened.
func NoSession(id string) error {
	return errorf(Unknown, "there is no open session %q; open it with session/open", id)
}

// NoQuestion is the error for a question that there never was.
func NoQuestion(id string) error { return errorf(Unknown, "there is no question %q", id) }

// NoTool is the error for a tool whose calls nothing here reads; nil for those that are read.
func NoTool(name string) error {
	switch name {
	case question.ToolFollowup, question.ToolAskUser, question.ToolApproval:
		return nil
	}
	return errorf(Misnamed, "there is no tool %q; there are %s, %s and %s", name, question.ToolFollowup, question.ToolAskUser, question.ToolApproval)
}

// refusals say why an answer is refused, with the limit that it exceeds.
var refusals = map[question.Code]error{
	question.EmptyAnswer:      locale.Refuse(locale.RefusedEmptyAnswer),
	question.InvalidText:      locale.Refuse(locale.RefusedInvalidText),
	question.TextTooLong:      locale.Refuse(locale.RefusedTextTooLong, question.MaxText>>20),
	question.NoSuchSuggestion: locale.Refuse(locale.RefusedNoSuchSuggestion),
	question.TooManyImages:    locale.Refuse(locale.RefusedTooManyImages, question.MaxImages),
	question.ImageTooLarge:    locale.Refuse(locale.RefusedImageTooLarge, question.MaxImageBytes>>20),
	question.ImageType:        locale.Refuse(locale.RefusedImageType),
	question.TooManyQuotes:    locale.Refuse(locale.RefusedTooManyQuotes, question.MaxQuotes),
	question.NoSuchQuestion:   locale.Refuse(locale.RefusedNoSuchQuestion),
	question.NoSuchOption:     locale.Refuse(locale.RefusedNoSuchOption),
	question.RepeatedOption:   locale.Refuse(locale.RefusedRepeatedOption),
	question.TooManyOptions:   locale.Refuse(locale.RefusedTooManyOptions),
	question.NoQuestionnaire:  locale.Refuse(locale.RefusedNoQuestionnaire),
	question.NoApproval:       locale.Refuse(locale.RefusedNoApproval),
	question.NeedsDecision:    locale.Refuse(locale.RefusedNeedsDecision),
	question.NoSuchChoice:     locale.Refuse(locale.RefusedNoSuchChoice),
	question.NotWhatWasShown:  locale.Refuse(locale.RefusedNotWhatWasShown),
	question.NotChangeable:    locale.Refuse(locale.RefusedNotChangeable),
}

// refuse returns the refusal of an answer.
func refuse(code question.Code) error {
	if err, known := refusals[code]; known {
		return err
	}
	return errors.New(string(code))
}

// refusal words the machine's errors for the user.
func refusal(err error) error {
	if errors.Is(err, session.ErrNotPending) {
		return locale.Refuse(locale.RefusedNotPending)
	}
	return err
}
