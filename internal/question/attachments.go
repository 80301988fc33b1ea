package question

import (
	"strings"
	"unicode/utf8"
)

// MaxQuotes is the maximum number of quotes of an answer.
const MaxQuotes = 20

// The reasons for rejecting quotes.
const (
	// TooManyQuotes: more than MaxQuotes.
	TooManyQuotes Code = "too_many_quotes"
)

// Quote is text that the user added from the editor: a place in a file with its text, or a text from elsewhere.
type Quote struct {
	// Label is the quote's name, such as src/main.go:3-5.
	Label string
	// Text is the quoted text; empty if the place is enough.
	Text string
}

// Attachments are images and quotes added to the user's words.
type Attachments struct {
	Images []Image
	Quotes []Quote
}

// empty reports whether there are no attachments; only then an answer needs words.
func (a Attachments) empty() bool { return len(a.Images)+len(a.Quotes) == 0 }

// check returns why the attachments are rejected; empty if they are not.
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
