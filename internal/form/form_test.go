package form

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/locale"
	"followup/internal/protocol"
)

// approval is a pending request to run a command.
func approval(command string) protocol.InboxItem {
	return protocol.InboxItem{
		QuestionID: "1", Agent: "Claude", State: protocol.ItemPending, Ask: protocol.AskApproval, Order: 1,
		Payload: protocol.Payload{Approval: &protocol.Approval{
			Title: "Bash", Subject: protocol.Subject{Kind: protocol.SubjectCommand, Text: command, Folder: "/w"}, Changeable: true,
			Options: []protocol.Choice{
				{ID: "y", Kind: protocol.ChoiceOnce}, {ID: "a", Kind: protocol.ChoiceAlways, Label: "Runs Bash(ls:*)"}, {ID: "n", Kind: protocol.ChoiceDeny},
			},
		}},
	}
}

func TestDecision(t *testing.T) {
	item := approval("ls")
	plan := approval("x")
	plan.Payload.Subject = protocol.Subject{Kind: protocol.SubjectPlan, Text: "# Plan"}
	plan.Payload.Changeable = false
	for typed, want := range map[string]string{
		"allow": "y", " Allow ": "y", "always": "a", "deny": "n", "deny: use bun\nnot npm": "n use bun\nnot npm", "instead pwd -P": "y = pwd -P",
		"leave": "leave", "y": "", "1": "", "yes": "", "": "", "allow it": "", "al": "", "session": "", "instead": "", "leave it": "", "allow, but": "",
	} {
		got := ""
		switch params, ok := decision(&item, typed); {
		case ok && params == nil:
			got = "leave"
		case ok:
			if got = params.Option; params.Text != "" {
				got += " " + params.Text
			}
			if params.Changed != "" {
				got += " = " + params.Changed
			}
			for _, o := range item.Payload.Options {
				if o.ID == params.Option && o.Kind != protocol.ChoiceDeny && params.Digest != item.Payload.Digest(o) {
					t.Errorf("%q has the wrong digest", typed)
				}
			}
		}
		if got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
	if got, ok := decision(&plan, "allow start with the tests"); !ok || got.Text != "start with the tests" {
		t.Errorf("a plan: %+v, %v", got, ok)
	}
	if got, ok := decision(&plan, "instead x"); ok {
		t.Errorf("a plan: %+v", got)
	}
}

// Whatever happens to a form, its step and row exist, and it only sends what the agent offered.
func FuzzForm(f *testing.F) {
	f.Add([]byte("w0s1ps"), 2)
	f.Add([]byte("e ws"), 0)
	f.Add([]byte("nrwsbns"), 1)
	f.Add([]byte("uddddwbbnnnnt"), -2)
	f.Fuzz(func(t *testing.T, acts []byte, kind int) {
		item := protocol.InboxItem{QuestionID: "1", State: protocol.ItemPending}
		several := []protocol.Question{
			{Question: "One?", Options: []protocol.Option{{Label: "a"}, {Label: "b"}}}, {Question: "Several?", MultiSelect: true, Options: []protocol.Option{{Label: "c"}}},
		}
		switch kind & 3 {
		case 0:
			item.Payload.Followup = &protocol.Followup{Question: "?", Suggest: []protocol.Suggestion{{Answer: "a"}, {Answer: "b", Mode: "code"}}}
		case 1:
			item.Payload.Questionnaire = &protocol.Questionnaire{Questions: several}
		case 2:
			item.Payload.Questionnaire = &protocol.Questionnaire{Questions: several[:1]}
		case 3:
			item = approval("ls")
		}
		item.Draft = &protocol.Draft{Step: kind, ChangedAt: 1, Picks: []protocol.PickDraft{{Options: []int{1}}}}
		form := New(locale.English, &item, kind < 0)
		for i, act := range acts {
			var asked Action
			switch {
			case act >= '0' && act <= '9':
				asked = form.Choose(int(act - '0'))
			case act == 'u':
				form.Move(form.Row - 1)
			case act == 'd':
				form.Move(form.Row + 1)
			case act == 'n':
				form.Show(form.Draft.Step + 1)
			case act == 'b':
				form.Show(form.Draft.Step - 1)
			case act == 'p':
				form.Pick(true)
			case act == 'r':
				form.Reply(!form.Draft.Replying)
			case act == 'e' && item.Payload.Followup != nil && form.Row < form.Options():
				form.Edit()
			case act == 'w' && form.Writing():
				form.Write(string(acts[i:]))
			case act == 't':
				form.Take(&item)
			case act == 's':
				asked = form.Send()
			}
			if form.Draft.Step < 0 || form.Draft.Step > form.Steps() || form.Row < 0 || form.Row > form.Options() {
				t.Fatalf("step %d, row %d of %d", form.Draft.Step, form.Row, form.Options())
			}
			if asked.Answer == nil {
				continue
			}
			for at, pick := range asked.Answer.Picks {
				options := item.Payload.Questions[at]
				if !slices.IsSorted(pick.Options) || len(pick.Options) > 1 && !options.MultiSelect {
					t.Fatalf("question %d: %v", at, pick.Options)
				}
			}
			if k := asked.Answer.Suggestion; k != nil && *k >= len(item.Payload.Suggest) {
				t.Fatalf("suggestion %d", *k)
			}
		}
	})
}

// A reply and a review include the picks.
func TestPicks(t *testing.T) {
	item := protocol.InboxItem{QuestionID: "1", State: protocol.ItemPending, Payload: protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: []protocol.Question{
		{Question: "One?", Options: []protocol.Option{{Label: "a"}, {Label: "b"}}},
		{Question: "Several?", MultiSelect: true, Options: []protocol.Option{{Label: "c"}, {Label: "d"}}},
	}}}}
	form := New(locale.English, &item, false)
	form.Choose(1)
	form.Choose(1)
	form.Choose(0)
	form.Move(form.Options())
	form.Write("and e")
	form.Send()
	if !form.Reviewing() {
		t.Fatalf("it shows step %d", form.Draft.Step)
	}
	want := []protocol.Pick{{Options: []int{1}}, {Options: []int{0, 1}, Other: "and e"}}
	if diff := cmp.Diff(Action{Answer: &protocol.AnswerParams{Picks: want}}, form.Send()); diff != "" {
		t.Error(diff)
	}
	form.Reply(true)
	form.Write("why?")
	if diff := cmp.Diff(Action{Reply: &protocol.ReplyParams{Text: "why?", Picks: want}}, form.Send()); diff != "" {
		t.Error(diff)
	}
}

// A number after rejected words is sent without them.
func TestNumberAfterWords(t *testing.T) {
	item := protocol.InboxItem{QuestionID: "1", State: protocol.ItemPending, Payload: protocol.Payload{
		Followup: &protocol.Followup{Question: "?", Suggest: []protocol.Suggestion{{Answer: "a"}}},
	}}
	form := New(locale.English, &item, true)
	if got := form.Answer("mine").Answer; got == nil || got.Text != "mine" || got.Suggestion != nil {
		t.Errorf("got %+v", got)
	}
	if got := form.ChooseAll([]int{0}).Answer; got == nil || got.Text != "" || got.Suggestion == nil {
		t.Errorf("got %+v", got)
	}
}
