package server

import (
	"encoding/base64"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
)

// decodeImages reads images as they travel; false where one is not base64.
func decodeImages(from []protocol.Image) ([]question.Image, bool) {
	var images []question.Image
	for _, image := range from {
		data, err := base64.StdEncoding.DecodeString(image.Data)
		if err != nil {
			return nil, false
		}
		images = append(images, question.Image{MimeType: image.MimeType, Data: data})
	}
	return images, true
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
