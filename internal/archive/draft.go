package archive

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"followup/internal/protocol"
	"followup/internal/store"
)

// EncodeDraft takes a draft apart for the store: its images, and JSON of the rest. A draft that holds nothing gives neither. Known
// are the hashes of images that the store has with this draft, by their base64: they are not written again. It gives those that
// the store will have.
func EncodeDraft(d protocol.Draft, known map[string]string) (store.Draft, map[string]string, error) {
	if EmptyDraft(d) {
		return store.Draft{}, nil, nil
	}
	var to store.Draft
	hashes := map[string]string{}
	named := make([]protocol.DraftImage, len(d.Images))
	for i, image := range d.Images {
		named[i] = protocol.DraftImage{MimeType: image.MimeType, Name: image.Name}
		one := store.Image{MimeType: image.MimeType, Hash: known[image.Data]}
		if one.Hash == "" {
			data, err := base64.StdEncoding.DecodeString(image.Data)
			if err != nil {
				return to, nil, fmt.Errorf("image %d is not base64: %w", i+1, err)
			}
			one.Data, one.Hash = data, store.HashOf(image.MimeType, data)
		}
		hashes[image.Data] = one.Hash
		to.Images = append(to.Images, one)
	}
	d.Images = named
	var err error
	to.Picks, err = json.Marshal(d)
	return to, hashes, err
}

// DecodeDraft puts a draft together again, whose images have their data. It gives what EncodeDraft takes as known too.
func DecodeDraft(from store.Draft) (protocol.Draft, map[string]string, error) {
	var d protocol.Draft
	if err := json.Unmarshal(from.Picks, &d); err != nil {
		return d, nil, fmt.Errorf("a draft in the store cannot be read: %w", err)
	}
	known := map[string]string{}
	named := d.Images
	d.Images = nil
	for i, image := range from.Images {
		whole := protocol.DraftImage{MimeType: image.MimeType, Data: base64.StdEncoding.EncodeToString(image.Data)}
		if i < len(named) {
			whole.Name = named[i].Name
		}
		known[whole.Data] = image.Hash
		d.Images = append(d.Images, whole)
	}
	return d, known, nil
}

// CheckDraft tells what is wrong with a draft that cannot be kept.
func CheckDraft(d protocol.Draft) error {
	for i, image := range d.Images {
		if _, err := base64.StdEncoding.DecodeString(image.Data); err != nil {
			return fmt.Errorf("image %d is not base64: %w", i+1, err)
		}
	}
	return nil
}

// FillImage gives an image of a draft its data where that is among those that are known; false where it is not.
func FillImage(image *store.Image, known map[string]string) bool {
	if image.Data != nil {
		return true
	}
	for data, hash := range known {
		if hash == image.Hash {
			var err error
			image.Data, err = base64.StdEncoding.DecodeString(data)
			return err == nil
		}
	}
	return false
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
