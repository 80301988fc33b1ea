package conversation

import (
	"errors"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/bounded"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

// errorf returns an error for the program that sent a request. Errors for the user are a locale.Refusal.
func errorf(code int64, format string, args ...any) error {
	return &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, bounded.Args(args)...)}
}

// NoSession returns the error for a session that no agent here has opened.
func NoSession(id string) error {
	return errorf(protocol.CodeUnknown, "there is no open session %q; open it with session/open", id)
}

// NoQuestion returns the error for a question that does not exist.
func NoQuestion(id string) error { return errorf(protocol.CodeUnknown, "there is no question %q", id) }

// NoTool returns an error if no parser knows the tool.
func NoTool(name string) error {
	switch name {
	case question.ToolFollowup, question.ToolAskUser, question.ToolApproval:
		return nil
	}
	return errorf(jsonrpc2.CodeInvalidParams, "there is no tool %q; there are %s, %s and %s", name, question.ToolFollowup, question.ToolAskUser, question.ToolApproval)
}

// refusals are the messages for rejected answers, with the limits that they exceed.
var refusals = map[question.Code]error{
	question.EmptyAnswer:      locale.Refuse("The answer is empty. Write something or add an image."),
	question.InvalidText:      locale.Refuse("The answer contains characters that cannot be sent."),
	question.TextTooLong:      locale.Refuse("The answer is too long: the limit is {0} MiB.", question.MaxText>>20),
	question.NoSuchSuggestion: locale.Refuse("The question has no such suggestion."),
	question.TooManyImages:    locale.Refuse("Too many images: the limit is {0}.", question.MaxImages),
	question.ImageTooLarge:    locale.Refuse("An image is too large: the limit is {0} MiB.", question.MaxImageBytes>>20),
	question.ImageType:        locale.Refuse("An image cannot be sent: it must be PNG, JPEG, GIF or WebP."),
	question.TooManyQuotes:    locale.Refuse("Too many places and quotes: the limit is {0}.", question.MaxQuotes),
	question.NoSuchQuestion:   locale.Refuse("There are more answers than questions."),
	question.NoSuchOption:     locale.Refuse("A question has no such option."),
	question.RepeatedOption:   locale.Refuse("An option was chosen twice."),
	question.TooManyOptions:   locale.Refuse("Only one answer can be chosen for this question."),
	question.NoQuestionnaire:  locale.Refuse("There is nothing to reply to: answer this question."),
	question.NoApproval:       locale.Refuse("This is a question: answer it. Only an approval can be allowed or denied."),
	question.NeedsDecision:    locale.Refuse("This is a request for permission: allow or deny it."),
	question.NoSuchChoice:     locale.Refuse("The approval has no such option."),
	question.NotWhatWasShown:  locale.Refuse("Nothing was allowed: this is not the request that was shown. Read it again."),
	question.HasExpired:       locale.Refuse("This has expired: the agent no longer waits for it. Nothing was sent."),
	question.NotChangeable:    locale.Refuse("This request cannot be changed, or not with this option."),
}

// refuse returns the refusal of an answer.
func refuse(code question.Code) error {
	if err, known := refusals[code]; known {
		return err
	}
	return errors.New(string(code))
}
