package question

import (
	"strings"
	"unicode/utf8"
)

// MaxQuotes is how many quotes go with one answer.
const MaxQuotes = 20

// Why quotes are refused.
const (
	// TooManyQuotes: more than MaxQuotes.
	TooManyQuotes Code = "too_many_quotes"
)

// Quote is what the user added from the editor: a place, and what stands there, or a text from elsewhere in it.
type Quote struct {
	// Label is what it is called, such as src/main.go:3-5.
	Label string
	// Text is what stands there; empty where the place is all.
	Text string
}

// Attachments are what goes with the user's words.
type Attachments struct {
	Images []Image
	Quotes []Quote
}

// empty tells whether there are none: only then an answer needs words.
func (a Attachments) empty() bool { return len(a.Images)+len(a.Quotes) == 0 }

// check gives why they cannot be taken.
func (a Attachments) check() Code {
	if len(a.Quotes) > MaxQuotes {
		return TooManyQuotes
	}
	size := 0
	for _, quote := range a.Quotes {
		if size += len(quote.Label) + len(quote.Text); !utf8.ValidString(quote.Label) || !utf8.ValidString(quote.Text) {
			return InvalidText
		}
		if strings.TrimSpace(quote.Label) == "" {
			return EmptyAnswer
		}
	}
	if size > MaxText {
		return TextTooLong
	}
	return checkImages(a.Images)
}
