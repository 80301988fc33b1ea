package protocol

import "testing"

func TestPlainKeepsCharacters(t *testing.T) {
	answer := Answer{Text: "text", Structured: &Structured{Answers: map[string]any{"A < B?": "x && y > z"}}}
	if got, want := answer.Plain(), "text\n\n"+`{"answers":{"A < B?":"x && y > z"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := (Answer{Text: "text", Structured: &Structured{}}).Plain(); got != "text" {
		t.Errorf("got %s", got)
	}
}
