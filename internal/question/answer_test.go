package question

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResolve(t *testing.T) {
	q := &Followup{Question: "Q?", Suggest: []Suggestion{{Answer: "A"}, {Answer: "B", Mode: "code"}}}
	index := func(n int) *int { return &n }
	gif := Image{MimeType: "image/gif", Data: []byte("GIF89a…")}
	place := Attachments{Quotes: []Quote{{Label: "a.go:3"}}}
	tests := []struct {
		name  string
		given Answer
		want  Answer
		code  Code
	}{
		{"a click takes the recorded text and mode", Answer{Provenance: Clicked, Suggestion: index(1), Mode: "forged"}, Answer{Provenance: Clicked, Suggestion: index(1), Text: "B", Mode: "code"}, ""},
		{"a timer's choice likewise", Answer{Provenance: Timer, Suggestion: index(0)}, Answer{Provenance: Timer, Suggestion: index(0), Text: "A"}, ""},
		{"a click with words is a choice with a note", Answer{Provenance: Clicked, Suggestion: index(1), Text: " but\nnot today"}, Answer{Provenance: Chosen, Suggestion: index(1), Text: "B\n\n but\nnot today", Note: " but\nnot today", Mode: "code"}, ""},
		{"a click with blank words is a click", Answer{Provenance: Clicked, Suggestion: index(1), Text: " \n"}, Answer{Provenance: Clicked, Suggestion: index(1), Text: "B", Mode: "code"}, ""},
		{"a timer takes no words", Answer{Provenance: Timer, Suggestion: index(0), Text: "x"}, Answer{Provenance: Timer, Suggestion: index(0), Text: "A"}, ""},
		{"a click with too many words", Answer{Provenance: Clicked, Suggestion: index(1), Text: strings.Repeat("x", MaxText+1)}, Answer{}, TextTooLong},
		{"an edit keeps its own text and mode", Answer{Provenance: Edited, Suggestion: index(1), Text: "B, but", Mode: "code"}, Answer{Provenance: Edited, Suggestion: index(1), Text: "B, but", Mode: "code"}, ""},
		{"own words have no suggestion and no mode", Answer{Provenance: Typed, Suggestion: index(1), Text: "x", Mode: "code"}, Answer{Provenance: Typed, Text: "x"}, ""},
		{"an unknown provenance is typed", Answer{Provenance: "dreamt", Text: "x"}, Answer{Provenance: Typed, Text: "x"}, ""},
		{"white space around words is kept", Answer{Provenance: Typed, Text: " x\n"}, Answer{Provenance: Typed, Text: " x\n"}, ""},
		{"an image alone is an answer", Answer{Provenance: Typed, Attachments: Attachments{Images: []Image{gif}}}, Answer{Provenance: Typed, Attachments: Attachments{Images: []Image{gif}}}, ""},
		{"a quote alone is an answer", Answer{Provenance: Typed, Attachments: place}, Answer{Provenance: Typed, Attachments: place}, ""},
		{"a quote without a name", Answer{Provenance: Typed, Text: "x", Attachments: Attachments{Quotes: []Quote{{Label: " ", Text: "y"}}}}, Answer{}, EmptyAnswer},
		{"a quote in no characters", Answer{Provenance: Typed, Attachments: Attachments{Quotes: []Quote{{Label: "a", Text: "\xff"}}}}, Answer{}, InvalidText},
		{"too many quotes", Answer{Provenance: Typed, Attachments: Attachments{Quotes: make([]Quote, MaxQuotes+1)}}, Answer{}, TooManyQuotes},
		{"too much is quoted", Answer{Provenance: Typed, Attachments: Attachments{Quotes: []Quote{{Label: "a", Text: strings.Repeat("a", MaxText)}}}}, Answer{}, TextTooLong},
		{"nothing", Answer{Provenance: Typed, Text: " \n"}, Answer{}, EmptyAnswer},
		{"an edit down to nothing", Answer{Provenance: Edited, Suggestion: index(0)}, Answer{}, EmptyAnswer},
		{"invalid UTF-8", Answer{Provenance: Typed, Text: "a\xff"}, Answer{}, InvalidText},
		{"a click on none", Answer{Provenance: Clicked}, Answer{}, NoSuchSuggestion},
		{"a click behind the last", Answer{Provenance: Clicked, Suggestion: index(2)}, Answer{}, NoSuchSuggestion},
		{"a click before the first", Answer{Provenance: Clicked, Suggestion: index(-1)}, Answer{}, NoSuchSuggestion},
		{"an edit of none", Answer{Provenance: Edited, Text: "x"}, Answer{}, NoSuchSuggestion},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, code := q.Resolve(test.given)
			if code != test.code {
				t.Fatalf("got code %q, want %q", code, test.code)
			}
			if diff := cmp.Diff(test.want, got); code == "" && diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckImages(t *testing.T) {
	pad := func(start string, size int) []byte {
		return append([]byte(start), bytes.Repeat([]byte{0}, size-len(start))...)
	}
	png := Image{"image/png", pad("\x89PNG\r\n\x1a\n", 20)}
	tests := []struct {
		name   string
		images []Image
		want   Code
	}{
		{"each type", []Image{png, {"image/jpeg", pad("\xff\xd8\xff", 9)}, {"image/gif", pad("GIF87a", 9)}, {"image/webp", pad("RIFF\x00\x00\x00\x00WEBP", 20)}}, ""},
		{"at the limits", []Image{png, png, png, png, png, png, png, {"image/png", pad("\x89PNG\r\n\x1a\n", MaxImageBytes)}}, ""},
		{"one too many", []Image{png, png, png, png, png, png, png, png, png}, TooManyImages},
		{"one byte too many", []Image{{"image/png", pad("\x89PNG\r\n\x1a\n", MaxImageBytes+1)}}, ImageTooLarge},
		{"another type than it says", []Image{{"image/jpeg", png.Data}}, ImageType},
		{"a type that no model reads", []Image{{"image/svg+xml", []byte("<svg/>")}}, ImageType},
		{"empty", []Image{{MimeType: "image/webp"}}, ImageType},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := checkImages(test.images); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
