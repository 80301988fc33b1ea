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
		given ItemOutcome
		with  Attachments
		want  ItemOutcome
		code  Code
	}{
		{"a click takes the recorded text and mode", ItemOutcome{Provenance: Clicked, Suggestion: index(1), Mode: "forged"}, Attachments{}, ItemOutcome{Outcome: Answered, Provenance: Clicked, Suggestion: index(1), Text: "B", Mode: "code"}, ""},
		{"a timer's choice likewise", ItemOutcome{Provenance: Timer, Suggestion: index(0)}, Attachments{}, ItemOutcome{Outcome: Answered, Provenance: Timer, Suggestion: index(0), Text: "A"}, ""},
		{"a click with words is a choice with a note", ItemOutcome{Provenance: Clicked, Suggestion: index(1), Text: " but\nnot today"}, Attachments{}, ItemOutcome{Outcome: Answered, Provenance: Chosen, Suggestion: index(1), Text: "B\n\n but\nnot today", Note: " but\nnot today", Mode: "code"}, ""},
		{"a click with blank words is a click", ItemOutcome{Provenance: Clicked, Suggestion: index(1), Text: " \n"}, Attachments{}, ItemOutcome{Outcome: Answered, Provenance: Clicked, Suggestion: index(1), Text: "B", Mode: "code"}, ""},
		{"a timer takes no words", ItemOutcome{Provenance: Timer, Suggestion: index(0), Text: "x"}, Attachments{}, ItemOutcome{Outcome: Answered, Provenance: Timer, Suggestion: index(0), Text: "A"}, ""},
		{"a click with too many words", ItemOutcome{Provenance: Clicked, Suggestion: index(1), Text: strings.Repeat("x", MaxText+1)}, Attachments{}, ItemOutcome{}, TextTooLong},
		{"an edit keeps its own text and mode", ItemOutcome{Provenance: Edited, Suggestion: index(1), Text: "B, but", Mode: "code"}, Attachments{}, ItemOutcome{Outcome: Answered, Provenance: Edited, Suggestion: index(1), Text: "B, but", Mode: "code"}, ""},
		{"own words have no suggestion and no mode", ItemOutcome{Provenance: Typed, Suggestion: index(1), Text: "x", Mode: "code"}, Attachments{}, ItemOutcome{Outcome: Answered, Provenance: Typed, Text: "x"}, ""},
		{"an unknown provenance is typed", ItemOutcome{Provenance: "dreamt", Text: "x"}, Attachments{}, ItemOutcome{Outcome: Answered, Provenance: Typed, Text: "x"}, ""},
		{"white space around words is kept", ItemOutcome{Provenance: Typed, Text: " x\n"}, Attachments{}, ItemOutcome{Outcome: Answered, Provenance: Typed, Text: " x\n"}, ""},
		{"an image alone is an answer", ItemOutcome{Provenance: Typed}, Attachments{Images: []Image{gif}}, ItemOutcome{Outcome: Answered, Provenance: Typed}, ""},
		{"a quote alone is an answer", ItemOutcome{Provenance: Typed}, place, ItemOutcome{Outcome: Answered, Provenance: Typed}, ""},
		{"a quote without a name", ItemOutcome{Provenance: Typed, Text: "x"}, Attachments{Quotes: []Quote{{Label: " ", Text: "y"}}}, ItemOutcome{}, EmptyAnswer},
		{"a quote that is not UTF-8", ItemOutcome{Provenance: Typed}, Attachments{Quotes: []Quote{{Label: "a", Text: "\xff"}}}, ItemOutcome{}, InvalidText},
		{"too many quotes", ItemOutcome{Provenance: Typed}, Attachments{Quotes: make([]Quote, MaxQuotes+1)}, ItemOutcome{}, TooManyQuotes},
		{"too much is quoted", ItemOutcome{Provenance: Typed}, Attachments{Quotes: []Quote{{Label: "a", Text: strings.Repeat("a", MaxText)}}}, ItemOutcome{}, TextTooLong},
		{"nothing", ItemOutcome{Provenance: Typed, Text: " \n"}, Attachments{}, ItemOutcome{}, EmptyAnswer},
		{"an edit to an empty text", ItemOutcome{Provenance: Edited, Suggestion: index(0)}, Attachments{}, ItemOutcome{}, EmptyAnswer},
		{"invalid UTF-8", ItemOutcome{Provenance: Typed, Text: "a\xff"}, Attachments{}, ItemOutcome{}, InvalidText},
		{"a click without a suggestion", ItemOutcome{Provenance: Clicked}, Attachments{}, ItemOutcome{}, NoSuchSuggestion},
		{"a click after the last", ItemOutcome{Provenance: Clicked, Suggestion: index(2)}, Attachments{}, ItemOutcome{}, NoSuchSuggestion},
		{"a click before the first", ItemOutcome{Provenance: Clicked, Suggestion: index(-1)}, Attachments{}, ItemOutcome{}, NoSuchSuggestion},
		{"an edit without a suggestion", ItemOutcome{Provenance: Edited, Text: "x"}, Attachments{}, ItemOutcome{}, NoSuchSuggestion},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, code := q.Resolve(test.given, test.with)
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
		{"another type than declared", []Image{{"image/jpeg", png.Data}}, ImageType},
		{"a type that models do not support", []Image{{"image/svg+xml", []byte("<svg/>")}}, ImageType},
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
