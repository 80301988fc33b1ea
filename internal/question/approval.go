package question

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ToolApproval asks for permission. Only programs call it, never a model.
const ToolApproval = "request_approval"

// MaxApproval limits the text of an approval, in bytes, to what a user can review.
const MaxApproval = 1 << 20

// Approval is an agent's request for permission to do one thing. Only the user decides, with question/decide.
type Approval struct {
	// Title is the agent's name of the request, such as the name of its tool.
	Title   string  `json:"title"`
	Subject Subject `json:"subject"`
	// Options are the choices that the agent offers. At least one denies, and at least one allows, but none allows a request that is
	// not shown.
	Options []Choice `json:"options"`
	// Reason is the agent's reason, in its own words.
	Reason string `json:"reason,omitempty"`
	// Changeable means that the user may edit the command before allowing it. The agent runs the edited command.
	Changeable bool `json:"changeable,omitempty"`
}

// Subject is all that an approval would allow.
type Subject struct {
	Kind SubjectKind `json:"kind"`
	// Text is the command, the URL, the tool's input as JSON, the plan's Markdown, or, if the agent does not send an edit's two
	// texts, a unified diff.
	Text string `json:"text,omitempty"`
	// Folder is the working folder of a command.
	Folder string `json:"cwd,omitempty"`
	// Path is the file that an edit changes; Before and After are its texts.
	Path   string `json:"path,omitempty"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Name is the tool's name.
	Name string `json:"name,omitempty"`
	// OtherArguments is the call's other arguments, as JSON.
	OtherArguments string `json:"otherArguments,omitempty"`
}

// SubjectKind is the kind of a subject.
type SubjectKind string

// The kinds of subjects.
const (
	SubjectCommand SubjectKind = "command"
	SubjectEdit    SubjectKind = "edit"
	SubjectFetch   SubjectKind = "fetch"
	SubjectTool    SubjectKind = "tool"
	SubjectPlan    SubjectKind = "plan"
	// SubjectUnshown is a request that cannot be shown exactly. Here it can only be denied.
	SubjectUnshown SubjectKind = "unshown"
)

// Choice is one option of an approval.
type Choice struct {
	ID string `json:"id"`
	// Label describes what the option allows beyond this call; absent if the kind describes it. Hidden characters are made
	// visible, since interfaces show it literally.
	Label string     `json:"label,omitempty"`
	Kind  ChoiceKind `json:"kind"`
}

// ChoiceKind is the effect of an option.
type ChoiceKind string

// The kinds of options. The agent itself remembers permissions that last longer than one call.
const (
	ChoiceOnce    ChoiceKind = "once"
	ChoiceSession ChoiceKind = "session"
	ChoiceAlways  ChoiceKind = "always"
	ChoiceDeny    ChoiceKind = "deny"
)

// Check returns why the approval cannot be shown exactly; nil if it can.
func (a *Approval) Check() *Error {
	missing := func(name string) *Error { return &Error{Code: CodeMissingParameter, Detail: Detail{Name: name}} }
	wrong := func(name string, d Detail) *Error {
		d.Name = name
		return &Error{Code: CodeInvalidValue, Detail: d}
	}
	s := a.Subject
	needed, known := map[SubjectKind]string{
		SubjectCommand: s.Text, SubjectEdit: s.Path, SubjectFetch: s.Text, SubjectTool: s.Name, SubjectPlan: s.Text,
		SubjectUnshown: s.Name,
	}[s.Kind]
	kinds, ids := map[ChoiceKind]int{}, map[string]bool{}
	for i, o := range a.Options {
		at := fmt.Sprintf("options[%d]", i)
		switch {
		case o.ID == "":
			return missing(at + ".id")
		case ids[o.ID]:
			return wrong(at+".id", Detail{Reason: ReasonDuplicate, Found: Excerpt(o.ID)})
		case o.Kind != ChoiceOnce && o.Kind != ChoiceSession && o.Kind != ChoiceAlways && o.Kind != ChoiceDeny:
			return wrong(at+".kind", Detail{})
		}
		kinds[o.Kind]++
		ids[o.ID] = true
	}
	switch {
	case Invisible(a.Title):
		return missing("title")
	case s.Kind == "":
		return missing("subject")
	case !known:
		return wrong("subject.kind", Detail{})
	case needed == "":
		return missing("subject." + string(s.Kind))
	case kinds[ChoiceDeny] == 0 || (kinds[ChoiceDeny] == len(a.Options)) != (s.Kind == SubjectUnshown):
		return missing("options")
	case a.Changeable && (s.Kind != SubjectCommand || kinds[ChoiceOnce] == 0):
		return wrong("changeable", Detail{})
	case (&Call{Approval: a}).Size() > MaxApproval:
		return &Error{Code: CodeTooLarge, Detail: Detail{Limit: MaxApproval}}
	}
	if c := ChangesOf(s.Before, s.After); s.Kind == SubjectEdit && c.LeftBefore+c.LeftAfter > 0 {
		return &Error{Code: CodeTooLarge, Detail: Detail{Limit: MaxChangedBytes}}
	}
	return nil
}

// texts returns the subject's fields in a fixed order.
func (s Subject) texts() []string {
	return []string{string(s.Kind), s.Text, s.Folder, s.Path, s.Before, s.After, s.Name, s.OtherArguments}
}

// Digest identifies what the user sees when they choose an option: the subject's fields and the option's id, kind and label.
func (a *Approval) Digest(o Choice) string {
	return Digest(append(a.Subject.texts(), o.ID, string(o.Kind), o.Label)...)
}

// Digest returns the SHA-256, in hexadecimal, of texts as netstrings: each is its length in bytes, a colon, itself and a comma, so
// that different lists of texts have different bytes.
func Digest(texts ...string) string {
	var b strings.Builder
	for _, text := range texts {
		fmt.Fprintf(&b, "%d:%s,", len(text), text)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

// Decision is the user's decision on an approval.
type Decision struct {
	// Option is the id of the chosen option.
	Option string
	// Digest identifies what the user was shown, as from Approval.Digest. A denial needs none.
	Digest string
	// Text is the user's words.
	Text string
	// Changed is the subject's text as the user edited it; empty if it was not edited.
	Changed string
}

// The reasons for rejecting a decision. The approval does not change.
const (
	// NoApproval: questions are answered, not decided.
	NoApproval Code = "no_approval"
	// NeedsDecision: approvals are allowed or denied, not answered.
	NeedsDecision Code = "needs_decision"
	// NoSuchChoice: the approval has no option with that id.
	NoSuchChoice Code = "no_such_choice"
	// NotWhatWasShown: the digest does not match the approval's subject and option.
	NotWhatWasShown Code = "not_what_was_shown"
	// HasExpired: the agent no longer waits for the question.
	HasExpired Code = "expired"
	// NotChangeable: the text cannot be changed, or not with this option.
	NotChangeable Code = "not_changeable"
)

// Resolve validates a decision, and returns it as recorded. If the code is not empty, the decision is rejected.
func (a *Approval) Resolve(d Decision) (ItemOutcome, Code) {
	var chosen Choice
	for _, o := range a.Options {
		if o.ID == d.Option {
			chosen = o
		}
	}
	if isBlank(d.Text) {
		d.Text = ""
	}
	if d.Changed == a.Subject.Text {
		d.Changed = ""
	}
	decided := ItemOutcome{Outcome: Allowed, Option: d.Option, Text: d.Text, Changed: d.Changed}
	switch {
	case chosen.ID == "":
		return decided, NoSuchChoice
	case !utf8.ValidString(d.Text) || !utf8.ValidString(d.Changed):
		return decided, InvalidText
	case len(d.Text) > MaxText || len(d.Changed) > MaxApproval:
		return decided, TextTooLong
	case chosen.Kind == ChoiceDeny:
		decided.Outcome, decided.Changed = Denied, ""
		return decided, ""
	case d.Changed != "" && (!a.Changeable || chosen.Kind != ChoiceOnce || isBlank(d.Changed)):
		return decided, NotChangeable
	case d.Digest != a.Digest(chosen):
		return decided, NotWhatWasShown
	}
	return decided, ""
}
