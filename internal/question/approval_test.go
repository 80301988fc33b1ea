package question

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func testApproval() *Approval {
	return &Approval{
		Title: "Bash", Subject: Subject{Kind: SubjectCommand, Text: "ls", Folder: "/w"}, Changeable: true,
		Options: []Choice{{ID: "y", Kind: ChoiceOnce}, {ID: "a", Kind: ChoiceAlways, Label: "ls *"}, {ID: "n", Kind: ChoiceDeny}},
	}
}

func TestCheckApproval(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Approval)
		want   string
	}{
		"whole":                  {func(*Approval) {}, ""},
		"no title":               {func(a *Approval) { a.Title = " " }, "missing_parameter title"},
		"invisible title":        {func(a *Approval) { a.Title = "\x00\u200b" }, "missing_parameter title"},
		"no subject":             {func(a *Approval) { a.Subject = Subject{} }, "missing_parameter subject"},
		"an unknown subject":     {func(a *Approval) { a.Subject.Kind = "dance" }, "invalid_value subject.kind"},
		"no command":             {func(a *Approval) { a.Subject.Text = "" }, "missing_parameter subject.command"},
		"an edit without a file": {func(a *Approval) { a.Subject, a.Changeable = Subject{Kind: SubjectEdit, After: "x"}, false }, "missing_parameter subject.edit"},
		"an edit":                {func(a *Approval) { a.Subject, a.Changeable = Subject{Kind: SubjectEdit, Path: "x"}, false }, ""},
		"a changeable edit":      {func(a *Approval) { a.Subject = Subject{Kind: SubjectEdit, Path: "x"} }, "invalid_value changeable"},
		"nothing denies":         {func(a *Approval) { a.Options = a.Options[:2] }, "missing_parameter options"},
		"nothing allows":         {func(a *Approval) { a.Options = a.Options[2:] }, "missing_parameter options"},
		"not shown": {func(a *Approval) {
			a.Subject, a.Changeable, a.Options = Subject{Kind: SubjectUnshown, Name: "x"}, false, a.Options[2:]
		}, ""},
		"not shown, and something allows": {func(a *Approval) { a.Subject, a.Changeable = Subject{Kind: SubjectUnshown, Name: "x"}, false }, "missing_parameter options"},
		"no option":                       {func(a *Approval) { a.Options = nil }, "missing_parameter options"},
		"an option twice":                 {func(a *Approval) { a.Options[1].ID = "y" }, "invalid_value options[1].id"},
		"without an id":                   {func(a *Approval) { a.Options[2].ID = "" }, "missing_parameter options[2].id"},
		"an unknown kind":                 {func(a *Approval) { a.Options[0].Kind = "maybe" }, "invalid_value options[0].kind"},
		"the maximum length": {func(a *Approval) {
			a.Subject.Text += strings.Repeat("x", MaxApproval-(&Call{Approval: a}).Size())
		}, ""},
		"too much": {func(a *Approval) { a.Subject.Text += strings.Repeat("x", MaxApproval-(&Call{Approval: a}).Size()+1) }, "too_large "},
	} {
		a := testApproval()
		test.change(a)
		got := ""
		if err := a.Check(); err != nil {
			got = string(err.Code) + " " + err.Detail.Name
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestResolveDecision(t *testing.T) {
	a := testApproval()
	shown := func(option int) string { return a.Digest(a.Options[option]) }
	for name, test := range map[string]struct {
		given Decision
		want  ItemOutcome
		code  Code
	}{
		"allowed":                    {Decision{Option: "y", Digest: shown(0)}, ItemOutcome{Outcome: Allowed, Option: "y"}, ""},
		"allowed with words":         {Decision{Option: "y", Digest: shown(0), Text: " x"}, ItemOutcome{Outcome: Allowed, Option: "y", Text: " x"}, ""},
		"always":                     {Decision{Option: "a", Digest: shown(1)}, ItemOutcome{Outcome: Allowed, Option: "a"}, ""},
		"denied unseen":              {Decision{Option: "n", Text: "no <b>\n"}, ItemOutcome{Outcome: Denied, Option: "n", Text: "no <b>\n"}, ""},
		"denied, changed":            {Decision{Option: "n", Changed: "pwd", Digest: "x", Text: " \n"}, ItemOutcome{Outcome: Denied, Option: "n"}, ""},
		"changed":                    {Decision{Option: "y", Digest: shown(0), Changed: "pwd"}, ItemOutcome{Outcome: Allowed, Option: "y", Changed: "pwd"}, ""},
		"changed into itself":        {Decision{Option: "a", Digest: shown(1), Changed: "ls"}, ItemOutcome{Outcome: Allowed, Option: "a"}, ""},
		"always, with a change":      {given: Decision{Option: "a", Digest: shown(1), Changed: "pwd"}, code: NotChangeable},
		"changed into nothing":       {given: Decision{Option: "y", Digest: shown(0), Changed: " "}, code: NotChangeable},
		"nothing was shown":          {given: Decision{Option: "y"}, code: NotWhatWasShown},
		"another option was shown":   {given: Decision{Option: "a", Digest: shown(0)}, code: NotWhatWasShown},
		"the digest in another case": {given: Decision{Option: "y", Digest: strings.ToUpper(shown(0))}, code: NotWhatWasShown},
		"no option":                  {given: Decision{Digest: shown(0)}, code: NoSuchChoice},
		"an unknown option":          {given: Decision{Option: "z", Digest: shown(0)}, code: NoSuchChoice},
		"words of no characters":     {given: Decision{Option: "n", Text: "\xff"}, code: InvalidText},
		"too many words":             {given: Decision{Option: "n", Text: strings.Repeat("x", MaxText+1)}, code: TextTooLong},
	} {
		got, code := a.Resolve(test.given)
		if diff := cmp.Diff(test.want, got); code != test.code || code == "" && diff != "" {
			t.Errorf("%s: code %q, (-want +got):\n%s", name, code, diff)
		}
	}
	a.Changeable = false
	if _, code := a.Resolve(Decision{Option: "y", Digest: shown(0), Changed: "pwd"}); code != NotChangeable {
		t.Errorf("code %q", code)
	}
}

// Two approvals have the same digest only if they show the same content.
func FuzzDigest(f *testing.F) {
	f.Add("ls", "", "/w", "a", "ls", "", "/w", "b")
	f.Add("1:a,", "", "", "", "", "1:a,", "", "")
	f.Fuzz(func(t *testing.T, text, folder, rest, label, text2, folder2, rest2, label2 string) {
		digest := func(text, folder, rest, label string) string {
			a := Approval{Subject: Subject{Kind: SubjectCommand, Text: text, Folder: folder, OtherArguments: rest}}
			return a.Digest(Choice{ID: "y", Kind: ChoiceOnce, Label: label})
		}
		same := slices.Equal([]string{text, folder, rest, label}, []string{text2, folder2, rest2, label2})
		if (digest(text, folder, rest, label) == digest(text2, folder2, rest2, label2)) != same {
			t.Error("equal content must have equal digests, and different content different ones")
		}
	})
}
