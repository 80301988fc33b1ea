// Package archive encodes questions: as JSON in the store, and in the formats for people and other programs.
package archive

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
)

// call is a parsed call in the store.
type call struct {
	question.Envelope
	// Payload is the standard form of the tool; absent for an invalid call.
	Payload *protocol.Payload `json:"payload,omitempty"`
	// Metadata is the agent's metadata of a questionnaire. It is only stored.
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Repairs  []question.Code `json:"repairs,omitempty"`
	Notices  []question.Code `json:"notices,omitempty"`
	Error    *question.Error `json:"error,omitempty"`
	// Message is the error for the agent.
	Message string `json:"message,omitempty"`
	// Found is appended to the message.
	Found string `json:"found,omitempty"`
	// Ordinal is the call's position in its message.
	Ordinal int `json:"ordinal,omitempty"`
}

// EncodeCall encodes a call for the store. failure is its error in the agent's language; nil for a valid call.
func EncodeCall(c question.Call, failure *protocol.CallError) (json.RawMessage, error) {
	kept := call{Repairs: c.Repairs, Notices: c.Notices, Error: c.Err, Envelope: c.Envelope, Ordinal: c.Ordinal}
	if failure != nil {
		kept.Message, kept.Found = failure.Message, failure.Found
	}
	if c.Asks() {
		kept.Payload = &protocol.Payload{Followup: c.Followup, Questionnaire: c.Questionnaire, Approval: c.Approval}
	}
	if c.Questionnaire != nil {
		kept.Metadata = c.Questionnaire.Metadata
	}
	return json.Marshal(kept)
}

func decodeCall(from json.RawMessage) (kept call, err error) {
	if err := json.Unmarshal(from, &kept); err != nil {
		return kept, fmt.Errorf("a call in the store cannot be read: %w", err)
	}
	return kept, nil
}

// DecodeCall decodes a call of the tool that EncodeCall encoded.
func DecodeCall(tool string, from json.RawMessage) (question.Call, error) {
	kept, err := decodeCall(from)
	if err != nil {
		return question.Call{}, err
	}
	c := question.Call{Tool: tool, Repairs: kept.Repairs, Notices: kept.Notices, Err: kept.Error, Envelope: kept.Envelope, Ordinal: kept.Ordinal}
	if c.Err == nil { // never nil
		c.Repairs, c.Notices = append([]question.Code{}, c.Repairs...), append([]question.Code{}, c.Notices...)
	}
	if p := kept.Payload; p != nil {
		c.Followup, c.Questionnaire, c.Approval = p.Followup, p.Questionnaire, p.Approval
	}
	if c.Questionnaire != nil {
		c.Questionnaire.Metadata = kept.Metadata
	}
	return c, nil
}

// wrong returns why the call was invalid; nil for a valid call.
func (c call) wrong() *protocol.CallError {
	if c.Error == nil {
		return nil
	}
	return &protocol.CallError{Code: string(c.Error.Code), Message: c.Message, Found: c.Found}
}

// SearchText returns the text of a call for the history's search: the question and everything offered.
func SearchText(c question.Call) string {
	var all []string
	for _, text := range c.Texts() {
		all = append(all, *text)
	}
	return lines(all)
}

// lines joins texts that are not empty.
func lines(all []string) string {
	return strings.Join(slices.DeleteFunc(all, func(text string) bool { return text == "" }), "\n")
}

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
	all := []string{o.Text, o.Changed}
	for i, pick := range o.Picks {
		all = append(append(all, chosen(c.Questionnaire, i, pick)...), pick.Notes)
	}
	return lines(all)
}

// chosen returns the answers to one question of a questionnaire: the labels of options, and the user's own words.
func chosen(asked *question.Questionnaire, at int, pick protocol.Pick) (all []string) {
	if asked != nil && at < len(asked.Questions) {
		for n, option := range asked.Questions[at].Options {
			if slices.Contains(pick.Options, n) {
				all = append(all, option.Label)
			}
		}
	}
	if pick.Other != "" {
		all = append(all, pick.Other)
	}
	return all
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

// EncodeDraft splits a draft for the store: images, and JSON of the rest. An empty draft has neither.
func EncodeDraft(d protocol.Draft) (store.Draft, error) {
	if EmptyDraft(d) {
		return store.Draft{}, nil
	}
	var to store.Draft
	named := make([]protocol.DraftImage, len(d.Images))
	for i, image := range d.Images {
		named[i] = protocol.DraftImage{MimeType: image.MimeType, Name: image.Name}
		to.Images = append(to.Images, store.Image{MimeType: image.MimeType, Hash: image.Hash, Base64: image.Data})
	}
	d.Images = named
	var err error
	to.Document, err = json.Marshal(d)
	return to, err
}

// DecodeDraft joins the parts of a stored draft. Its images have their data.
func DecodeDraft(from store.Draft) (protocol.Draft, error) {
	var d protocol.Draft
	if err := json.Unmarshal(from.Document, &d); err != nil {
		return d, fmt.Errorf("a draft in the store cannot be read: %w", err)
	}
	named := d.Images
	d.Images = nil
	for i, image := range from.Images {
		whole := protocol.DraftImage{Hash: image.Hash, MimeType: image.MimeType, Data: base64.StdEncoding.EncodeToString(image.Data)}
		if i < len(named) {
			whole.Name = named[i].Name
		}
		d.Images = append(d.Images, whole)
	}
	return d, nil
}

// NameImages sets the hashes of a draft's images that have data. Its error is why a draft is invalid. It is slow.
func NameImages(d *protocol.Draft) error {
	for i := range d.Images {
		image := &d.Images[i]
		switch {
		case image.Data == "" && image.Hash != "":
			continue
		case image.Data == "":
			return fmt.Errorf("image %d has neither data nor a hash", i+1)
		}
		data, err := base64.StdEncoding.DecodeString(image.Data)
		if err != nil {
			return fmt.Errorf("image %d is not base64: %w", i+1, err)
		}
		image.Hash = store.HashOf(image.MimeType, data)
	}
	return nil
}

// MergeDraft returns the draft of a view that edits only words and choices, together with the images, quotes and comments that
// other views have saved. saved may be nil. Images are given by hash, since their data was sent before.
func MergeDraft(saved *protocol.Draft, begun protocol.Draft) protocol.Draft {
	if saved == nil {
		return begun
	}
	begun.Quotes, begun.Comments = slices.Clone(saved.Quotes), slices.Clone(saved.Comments)
	begun.Images = slices.Clone(saved.Images)
	for i := range begun.Images {
		begun.Images[i].Data = ""
	}
	return begun
}

// EmptyDraft reports whether a draft has nothing that the user would miss.
func EmptyDraft(d protocol.Draft) bool {
	if d.Text != "" || d.Suggestion != nil || d.Mode != "" || len(d.Images)+len(d.Quotes)+len(d.Comments) > 0 {
		return false
	}
	for _, pick := range d.Picks {
		if len(pick.Options) > 0 || pick.Other != "" || pick.OtherChosen || pick.Notes != "" {
			return false
		}
	}
	return true
}
