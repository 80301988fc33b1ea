package terminal

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"followup/internal/form"
	"followup/internal/inboxclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/render"
	"followup/internal/rpc"
	"followup/internal/rpctest"
)

// followup is a pending question with suggestions.
func followup(id string, order int, question string, suggestions ...string) protocol.InboxItem {
	asked := &protocol.Followup{Question: question, Suggest: []protocol.Suggestion{}}
	for _, text := range suggestions {
		answer, mode, _ := strings.Cut(text, "|")
		asked.Suggest = append(asked.Suggest, protocol.Suggestion{Answer: answer, Mode: mode})
	}
	return protocol.InboxItem{
		QuestionID: id, Agent: "Robot", State: protocol.ItemPending, Ask: protocol.AskFollowup, Order: order, Payload: protocol.Payload{Followup: asked},
	}
}

// questionnaire is one of two questions: one choice, and several.
func questionnaire(id string, order int) protocol.InboxItem {
	return protocol.InboxItem{
		QuestionID: id, Agent: "Claude", State: protocol.ItemPending, Ask: protocol.AskQuestions, Order: order,
		Payload: protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: []protocol.Question{
			{Question: "Which store?", Header: "Store", Options: []protocol.Option{
				{Label: "PostgreSQL", Description: "Runs already"}, {Label: "SQLite", Description: "One file", Preview: "PRAGMA\nWAL"},
			}},
			{Question: "Which checks?", MultiSelect: true, Options: []protocol.Option{{Label: "Unit"}, {Label: "Lint"}, {Label: "Race"}}},
		}}},
	}
}

// house returns a screen with open questions, after the time in which it ignores keys.
func house(items ...protocol.InboxItem) *screen {
	s := newScreen(model{Inbox: inboxclient.New(&rpc.Router{}), speak: locale.English})
	now := time.UnixMilli(0)
	s.now = func() time.Time { return now }
	s.Update(changedMsg{Items: items})
	now = now.Add(guard)
	return s
}

// keys presses keys: names, or texts to type after a '.
func (s *screen) keys(names ...string) *screen {
	for _, name := range names {
		if text, ok := strings.CutPrefix(name, "'"); ok {
			for _, r := range text {
				s.press(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			continue
		}
		s.press(keyOf(name))
	}
	return s
}

// calmly presses keys one by one, each after the guard time.
func (s *screen) calmly(names ...string) *screen {
	for _, name := range names {
		later := s.now().Add(guard)
		s.now = func() time.Time { return later }
		s.keys(name)
	}
	return s
}

func keyOf(name string) tea.KeyPressMsg {
	var key tea.Key
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		key.Mod, name = tea.ModAlt, rest
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Mod: tea.ModCtrl, Code: rune(rest[0])}
	}
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	}
	if code, ok := codes[name]; ok {
		key.Code = code
	} else {
		key.Code, key.Text = []rune(name)[0], name
	}
	return tea.KeyPressMsg(key)
}

// text returns the screen's text without colours.
func (s *screen) text() string { return ansi.Strip(s.View().Content) }

