package conversation

import (
	"encoding/base64"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
)

// Images are those of an answer, decoded.
type Images struct {
	decoded []question.Image
	valid   bool
}

// ReadImages decodes images as they travel, which takes long enough to be done outside a section.
func ReadImages(from []protocol.Image) Images {
	images := Images{valid: true}
	for _, image := range from {
		data, err := base64.StdEncoding.DecodeString(image.Data)
		if err != nil {
			return Images{}
		}
		images.decoded = append(images.decoded, question.Image{MimeType: image.MimeType, Data: data})
	}
	return images
}

func picks(from []protocol.Pick) []question.Pick {
	to := make([]question.Pick, len(from))
	for i, pick := range from {
		to[i] = question.Pick(pick)
	}
	return to
}

func protocolPicks(from []question.Pick) []protocol.Pick {
	to := make([]protocol.Pick, len(from))
	for i, pick := range from {
		to[i] = protocol.Pick(pick)
	}
	return to
}

// exactAnswers adds the exact values of the answers to a questionnaire.
func exactAnswers(to *protocol.Structured, asked *question.Questionnaire, given []question.Pick) {
	answers, annotations := dialect.Values(asked, given)
	to.Questions, to.Answers = questions(asked.Questions), answers
	to.Annotations = map[string]protocol.Annotation{}
	for text, annotation := range annotations {
		to.Annotations[text] = protocol.Annotation(annotation)
	}
}
