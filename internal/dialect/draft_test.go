package dialect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDraft checks what is shown of an unfinished call in tags.
func TestDraft(t *testing.T) {
	const follow = "<follow_up><suggest>A</suggest><suggest>B"
	tests := []struct{ name, input, want string }{
		{"while it arrives", "<question>Which on", "grew Which on"},
		{"each suggestion as it closes", "<question>Which?</question>" + follow, `grew Which?|suggested: {"A" ""}`},
		{"stops at a tag that may end it", "<question>Which <option>a</option> one", "grew Which"},
		{"a question that names a tag", "<question>Is <follow_up> optional?</question>" + follow, `grew Is <follow_up> optional?|suggested: {"A" ""}`},
		{"a closing tag in inline code", "<question>Is `</question>` it?</question>" + follow, "grew Is `</question>` it?|suggested: {\"A\" \"\"}"},
		{"the first question", "<question>One?</question><question>Two?</question>", "grew One?"},
		{"no suggestions from a JSON list", `<question>Which?</question><follow_up>["<suggest>A</suggest>"`, "grew Which?"},
		{"whole characters of a CDATA section", "<question><![CDATA[" + strings.Repeat("€", 30), "grew " + strings.Repeat("€", 16)},
		{"not beyond the limit", "<question>" + strings.Repeat("long ", 20), "grew " + strings.TrimSpace(strings.Repeat("long ", 10))},
	}
	for _, test := range tests {
		for _, size := range []int{1, 4096} {
			r := &record{}
			o := Options{}
			o.Limits.Parameter = 50
			tags := NewTags(o, r.take)
			for rest := "<ask_followup_question>" + test.input; rest != ""; {
				n := min(size, len(rest))
				tags.Append([]byte(rest[:n]))
				rest = rest[n:]
			}
			want := append([]string{"opened ask_followup_question"}, strings.Split(test.want, "|")...)
			for _, problem := range r.problems {
				t.Error(problem)
			}
			if diff := cmp.Diff(want, r.events); diff != "" {
				t.Errorf("%s, in pieces of %d (-want +got):\n%s", test.name, size, diff)
			}
		}
	}
}
