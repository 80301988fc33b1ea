package notice

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
)

func TestOf(t *testing.T) {
	suggest := func(answers ...string) protocol.Payload {
		f := protocol.Followup{Question: "Which\n  port?"}
		for _, answer := range answers {
			f.Suggest = append(f.Suggest, protocol.Suggestion{Answer: answer})
		}
		return protocol.Payload{Followup: &f}
	}
	questions := func(asked ...protocol.Question) protocol.Payload {
		return protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: asked}}
	}
	one := protocol.Question{Question: "A?", Options: []protocol.Option{{Label: "x"}, {Label: "y"}}}
	several := one
	several.MultiSelect = true
	long := strings.Repeat("é ", 200)
	tests := []struct {
		name     string
		asked    protocol.Payload
		guidance bool
		want     protocol.Notice
	}{
		{"a question", suggest("80", "81", "82", "83"), false, protocol.Notice{Text: "Which port?", Ask: "followup", Choices: []string{"80", "81", "82"}}},
		{"without suggestions", suggest(), false, protocol.Notice{Text: "Which port?", Ask: "followup"}},
		{"Markdown", protocol.Payload{Followup: &protocol.Followup{Question: "Drop **all** of [`users`](https://example.org/x)?\n\n| a |\n|---|\n| b |"}}, false, protocol.Notice{
			Text: "Drop all of users? a b", Ask: "followup",
		}},
		{"guidance", suggest("80"), true, protocol.Notice{Text: "Which port?", Ask: "followup"}},
		{"one question", questions(one), false, protocol.Notice{Text: "A?", Ask: "questions", Choices: []string{"x", "y"}}},
		{"Markdown", protocol.Payload{Followup: &protocol.Followup{Question: "Drop the **table** `users` of [the shop](https://shop.example)?"}}, false, protocol.Notice{
			Text: "Drop the table users of the shop?", Ask: "followup",
		}},
		{"several", questions(one, several), false, protocol.Notice{Text: "A?", Ask: "questions"}},
		{"several options", questions(several), false, protocol.Notice{Text: "A?", Ask: "questions"}},
		{"long, with control characters", suggest(long, "a\u202eb\x1b[0m"), false, protocol.Notice{
			Text: "Which port?", Ask: "followup", Choices: []string{strings.Repeat("é ", 19) + "é…", "ab[0m"},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			item := protocol.InboxItem{QuestionID: "1", Payload: test.asked}
			if test.guidance {
				item.Guidance = &protocol.Guidance{}
			}
			test.want.QuestionID, test.want.Title = "1", "Roo asks you"
			if diff := cmp.Diff(test.want, Of(item, "Roo asks you")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestOfLong checks that only the shown part of a choice is read.
func TestOfLong(t *testing.T) {
	long := protocol.Suggestion{Answer: strings.Repeat("a ", 1<<20)}
	suggest := slices.Repeat([]protocol.Suggestion{long}, 1<<10)
	item := protocol.InboxItem{Payload: protocol.Payload{Followup: &protocol.Followup{Question: "A?", Suggest: suggest}}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Of(item, "Roo asks you")
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 64<<10 {
		t.Errorf("%d bytes are allocated", got)
	}
}

func TestTitle(t *testing.T) {
	for want, asked := range map[string]protocol.Payload{
		"Drop users?": {Followup: &protocol.Followup{Question: "Drop\n**users**?"}},
		"One? · Two?": {Questionnaire: &protocol.Questionnaire{Questions: []protocol.Question{{Question: "`One`?"}, {Question: "Two?"}}}},
		"Run *this*":  {Approval: &protocol.Approval{Title: "Run *this*"}},
	} {
		if got := Title(protocol.InboxItem{Payload: asked}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
