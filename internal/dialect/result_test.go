package dialect

import "testing"

func TestWords(t *testing.T) {
	for _, words := range []string{"yes", "", "two\nlines\n", "</answer>", "<answer>\nx\n</answer>"} {
		for _, tag := range []string{"answer", "user_message"} {
			if got, ok := Words(Result(tag, words)); !ok || got != words {
				t.Errorf("%q in %s: %q, %v", words, tag, got, ok)
			}
		}
	}
	for _, text := range []string{"", "answer", "<answer>\n", "<answer>\nx\n</other>", "<>\nx\n</>", "The user declined.", "a>\nx\n</a>"} {
		if got, ok := Words(text); ok {
			t.Errorf("%q gives %q", text, got)
		}
	}
}
