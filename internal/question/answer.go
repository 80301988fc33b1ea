package question

import (
	"bytes"
	"unicode/utf8"
)

// Limits of an answer.
const (
	// MaxImages is the maximum number of images.
	MaxImages = 8
	// MaxImageBytes limits one decoded image.
	MaxImageBytes = 2 << 20
	// MaxText limits the user's words in total, in bytes.
	MaxText = 1 << 20
)

// Image is a decoded image.
type Image struct {
	MimeType string
	Data     []byte
}

// The reasons for rejecting an answer. The question does not change.
const (
	// EmptyAnswer: neither words nor attachments, or a quote without a label.
	EmptyAnswer Code = "empty_answer"
	// InvalidText: the text is not valid UTF-8.
	InvalidText Code = "invalid_text"
	// TextTooLong: more than MaxText.
	TextTooLong Code = "text_too_long"
	// NoSuchSuggestion: the index is out of range.
	NoSuchSuggestion Code = "no_such_suggestion"
	// TooManyImages: more than MaxImages.
	TooManyImages Code = "too_many_images"
	// ImageTooLarge: more than MaxImageBytes.
	ImageTooLarge Code = "image_too_large"
	// ImageType: neither PNG, JPEG, GIF nor WebP, or the content is of another type.
	ImageType Code = "image_type"
)

// Resolve validates an answer to q, and returns it as recorded. It uses the provenance, text, mode and suggestion of a. A clicked
// answer gets the text and mode of its suggestion. With additional words it becomes Chosen, and they follow the suggestion's text
// after an empty line. If the code is not empty, the answer is rejected.
func (q *Followup) Resolve(a ItemOutcome, with Attachments) (ItemOutcome, Code) {
	a.Outcome = Answered
	if a.Suggestion != nil && (*a.Suggestion < 0 || *a.Suggestion >= len(q.Suggest)) {
		return a, NoSuchSuggestion
	}
	words := a.Text // the user's own; the suggestion's text was accepted with the call
	switch a.Provenance {
	case Clicked, Timer:
		if a.Suggestion == nil {
			return a, NoSuchSuggestion
		}
		chosen := q.Suggest[*a.Suggestion]
		a.Text, a.Mode = chosen.Answer, chosen.Mode
		if a.Provenance == Timer || isBlank(words) {
			words = ""
			break
		}
		a.Provenance, a.Note, a.Text = Chosen, words, chosen.Answer+"\n\n"+words
	case Edited:
		if a.Suggestion == nil {
			return a, NoSuchSuggestion
		}
	default:
		a.Provenance, a.Suggestion, a.Mode = Typed, nil, ""
	}
	switch {
	case !utf8.ValidString(a.Text):
		return a, InvalidText
	case len(words) > MaxText:
		return a, TextTooLong
	case isBlank(a.Text) && with.empty():
		return a, EmptyAnswer
	}
	return a, with.check()
}

func checkImages(images []Image) Code {
	if len(images) > MaxImages {
		return TooManyImages
	}
	for _, image := range images {
		if len(image.Data) > MaxImageBytes {
			return ImageTooLarge
		}
		if !image.hasDeclaredType() {
			return ImageType
		}
	}
	return ""
}

// hasDeclaredType compares the first bytes with the type, so that the agent's model never gets another type by mistake.
func (i Image) hasDeclaredType() bool {
	switch i.MimeType {
	case "image/png":
		return bytes.HasPrefix(i.Data, []byte("\x89PNG\r\n\x1a\n"))
	case "image/jpeg":
		return bytes.HasPrefix(i.Data, []byte("\xff\xd8\xff"))
	case "image/gif":
		return bytes.HasPrefix(i.Data, []byte("GIF87a")) || bytes.HasPrefix(i.Data, []byte("GIF89a"))
	case "image/webp":
		return len(i.Data) >= 12 && string(i.Data[:4]) == "RIFF" && string(i.Data[8:12]) == "WEBP"
	default:
		return false
	}
}
