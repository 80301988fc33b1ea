package question

import "testing"

func TestInvisible(t *testing.T) {
	for _, text := range []string{
		"", " \n", "\x00", "\x1b\x7f", "\u0085\u00a0", "\u200b\u200d", "\ufeff", "\u00ad\u2060", "\u202e\u2066", "\u115f\u1160\u3164\uffa0", "\u2800",
		"\u034f", "\u180e", "\ufe0f", "\U000e0020\U000e0101", "\x00 \u200b \x00",
	} {
		if !Invisible(text) {
			t.Errorf("%+q is visible", text)
		}
	}
	for _, text := range []string{"a", "\x00?\x00", "\u200bé", "是", "👍\ufe0f", "\u0301", "\ue0b0", "\ufffd", "\xff", "…"} {
		if Invisible(text) {
			t.Errorf("%+q is invisible", text)
		}
	}
}
