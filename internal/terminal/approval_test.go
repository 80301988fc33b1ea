package terminal

import (
	"fmt"
	"io"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/render"
	"followup/internal/rpctest"
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

// decided returns the decision that the card sends when Enter follows some keys.
func (s *screen) decided(keys ...string) *protocol.DecideParams {
	s.calmly(keys...)
	s.View()
	return s.card.press(keyOf("enter")).Decide
}

// No single key decides, and typed words decide only once all of the request was visible.
func TestScreenDecides(t *testing.T) {
	item := approval("ls \u202e -l")
	s := house(item)
	if text := s.text(); !strings.Contains(text, "ls ‹U+202E› -l") || !strings.Contains(text, "always   Always allow — Runs Bash(ls:*)") {
		t.Errorf("it shows\n%s", text)
	}
	for _, key := range []string{"1", "y", "a", "enter", "x", "e", "r"} {
		if got := house(item).decided(key); got != nil {
			t.Errorf("%s decides %+v", key, got)
		}
	}
	if got := house(item).decided("'allow"); got == nil || got.Option != "y" || got.Text != "" {
		t.Errorf("got %+v", got)
	}
	if got := house(item).decided("'deny use bun"); got == nil || got.Option != "n" || got.Text != "use bun" {
		t.Errorf("got %+v", got)
	}
	if s := house(item); !s.calmly("'leave").card.press(keyOf("enter")).Dismiss {
		t.Error("the request is not left to the agent")
	}

	var lines strings.Builder
	for i := range 60 {
		fmt.Fprintf(&lines, "echo %d\n", i)
	}
	long := house(approval(lines.String() + "rm -rf /"))
	if text := long.text(); !strings.Contains(text, "echo 0") || strings.Contains(text, "rm -rf") {
		t.Errorf("it begins with\n%s", text)
	}
	if got := long.decided("'allow"); got != nil || long.card.Note != locale.English.Text("Read all of it first, with PgUp and PgDn.") {
		t.Errorf("unseen, it decides %+v: %s", got, long.card.Note)
	}
	for range 8 {
		long.press(tea.KeyPressMsg{Code: tea.KeyPgDown})
		long.View()
	}
	if got := long.card.press(keyOf("enter")).Decide; got == nil || got.Option != "y" {
		t.Errorf("seen, it decides %+v: %s", got, long.card.Note)
	}
	if got := house(approval(lines.String())).decided("'deny"); got == nil {
		t.Error("a request that was not read completely cannot be denied")
	}
}

// A draft from another view does not count as typed here.
func TestDraftIsNotADecision(t *testing.T) {
	item := approval("ls")
	item.Draft = &protocol.Draft{Text: "allow", ChangedAt: 1}
	if got := house(item).decided(); got != nil {
		t.Errorf("it decides %+v", got)
	}
}

func TestLinesDecide(t *testing.T) {
	input := `{"title":"Bash","subject":{"kind":"command","text":"ls \u202e"},"options":[{"id":"y","kind":"once"},{"id":"n","kind":"deny"}]}`
	for name, test := range map[string]struct {
		typed   string
		outcome protocol.Outcome
		text    string
	}{
		"allowed":         {"y\n1\nallow\n", protocol.OutcomeAllowed, ""},
		"denied":          {"deny not so\n", protocol.OutcomeDenied, "not so"},
		"left to the own": {"leave\n", protocol.OutcomeDismissed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := rpctest.Connect(t, nil)
			id := rpctest.NewID()
			e.AskWith(protocol.AskParams{Session: e.Session("s"), QuestionID: id, Tool: "request_approval", Input: []byte(input)})
			item := e.UntilState(id, protocol.ItemPending)
			var out strings.Builder
			lines := NewLines(Options{In: strings.NewReader(test.typed), Out: &out, Locale: locale.English}, e.Conn)
			if err := lines.Ask(t.Context(), &item); err != nil {
				t.Fatal(err)
			}
			closed := e.UntilState(id, protocol.ItemClosed)
			if closed.Outcome.Outcome != test.outcome || closed.Outcome.Text != test.text || !strings.Contains(out.String(), "ls ‹U+202E›") {
				t.Errorf("%+v\n%s", closed.Outcome, out.String())
			}
		})
	}
	item := approval("ls")
	if err := NewLines(Options{In: strings.NewReader("allo"), Out: io.Discard, Locale: locale.English}, nil).Ask(t.Context(), &item); err == nil {
		t.Error("half a word decides")
	}
}

// A plan is drawn with its own text, and with the differences to the session's last plan.
func TestChangesOfAPlan(t *testing.T) {
	item := approval("")
	item.Payload.Changeable = false
	item.Payload.Subject = protocol.Subject{Kind: protocol.SubjectPlan, Text: "# Plan\n\n1. Read\n2. Write \u202e\n"}
	item.Rendered = render.Item(&item.Payload, protocol.Envelope{PreviousPlan: "# Plan\n\n1. Read\n\nThen **rest**."})
	s := house(item)
	text := s.text()
	for _, part := range []string{"\n  1. Read\n", "\n\n  Changes since the last plan:\n  + Write ‹U+202E›\n  - Then rest.\n\n  allow "} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
	if content := s.View().Content; !strings.Contains(content, kindStyles[protocol.MarkdownRemoved].Bold(true).Render("rest")) {
		t.Errorf("%q has no style", content)
	}
}