// The last key of each case is given to the card alone, to see the action that it returns.
func TestKeys(t *testing.T) {
	first, second, third := 0, 1, 2
	typed := func(text string) form.Action {
		return form.Action{Answer: &protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: text}}
	}
	clicked := func(k *int) form.Action {
		return form.Action{Answer: &protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: k}}
	}
	picked := func(picks ...protocol.Pick) form.Action {
		return form.Action{Answer: &protocol.AnswerParams{Picks: picks}}
	}
	one := followup("1", 1, "Which?", "a", "b|code", "c")
	for name, test := range map[string]struct {
		item protocol.InboxItem
		keys string
		want form.Action
	}{
		"the first":                {one, "enter", clicked(&first)},
		"moved to":                 {one, "down down up down enter", clicked(&third)},
		"a digit":                  {one, "2", clicked(&second)},
		"no such digit":            {one, "9", form.Action{}},
		"own words":                {one, "tab 'hello enter", typed("hello")},
		"a digit among own words":  {one, "4 '2 enter", typed("2")},
		"letters are no commands":  {one, "tab 'xqe enter", typed("xqe")},
		"two lines":                {one, "tab 'a alt+enter 'b enter", typed("a\nb")},
		"nothing":                  {one, "tab enter", form.Action{}},
		"spaces":                   {one, "tab space enter", form.Action{}},
		"up from the box":          {one, "tab up enter", clicked(&third)},
		"dismissed":                {one, "x y", form.Action{Dismiss: true}},
		"not dismissed":            {one, "x n", form.Action{}},
		"back":                     {one, "esc", form.Action{Back: true}},
		"without suggestions":      {followup("1", 1, "Why?"), "'so enter", typed("so")},
		"one choice, then several": {questionnaire("1", 1), "2 1 space down space enter enter", picked(protocol.Pick{Options: []int{1}}, protocol.Pick{Options: []int{1}})},
		"several in their order":   {questionnaire("1", 1), "enter 3 left right", form.Action{}},
		"changed picks":            {questionnaire("1", 1), "enter space space down space enter enter", picked(protocol.Pick{Options: []int{0}}, protocol.Pick{Options: []int{1}})},
		"own words instead of one": {questionnaire("1", 1), "enter left 3 'mine enter right enter", picked(protocol.Pick{Other: "mine"}, protocol.Pick{})},
		"own words with several":   {questionnaire("1", 1), "enter space 4 'more enter enter", picked(protocol.Pick{Options: []int{0}}, protocol.Pick{Options: []int{0}, Other: "more"})},
		"nothing picked":           {questionnaire("1", 1), "right right enter", form.Action{}},
		"a reply": {questionnaire("1", 1), "enter r 'why? enter", form.Action{Reply: &protocol.ReplyParams{
			Text: "why?", Picks: []protocol.Pick{{Options: []int{0}}, {}},
		}}},
		"a reply is continued": {questionnaire("1", 1), "r 'why? esc r enter", form.Action{Reply: &protocol.ReplyParams{
			Text: "why?", Picks: []protocol.Pick{{}, {}},
		}}},
		"a reply is left": {questionnaire("1", 1), "r 'why? esc esc", form.Action{Back: true}},
		"edited": {one, "down e '! enter", form.Action{Answer: &protocol.AnswerParams{
			Provenance: protocol.ProvenanceEdited, Suggestion: &second, Text: "b!", Mode: "code",
		}}},
		"a suggestion with words": {one, "tab 'but up 2", form.Action{Answer: &protocol.AnswerParams{
			Provenance: protocol.ProvenanceClicked, Suggestion: &second, Text: "but",
		}}},
		"edited away": {one, "down e backspace 'z enter", typed("z")},
	} {
		t.Run(name, func(t *testing.T) {
			keys := strings.Fields(test.keys)
			s := house(test.item).calmly(keys[:len(keys)-1]...)
			got := s.card.press(keyOf(keys[len(keys)-1]))
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(form.Action{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// All views share a draft: text from elsewhere appears, and text from here is saved, including tabs.
func TestDraftsAreShared(t *testing.T) {
	item := followup("1", 1, "Which?", "a", "b")
	item.Draft = &protocol.Draft{Text: "begun\telsewhere", ChangedAt: 1, Images: []protocol.DraftImage{{Hash: "h", MimeType: "image/png", Data: "AAAA"}}}
	s := house(item).keys("tab", "'!")
	want := protocol.Draft{Text: "begun\telsewhere!", Images: []protocol.DraftImage{{Hash: "h", MimeType: "image/png"}}}
	if diff := cmp.Diff(want, s.card.Merged()); diff != "" {
		t.Error(diff)
	}
	answer := s.card.press(keyOf("enter")).Answer
	if answer == nil || len(answer.Images) != 1 || answer.Images[0].Data != "AAAA" {
		t.Errorf("the image is not sent: %+v", answer)
	}
	// A change that arrives before the text was saved is older than the text.
	item.Draft = &protocol.Draft{Text: "older", ChangedAt: 2}
	s.Update(changedMsg{Items: []protocol.InboxItem{item}})
	s.save()
	s.Update(changedMsg{Items: []protocol.InboxItem{item}})
	if got := s.card.Words; got != "begun\telsewhere!" {
		t.Errorf("the box has %q", got)
	}
	item.Draft = &protocol.Draft{Text: "newer", ChangedAt: s.card.SavedAt + 1}
	s.Update(changedMsg{Items: []protocol.InboxItem{item}})
	if got := s.card.Words; got != "newer" {
		t.Errorf("the box has %q", got)
	}
}

// Quotes from the editor stay in the draft, are sent with every kind of answer, and appear on the card.
func TestQuotesAreSent(t *testing.T) {
	quotes := []protocol.Quote{{Label: "src/main.go:3-5", Text: "func main() {}"}}
	images := []protocol.DraftImage{{Hash: "h", MimeType: "image/png", Data: "AAAA"}}
	draft := func() *protocol.Draft { return &protocol.Draft{ChangedAt: 1, Quotes: quotes, Images: images} }
	one, all := followup("1", 1, "Which?", "a", "b"), questionnaire("2", 2)
	one.Draft, all.Draft = draft(), draft()
	for name, test := range map[string]struct {
		item protocol.InboxItem
		keys string
	}{
		"a suggestion":             {one, "2"},
		"Enter":                    {one, "enter"},
		"words":                    {one, "tab 'x enter"},
		"nothing else":             {one, "tab enter"},
		"an edited suggestion":     {one, "e '! enter"},
		"a suggestion, with words": {one, "tab 'x up 1"},
		"a questionnaire":          {all, "1 1 enter enter"},
		"a reply":                  {all, "r 'x enter"},
	} {
		t.Run(name, func(t *testing.T) {
			keys := strings.Fields(test.keys)
			s := house(test.item).calmly(keys[:len(keys)-1]...)
			if text := s.text(); !s.card.Reviewing() && !strings.Contains(text, "Added from the editor: src/main.go:3-5") {
				t.Errorf("it shows\n%s", text)
			}
			if got := s.card.Merged(); len(got.Quotes) != 1 || len(got.Images) != 1 || got.Images[0].Data != "" {
				t.Errorf("the draft is %+v", got)
			}
			d := s.card.press(keyOf(keys[len(keys)-1]))
			var sent []protocol.Quote
			var pictures []protocol.Image
			switch {
			case d.Answer != nil:
				sent, pictures = d.Answer.Quotes, d.Answer.Images
			case d.Reply != nil:
				sent, pictures = d.Reply.Quotes, d.Reply.Images
			}
			if diff := cmp.Diff(quotes, sent); diff != "" || len(pictures) != 1 || pictures[0].Data != "AAAA" {
				t.Errorf("%d images are sent, and quotes (-want +got):\n%s", len(pictures), diff)
			}
		})
	}
}

// If a question is answered elsewhere while the user writes, the screen shows how, and keeps the words. No key reaches another question.
func TestAnsweredElsewhere(t *testing.T) {
	item, other := followup("1", 1, "Which?", "a", "b"), followup("2", 2, "Other?", "c")
	s := house(item, other).keys("1", "tab", "'my words")
	item.State, item.Outcome = protocol.ItemClosed, &protocol.ItemOutcome{Outcome: protocol.OutcomeAnswered, Text: "b"}
	s.Update(changedMsg{Items: []protocol.InboxItem{item}})
	s.keys("enter").calmly("' and q") // the user has not looked up yet
	s.keys("enter")
	s.Update(tea.PasteMsg{Content: " pasted"})
	text := s.text()
	for _, part := range []string{
		"Which?", "This question is closed: b", "Your words, which were not sent:\n  my words and q pasted", "1 other question is open.", "Enter\u00a0next\u00a0question",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
	if s.calmly("enter"); s.card == nil || s.card.Item.QuestionID != "2" {
		t.Fatalf("it does not go on:\n%s", s.text())
	}
	if s.keys("enter", "1"); s.card.Sending {
		t.Error("a key answered the next question at once")
	}
	var out strings.Builder
	if err := s.leave(t.Context(), &out); err != nil || out.String() != "Your words, which were not sent:\n  my words and q pasted\n" {
		t.Errorf("at the end it prints %q, %v", out.String(), err)
	}
}

// While a question is shown, the screen has the number of the others, and a key that shows the next one. Words that were typed stay.
func TestOtherQuestions(t *testing.T) {
	queued := followup("4", 4, "Queued?", "d")
	queued.State = protocol.ItemQueued
	asked := approval("ls")
	asked.QuestionID, asked.Order = "3", 3
	s := house(followup("1", 1, "One?", "a"))
	if text := s.text(); strings.Contains(text, "other question") || strings.Contains(text, "Ctrl+N") {
		t.Errorf("the only question:\n%s", text)
	}
	s.sidecar = rpctest.Connect(t, nil).Conn
	s.keys("tab", "'n")
	s.Update(changedMsg{Items: []protocol.InboxItem{followup("2", 2, "Two?", "b"), asked, queued}})
	for _, want := range []struct{ shows, types string }{{"Two?", "'two"}, {"ls", "'deny it"}, {"One?", ""}, {"Two?", ""}, {"ls", ""}} {
		if text := s.text(); !strings.Contains(text, "3 other questions are open.") || !strings.Contains(text, "Ctrl+N\u00a0next\u00a0question") {
			t.Errorf("no sign of the others:\n%s", text)
		}
		s.calmly("ctrl+n")
		if text := s.text(); !strings.Contains(text, want.shows) {
			t.Fatalf("%q is not shown:\n%s", want.shows, text)
		}
		if want.types != "" {
			s.calmly("tab", want.types)
		}
	}
	if s.card.Words != "deny it" { // no draft has it
		t.Errorf("the box has %q", s.card.Words)
	}
	s.calmly("esc")
	asked.State, asked.Outcome = protocol.ItemClosed, &protocol.ItemOutcome{Outcome: protocol.OutcomeAllowed}
	if s.Update(changedMsg{Items: []protocol.InboxItem{asked}}); len(s.unsent) != 1 || s.unsent[0] != "deny it" {
		t.Errorf("kept: %q", s.unsent)
	}
}

// Words that a choice leaves out are kept: no digit sends the choice alone before the user has seen that, and they stay on the screen.
func TestWordsBesideAChoice(t *testing.T) {
	for name, item := range map[string]protocol.InboxItem{"alone": questionnaire("1", 1), "with others": questionnaire("1", 1)} {
		keys := []string{"3", "'but not on Fridays", "up", "1"}
		if name == "alone" {
			item.Payload.Questions = item.Payload.Questions[:1]
		}
		s := house(item).calmly(keys...)
		if s.card.Sending || s.card.Draft.Step != 0 || !strings.Contains(s.text(), "but not on Fridays") || !strings.Contains(s.text(), "Your words are not sent with an option.") {
			t.Errorf("%s: it shows\n%s", name, s.text())
		}
		if s.calmly("enter"); name != "alone" {
			s.calmly("enter", "enter")
		}
		if !s.card.Sending {
			t.Fatalf("%s: it is not sent:\n%s", name, s.text())
		}
		s.Update(sentMsg{id: "1", note: "Sent.", result: protocol.CloseResult{Accepted: true, Outcome: protocol.ItemOutcome{
			Outcome: protocol.OutcomeAnswered, Picks: []protocol.Pick{{Options: []int{0}}, {}},
		}}})
		if text := s.text(); !strings.Contains(text, "Sent.\nYour words, which were not sent:\n  but not on Fridays") {
			t.Errorf("%s: it shows\n%s", name, text)
		}
		if s.calmly("esc"); s.card != nil || len(s.unsent) != 1 {
			t.Errorf("%s: kept %q", name, s.unsent)
		}
	}
}

// A key costs the same however long the question is: only what is shown is drawn, not the whole of it again.
func TestLongQuestion(t *testing.T) {
	long := strings.Repeat("a\n", 16<<10)
	several := questionnaire("1", 1)
	several.Payload.Questions[0].Question, several.Payload.Questions[0].Options[0].Description = long, long
	request := approval(long)
	context := followup("1", 1, "Which?", "a", "b")
	context.Context = long
	for name, item := range map[string]protocol.InboxItem{
		"a question": followup("1", 1, long, "a", "b"), "a suggestion": followup("1", 1, "Which?", long, "b"), "a questionnaire": several,
		"a request": request, "a context": context,
	} {
		for _, listed := range []bool{false, true} {
			s := house(item, followup("2", 2, "Other?", "a"))
			if !listed {
				s.calmly("1")
			}
			press := func() {
				s.calmly("down")
				s.View()
				s.calmly("up")
				s.View()
			}
			press()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			const times = 10
			for range times {
				press()
			}
			runtime.ReadMemStats(&after)
			if each := (after.TotalAlloc - before.TotalAlloc) / (2 * times); each > 128<<10 {
				t.Errorf("%s, in the list %v: a key allocates %d KiB", name, listed, each>>10)
			}
			s.Update(changedMsg{Items: []protocol.InboxItem{followup("3", 3, "Third?", "a")}}) // about another question
			runtime.ReadMemStats(&before)
			s.View()
			if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<20 {
				t.Errorf("%s, in the list %v: another question allocates %d KiB", name, listed, (after.TotalAlloc-before.TotalAlloc)>>10)
			}
		}
	}
}

// A questionnaire that is closed elsewhere shows that in its review, too.
func TestClosedInReview(t *testing.T) {
	item := questionnaire("1", 1)
	s := house(item).calmly("1", "right")
	item.State, item.Outcome = protocol.ItemClosed, &protocol.ItemOutcome{Outcome: protocol.OutcomeDismissed}
	s.Update(changedMsg{Items: []protocol.InboxItem{item}})
	if text := s.text(); !strings.Contains(text, "Review") || !strings.Contains(text, "This question is closed: Dismissed") {
		t.Errorf("it shows\n%s", text)
	}
	if s.calmly("enter"); s.card != nil {
		t.Error("the card is still shown")
	}
}

// Options without a description are on lines of their own.
func TestOptionsInLines(t *testing.T) {
	if text := house(questionnaire("1", 1)).calmly("1").text(); !strings.Contains(text, "\n❯ 1. [ ] Unit\n  2. [ ] Lint\n  3. [ ] Race\n  4. Your own words") {
		t.Errorf("it shows\n%s", text)
	}
}

// A reply that is started in the review accepts pasted text.
func TestPasteInReply(t *testing.T) {
	s := house(questionnaire("1", 1)).calmly("1", "right", "r")
	s.Update(tea.PasteMsg{Content: "my\twords"})
	if text := s.text(); !strings.Contains(text, "Review\n") || strings.Contains(text, "❯") { // the keys are in the box
		t.Errorf("it shows\n%s", text)
	}
	if got := s.card.press(keyOf("enter")).Reply; got == nil || got.Text != "my\twords" {
		t.Errorf("got %+v", got)
	}
}

// After something appears or moves by itself, acting keys are ignored for a moment.
func TestKeysMeantForSomethingElse(t *testing.T) {
	s := newScreen(model{Inbox: inboxclient.New(&rpc.Router{}), speak: locale.English})
	now := time.UnixMilli(0)
	s.now = func() time.Time { return now }
	s.Update(changedMsg{})
	if !strings.Contains(s.text(), "No question is open.") {
		t.Errorf("it shows\n%s", s.text())
	}
	s.Update(changedMsg{Items: []protocol.InboxItem{followup("1", 1, "Which?", "a")}})
	if s.card == nil {
		t.Fatal("the only question is not shown")
	}
	if s.keys("enter", "1", "x"); s.card.Sending || s.card.Dismissing {
		t.Error("a key acted that was pressed before the question was visible")
	}
	now = now.Add(guard)
	if s.keys("1"); !s.card.Sending {
		t.Error("the key does not act")
	}
	// The list accepts keys at once.
	s = newScreen(model{Inbox: inboxclient.New(&rpc.Router{}), speak: locale.English})
	s.Update(changedMsg{Items: []protocol.InboxItem{followup("1", 1, "Which?", "a"), followup("2", 2, "Other?", "b")}})
	if s.keys("2"); s.card == nil || s.card.Item.QuestionID != "2" {
		t.Error("the list ignores a key")
	}
	// A second question does not replace one that is open.
	s = house(followup("1", 1, "Which?", "a"))
	s.Update(changedMsg{Items: []protocol.InboxItem{followup("2", 0, "Sooner?", "b")}})
	if s.card.Item.QuestionID != "1" {
		t.Error("another question was opened")
	}
	// In the list, the keys stay at their question. If it is gone, they wait for a moment.
	s = house(followup("1", 1, "One?", "a"), followup("2", 2, "Two?", "b"), followup("3", 3, "Three?", "c")).keys("down")
	gone := followup("2", 2, "Two?")
	gone.State, gone.Outcome = protocol.ItemClosed, &protocol.ItemOutcome{Outcome: protocol.OutcomeDismissed}
	s.Update(changedMsg{Items: []protocol.InboxItem{gone}})
	if s.keys("enter"); s.card != nil || s.cursor != "3" {
		t.Errorf("Enter opened the question that moved under it; the keys are at %q", s.cursor)
	}
}

// Ctrl+Z does not suspend the process, which would count as an open inbox but show nothing.
func TestStaysAwake(t *testing.T) {
	s := house(followup("1", 1, "Which?", "a"))
	if s.press(tea.KeyPressMsg{Code: 'z', Mod: tea.ModCtrl}) != nil || s.card == nil {
		t.Error("Ctrl+Z does something")
	}
}

// A key that is pressed twice or held opens one question or takes one step, and no more.
func TestKeysTwice(t *testing.T) {
	for _, key := range []string{"enter", "1"} {
		s := house(followup("1", 1, "Which?", "a"), followup("2", 2, "Other?", "b")).calmly(key)
		if s.keys(key); s.card == nil || s.card.Sending {
			t.Errorf("%s: the question is answered, or not opened", key)
		}
		for range 3 { // held
			later := s.now().Add(guard / 2)
			s.now = func() time.Time { return later }
			if s.keys(key); s.card.Sending {
				t.Fatalf("%s: a held key answered the question", key)
			}
		}
		if s.calmly(key); !s.card.Sending {
			t.Errorf("%s: it is never answered", key)
		}
		s = house(questionnaire("1", 1))
		if s.keys(key, key, key, key); s.card.Sending || s.card.Draft.Step != 1 || s.card.Draft.Picks[1].Options != nil {
			t.Errorf("%s: the key advanced to step %d with %v", key, s.card.Draft.Step, s.card.Draft.Picks)
		}
		if s.calmly("enter"); s.card.Draft.Step != 2 {
			t.Errorf("it stays at step %d", s.card.Draft.Step)
		}
		if s.keys("enter"); s.card.Sending {
			t.Error("a double Enter sent the review")
		}
		if s.keys("enter", "left", "right"); s.card.Draft.Step != 2 {
			t.Error("it moves")
		}
	}
}

// No line is wider than the terminal, whatever its size, and the line at the keys is visible.
func TestFits(t *testing.T) {
	long := strings.Repeat("数据库 words ", 60)
	streaming := followup("4", 4, "Still ", "x")
	streaming.State = protocol.ItemStreaming
	for _, speak := range locale.Tags {
		for _, width := range []int{12, 40, 160} {
			for _, height := range []int{3, 24} {
				s := house(followup("1", 1, long, long, "b|"+long), questionnaire("2", 2), followup("3", 3, "Why?"), streaming)
				s.speak = speak
				s.Update(tea.WindowSizeMsg{Width: width, Height: height})
				check := func(what, sees string) {
					t.Helper()
					lines := strings.Split(s.text(), "\n")
					if len(lines) > height {
						t.Errorf("%s %d×%d, %s: %d lines", speak, width, height, what, len(lines))
					}
					for _, line := range lines {
						if ansi.StringWidth(line) > width {
							t.Errorf("%s %d×%d, %s: %q", speak, width, height, what, line)
						}
					}
					if !strings.Contains(s.text(), sees) {
						t.Errorf("%s %d×%d, %s: %q is not in sight in\n%s", speak, width, height, what, sees, s.text())
					}
				}
				check("list", "❯")
				check("end of the list", s.calmly("down", "down", "down").sight())
				s.calmly("1")
				check("question", "❯ 1.")
				check("last suggestion", s.calmly("down").sight())
				check("own words", s.calmly("down", "'typed").sight())
				s.calmly("esc", "2")
				check("questionnaire", "❯ 1.")
				s.calmly("2")
				check("several", "❯ 1. [ ]")
				s.calmly("right")
				check("review", "❯")
			}
		}
	}
}

func (s *screen) sight() string {
	if s.card != nil && s.card.Writing() {
		return "typed"
	}
	return "❯"
}

// An agent's text cannot control the terminal.
func TestHostileText(t *testing.T) {
	evil := "a\x1b[31mred\x1b]0;title\x07\u009b2J\r\u202eback\x00"
	item := followup("1", 1, evil, evil+"|"+evil)
	item.To, item.Context = evil, "**"+evil+"**"
	item.Draft = &protocol.Draft{Quotes: []protocol.Quote{{Label: evil}}}
	item.Rendered = render.Item(&item.Payload, item.Envelope)
	item.Agent, item.Workspaces = evil, []protocol.WorkspaceFolder{{Name: evil}}
	all := questionnaire("2", 2)
	all.Payload.Questions[0] = protocol.Question{Question: evil, Header: evil, Options: []protocol.Option{
		{Label: evil, Description: evil, Preview: evil}, {Label: "b"},
	}}
	item.Outcome = &protocol.ItemOutcome{Outcome: protocol.OutcomeAnswered, Text: evil}
	s := house(item, all)
	var seen []string
	look := func() { seen = append(seen, s.View().Content) }
	look()
	s.calmly("1")
	look()
	s.calmly("e")
	look()
	s.card.Close(item.Outcome)
	look()
	s = house(item, all).calmly("2")
	look()
	s.calmly("1", "right")
	look()
	for _, content := range seen {
		for _, r := range ansi.Strip(content) {
			if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e') {
				t.Fatalf("%U is written in %q", r, content)
			}
		}
		for _, raw := range []string{"\x1b]0;", "\x1b[31m", "\u009b"} {
			if strings.Contains(content, raw) {
				t.Errorf("%q is written", raw)
			}
		}
		if !strings.Contains(content, "title") {
			t.Errorf("its text is not shown: %q", content)
		}
	}
}

// Markdown appears as styles, without its marks. The context and the addressee are shown, too.
func TestMarkdownIsStyled(t *testing.T) {
	item := followup("1", 1, "Drop **all** [`users`](https://example.org/long)?\n\n- [x] saved\n- ~~kept~~\n\n| a | b |\n|---|---|\n| 1 | 2 |", "a")
	item.Context, item.To = "I *read* the schema.", "Ann"
	item.Rendered = render.Item(&item.Payload, item.Envelope)
	s := house(item)
	want := "Robot · for Ann · " + time.UnixMilli(0).Format("15:04") + "\n  I read the schema.\n\nDrop all users?\n\n☑ saved\n• kept\n\na · b\n1 · 2\n\n❯ 1. a"
	if text := s.text(); !strings.HasPrefix(text, want) {
		t.Errorf("it shows\n%s", text)
	}
	content := s.View().Content
	for words, style := range map[string]lipgloss.Style{
		"all": plain.Bold(true), "users": plain.Foreground(lipgloss.Cyan).Underline(true), "kept": plain.Strikethrough(true), "b": plain.Bold(true),
		"read": weak.Italic(true), " the schema.": weak,
	} {
		if !strings.Contains(content, style.Render(words)) {
			t.Errorf("%q does not appear as %q in %q", words, style.Render(words), content)
		}
	}
	all := questionnaire("2", 2)
	all.Payload.Questions[0].Question, all.Payload.Questions[0].Options[1].Description = "Which *store*?", "**One** file"
	all.Payload.Questions[0].Options[1].Preview = "- [ ] `WAL`"
	all.Rendered = render.Item(&all.Payload, protocol.Envelope{})
	text := house(all).calmly("down").text()
	for _, part := range []string{"Store: Which store?", "     One file", "     │ ☐ WAL"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
	var out strings.Builder
	lines := NewLines(Options{In: strings.NewReader(""), Out: &out, Locale: locale.English}, nil)
	if err := lines.Ask(t.Context(), &item); !errors.Is(err, errUnanswered) || !strings.Contains(out.String(), "for Ann") ||
		!strings.Contains(out.String(), "\n  I read the schema.\n\nDrop all users?\n") {
		t.Errorf("%v: by lines\n%s", err, out.String())
	}
}

// At first only the end of a long context is shown, and all of it on request.
func TestLongContext(t *testing.T) {
	item := followup("1", 1, "Which?", "a", "b")
	var written []string
	for i := range 3 * contextLines {
		written = append(written, fmt.Sprintf("line %d.", i))
	}
	item.Context = strings.Join(written, "\n")
	s := house(item)
	s.Update(tea.WindowSizeMsg{Width: 80, Height: 60})
	if text := s.text(); strings.Contains(text, "line 11.") || !strings.Contains(text, "  …\n  line 12.") || !strings.Contains(text, "line 17.") {
		t.Errorf("it shows\n%s", text)
	}
	if text := s.keys("c").text(); !strings.Contains(text, "line 0.") || s.card.Sending {
		t.Errorf("it shows\n%s", text)
	}
	if text := s.keys("c").text(); strings.Contains(text, "line 0.") {
		t.Errorf("it shows\n%s", text)
	}
}

// Arriving questions grow, and can be answered once they are complete.
func TestStreams(t *testing.T) {
	item := followup("1", 1, "Whi")
	item.State = protocol.ItemStreaming
	s := house(item)
	s.Update(changedMsg{Grown: []protocol.InboxGrowth{{QuestionID: "1", Text: "ch?", Suggest: []protocol.Suggestion{{Answer: "a"}}}}})
	s.keys("1")
	if text := s.text(); !strings.Contains(text, "Which?") || !strings.Contains(text, "1. a") || !strings.Contains(text, "cannot be answered yet") || s.card.Sending {
		t.Errorf("it shows\n%s", text)
	}
	s.Update(changedMsg{Items: []protocol.InboxItem{followup("1", 1, "Which?", "a", "b")}})
	if s.keys("2"); s.card.Sending {
		t.Error("a key acted at once")
	}
	parts := questionnaire("2", 2)
	parts.State, parts.Payload.Questionnaire = protocol.ItemStreaming, &protocol.Questionnaire{}
	s = house(parts)
	s.Update(changedMsg{Grown: []protocol.InboxGrowth{{QuestionID: "2", Parts: []protocol.PartGrowth{
		{Index: 1, Text: "Second?", Options: []protocol.Option{{Label: "x"}}}, {Index: 0, Text: "First?", MultiSelect: true},
	}}}})
	if got := fmt.Sprint(s.card.Item.Payload.Questions); got != "[{First?  [] true} {Second?  [{x  }] false}]" {
		t.Errorf("got %s", got)
	}
	s.Update(changedMsg{Removed: []string{"2"}})
	if !strings.Contains(s.text(), "This question is closed: Withdrawn") {
		t.Errorf("it shows\n%s", s.text())
	}
}

// Leaving a question at the moment when it is closed elsewhere is not an error, and keeps the user's words.
func TestLeavingAClosedQuestion(t *testing.T) {
	folder := t.TempDir()
	e, other := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	for name, id := range map[string]string{"open": "", "closed long ago": rpctest.NewID()} {
		if id == "" {
			id, _ = e.Ask(e.Session("s"), `{"question":"Which?"}`)
			e.UntilState(id, protocol.ItemPending)
		}
		s := house(followup(id, 1, "Which?")).keys("'my words")
		s.sidecar = e.Conn
		s.now = time.Now
		var out strings.Builder
		if err := s.leave(t.Context(), &out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if printed := strings.Contains(out.String(), "not sent:\n  my words\n"); printed != (name != "open") {
			t.Errorf("%s: printed %q", name, out.String())
		}
	}
	other.Until(func() bool {
		for _, item := range other.Items {
			if item.Draft != nil && item.Draft.Text == "my words" {
				return true
			}
		}
		return false
	})
}
