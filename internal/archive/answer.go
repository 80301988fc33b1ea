package archive

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"followup/internal/protocol"
	"followup/internal/question"
)

// Ended is how a question ended, for the user and for the agent.
type Ended struct {
	Item  protocol.ItemOutcome `json:"item"`
	Agent protocol.Answer      `json:"agent"`
}

// EncodeEnded encodes it for the store, without the answer's images, which the store keeps separately.
func EncodeEnded(e Ended) (json.RawMessage, error) {
	e.Agent.Images = nil
	return json.Marshal(e)
}

// DecodeEnded decodes the output of EncodeEnded, with the images from the store.
func DecodeEnded(from json.RawMessage, images []question.Image) (Ended, error) {
	var e Ended
	if err := json.Unmarshal(from, &e); err != nil {
		return e, fmt.Errorf("an answer in the store cannot be read: %w", err)
	}
	if e.Item.Outcome == "" {
		return e, errors.New("an answer in the store has no outcome")
	}
	e.Agent.Images = EncodeImages(images)
	return e, nil
}

// AnswerText returns the text of an answer for the history's search: the user's words, and the choices in a questionnaire.
func AnswerText(c question.Call, o protocol.ItemOutcome) string {
	var words lines
	words.add(o.Text, o.Changed)
	for i, pick := range o.Picks {
		if c.Questionnaire != nil && i < len(c.Questionnaire.Questions) {
			for _, option := range pick.Options {
				if offered := c.Questionnaire.Questions[i].Options; option >= 0 && option < len(offered) {
					words.add(offered[option].Label)
				}
			}
		}
		words.add(pick.Other, pick.Notes)
	}
	return words.String()
}

// EncodeImages encodes images for the protocol; never nil.
func EncodeImages(from []question.Image) []protocol.Image {
	to := make([]protocol.Image, len(from))
	for i, image := range from {
		to[i] = protocol.Image{MimeType: image.MimeType, Data: base64.StdEncoding.EncodeToString(image.Data)}
	}
	return to
}

// DecodeImages decodes the protocol's images. The error names the first one that is not base64.
func DecodeImages(from []protocol.Image) ([]question.Image, error) {
	to := make([]question.Image, len(from))
	for i, image := range from {
		data, err := base64.StdEncoding.DecodeString(image.Data)
		if err != nil {
			return nil, fmt.Errorf("image %d is not base64: %w", i+1, err)
		}
		to[i] = question.Image{MimeType: image.MimeType, Data: data}
	}
	return to, nil
}
