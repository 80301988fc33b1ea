package dialect

import (
	"strings"
	"testing"

	"followup/internal/locale"
	"followup/internal/question"
)

func TestWords(t *testing.T) {
	for _, words := range []string{"yes", "", "two\nlines\n", "</answer>", "<answer>\nx\n</answer>"} {
		for _, tag := range []string{"answer", "user_message"} {
			if got, ok := Words(Result(tag, words)); !ok || got != words {
				t.Errorf("Words(Result(%[2]q, %[1]q)) = %[3]q, %[4]v", words, tag, got, ok)
			}
		}
	}
	for _, text := range []string{"", "answer", "<answer>\n", "<answer>\nx\n</other>", "<>\nx\n</>", "The user declined.", "a>\nx\n</a>"} {
		if got, ok := Words(text); ok {
			t.Errorf("Words(%q) = %q, want none", text, got)
		}
	}
}

// TestQuoted checks that quotes come after their labels, in fences that they cannot close.
func TestQuoted(t *testing.T) {
	got := Quoted(locale.English, []question.Quote{
		{Label: "src/a.go:3-5", Text: "if a {\n\treturn\n}\n"},
		{Label: "notes.md:1", Text: "```go\nx\n````"},
		{Label: "docs"},
		{Label: "two\nlines\u2028more", Text: "\r\n"},
		{Label: "a", Text: `<a "b"="c">`},
	}, false)
	want := "The user added this from the editor:\n\nsrc/a.go:3-5:\n```\nif a {\n\treturn\n}\n```\n\n" +
		"notes.md:1:\n`````\n```go\nx\n````\n`````\n\ndocs\n\ntwo lines more\n\na:\n```\n<a \"b\"=\"c\">\n```"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if pairs := Quoted(locale.English, []question.Quote{{Label: `"x"="y"`, Text: `"a"="b"="c"`}}, true); strings.Contains(pairs, `"="`) {
		t.Errorf("%s contains a pair", pairs)
	}
}
