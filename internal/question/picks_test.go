package question

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func testQuestionnaire() *Questionnaire {
	options := []Option{{Label: "b"}, {Label: "c"}, {Label: "d"}}
	return &Questionnaire{Questions: []Question{
		{Question: "One?", Options: options}, {Question: "Many?", Options: options, MultiSelect: true},
	}}
}

var testImages = []Image{{MimeType: "image/gif", Data: []byte("GIF89a…")}}

func TestResolvePicks(t *testing.T) {
	left := Pick{}
	tests := []struct {
		name   string
		picks  []Pick
		images []Image
		want   ItemOutcome
		code   Code
	}{
		{"a click", []Pick{{Options: []int{1}}, left}, nil, ItemOutcome{Outcome: Answered, Provenance: Clicked, Picks: []Pick{{Options: []int{1}}, left}}, ""},
		{"fewer picks than questions", []Pick{{Options: []int{0}}}, nil, ItemOutcome{Outcome: Answered, Provenance: Clicked, Picks: []Pick{{Options: []int{0}}, left}}, ""},
		{"several, put in order", []Pick{left, {Options: []int{2, 0}}}, nil, ItemOutcome{Outcome: Answered, Provenance: Clicked, Picks: []Pick{left, {Options: []int{0, 2}}}}, ""},
		{"own words are kept as they are", []Pick{{Other: " x\n"}}, nil, ItemOutcome{Outcome: Answered, Provenance: Typed, Picks: []Pick{{Other: " x\n"}, left}}, ""},
		{"own words and options", []Pick{left, {Options: []int{0}, Other: "x"}}, nil, ItemOutcome{Outcome: Answered, Provenance: Typed, Picks: []Pick{left, {Options: []int{0}, Other: "x"}}}, ""},
		{"a click and own words", []Pick{{Options: []int{0}}, {Other: "x"}}, nil, ItemOutcome{Outcome: Answered, Provenance: Typed, Picks: []Pick{{Options: []int{0}}, {Other: "x"}}}, ""},
		{"a click with a note", []Pick{{Options: []int{0}, Notes: "n "}}, nil, ItemOutcome{Outcome: Answered, Provenance: Clicked, Picks: []Pick{{Options: []int{0}, Notes: "n "}, left}}, ""},
		{"blank words are dropped", []Pick{{Options: []int{0}, Other: " \n", Notes: "\t"}}, nil, ItemOutcome{Outcome: Answered, Provenance: Clicked, Picks: []Pick{{Options: []int{0}}, left}}, ""},
		{"only a note", []Pick{{Notes: "n"}}, nil, ItemOutcome{Outcome: Answered, Provenance: Typed, Picks: []Pick{{Notes: "n"}, left}}, ""},
		{"only an image", nil, testImages, ItemOutcome{Outcome: Answered, Provenance: Typed, Picks: []Pick{left, left}}, ""},
		{"nothing", []Pick{{Other: " "}, {Notes: "\n"}}, nil, ItemOutcome{}, EmptyAnswer},
		{"no pick", nil, nil, ItemOutcome{}, EmptyAnswer},
		{"more picks than questions", []Pick{{Options: []int{0}}, left, left}, nil, ItemOutcome{}, NoSuchQuestion},
		{"an option after the last", []Pick{{Options: []int{3}}}, nil, ItemOutcome{}, NoSuchOption},
		{"an option before the first", []Pick{left, {Options: []int{0, -1}}}, nil, ItemOutcome{}, NoSuchOption},
		{"an option twice", []Pick{left, {Options: []int{1, 0, 1}}}, nil, ItemOutcome{}, RepeatedOption},
		{"two options where one may be chosen", []Pick{{Options: []int{0, 1}}}, nil, ItemOutcome{}, TooManyOptions},
		{"own words where one option may be chosen", []Pick{{Options: []int{0}, Other: "x"}}, nil, ItemOutcome{}, TooManyOptions},
		{"invalid words", []Pick{{Other: "\xff"}}, nil, ItemOutcome{}, InvalidText},
		{"an invalid note", []Pick{{Options: []int{0}, Notes: "\xff"}}, nil, ItemOutcome{}, InvalidText},
		{"a bad image", []Pick{{Options: []int{0}}}, []Image{{MimeType: "image/png"}}, ItemOutcome{}, ImageType},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, code := testQuestionnaire().Resolve(test.picks, Attachments{Images: test.images})
			if code != test.code {
				t.Fatalf("got code %q, want %q", code, test.code)
			}
			if diff := cmp.Diff(test.want, got); code == "" && diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestResolvePicksDoesNotChangeInput(t *testing.T) {
	picks := []Pick{{}, {Options: []int{2, 0}}}
	if _, code := testQuestionnaire().Resolve(picks, Attachments{}); code != "" || picks[1].Options[0] != 2 {
		t.Errorf("code %q, the input is now %v", code, picks)
	}
}

func TestResolveReply(t *testing.T) {
	tests := []struct {
		name   string
		text   string
		picks  []Pick
		images []Image
		want   []Pick
		code   Code
	}{
		{"words", "Why?", nil, nil, []Pick{{}, {}}, ""},
		{"words and a pick", "Why?", []Pick{{Options: []int{1}}}, nil, []Pick{{Options: []int{1}}, {}}, ""},
		{"an image", " ", nil, testImages, []Pick{{}, {}}, ""},
		{"a pick without words", "\n", []Pick{{Options: []int{1}}}, nil, nil, EmptyAnswer},
		{"invalid words", "a\xff", nil, nil, nil, InvalidText},
		{"a bad pick", "Why?", []Pick{{Options: []int{9}}}, nil, nil, NoSuchOption},
		{"a bad image", "Why?", nil, []Image{{MimeType: "image/png"}}, nil, ImageType},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, code := testQuestionnaire().ResolveReply(test.text, test.picks, Attachments{Images: test.images})
			if code != test.code {
				t.Fatalf("got code %q, want %q", code, test.code)
			}
			if want := (ItemOutcome{Outcome: Replied, Text: test.text, Picks: test.want}); code == "" && !cmp.Equal(want, got) {
				t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
			}
		})
	}
}
