package form

import (
	"strings"

	"followup/internal/locale"
	"followup/internal/protocol"
)

// The user decides an approval by a typed word, so that no single key, held or pressed for something else, allows anything.
const (
	WordInstead = "instead" // before the command that is allowed instead of the agent's
	WordLeave   = "leave"
)

// ChoiceWords are the words for the kinds of options.
var ChoiceWords = map[protocol.ChoiceKind]string{
	protocol.ChoiceOnce: "allow", protocol.ChoiceSession: "session", protocol.ChoiceAlways: "always", protocol.ChoiceDeny: "deny",
}

// decision parses what the user has typed: a decision, or nil to leave the request to the agent's own dialog.
func decision(item *protocol.InboxItem, typed string) (decided *protocol.DecideParams, ok bool) {
	asked := item.Payload.Approval
	word, rest := strings.TrimSpace(typed), ""
	if end := strings.IndexAny(word, " \n\t"); end >= 0 {
		word, rest = word[:end], strings.TrimSpace(word[end:])
	}
	word = strings.ToLower(strings.TrimRight(word, ":."))
	if word == WordLeave {
		return nil, rest == ""
	}
	params := protocol.DecideParams{QuestionID: item.QuestionID, Text: rest}
	if word == WordInstead && asked.Changeable && rest != "" {
		word, params.Text, params.Changed = ChoiceWords[protocol.ChoiceOnce], "", rest
	}
	for _, o := range asked.Options {
		if word == "" || ChoiceWords[o.Kind] != word {
			continue
		}
		params.Option = o.ID
		if o.Kind != protocol.ChoiceDeny {
			params.Digest = asked.Digest(o)
		}
		// "allow, but …" is more than a word that allows.
		return &params, params.Text == "" || o.Kind == protocol.ChoiceDeny || asked.Subject.Kind == protocol.SubjectPlan
	}
	return nil, false
}

const decideWord locale.Key = "Type one of the words above. After “deny”, and after “allow” for a plan, you can add a message for the agent."

func (f *Form) decide() Action {
	decided, ok := decision(f.Item, f.Words)
	switch {
	case !ok:
		return f.refuse(decideWord)
	case decided == nil:
		return Action{Dismiss: true}
	case decided.Digest != "" && f.Unread:
		return f.refuse("Read all of it first, with PgUp and PgDn.")
	}
	return Action{Decide: decided}
}
