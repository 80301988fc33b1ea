package archive

import (
	"encoding/json"
	"fmt"

	"followup/internal/protocol"
	"followup/internal/question"
)

// EncodeDraft takes a draft apart for the store: its images, and JSON of the rest. A draft that holds nothing gives neither.
func EncodeDraft(d protocol.Draft) (json.RawMessage, []question.Image, error) {
	if EmptyDraft(d) {
		return nil, nil, nil
	}
	travelling := make([]protocol.Image, len(d.Images))
	named := make([]protocol.DraftImage, len(d.Images))
	for i, image := range d.Images {
		travelling[i] = protocol.Image{MimeType: image.MimeType, Data: image.Data}
		named[i] = protocol.DraftImage{MimeType: image.MimeType, Name: image.Name}
	}
	images, err := DecodeImages(travelling)
	if err != nil {
		return nil, nil, err
	}
	d.Images = named
	rest, err := json.Marshal(d)
	return rest, images, err
}

// DecodeDraft puts a draft together again.
func DecodeDraft(from json.RawMessage, images []question.Image) (protocol.Draft, error) {
	var d protocol.Draft
	if err := json.Unmarshal(from, &d); err != nil {
		return d, fmt.Errorf("a draft in the store cannot be read: %w", err)
	}
	named := d.Images
	d.Images = nil
	for i, image := range EncodeImages(images) {
		whole := protocol.DraftImage{MimeType: image.MimeType, Data: image.Data}
		if i < len(named) {
			whole.Name = named[i].Name
		}
		d.Images = append(d.Images, whole)
	}
	return d, nil
}

// EmptyDraft tells whether a draft holds nothing that the user would miss.
func EmptyDraft(d protocol.Draft) bool {
	if d.Text != "" || d.Suggestion != nil || d.Mode != "" || len(d.Images) > 0 {
		return false
	}
	for _, pick := range d.Picks {
		if len(pick.Options) > 0 || pick.Other != "" || pick.OtherChosen || pick.Notes != "" {
			return false
		}
	}
	return true
}
