package archive

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"followup/internal/protocol"
	"followup/internal/store"
)

// EncodeDraft takes a draft apart for the store: its images, and JSON of the rest. A draft that holds nothing gives neither. Known
// are the hashes of images that the store has with this draft: they are not written again. It gives those that the store will
// have. The images have their data and hashes.
func EncodeDraft(d protocol.Draft, known map[string]bool) (store.Draft, map[string]bool, error) {
	if EmptyDraft(d) {
		return store.Draft{}, nil, nil
	}
	var to store.Draft
	hashes := map[string]bool{}
	named := make([]protocol.DraftImage, len(d.Images))
	for i, image := range d.Images {
		named[i] = protocol.DraftImage{MimeType: image.MimeType, Name: image.Name}
		one := store.Image{MimeType: image.MimeType, Hash: image.Hash}
		if !known[image.Hash] {
			data, err := base64.StdEncoding.DecodeString(image.Data)
			if err != nil {
				return to, nil, fmt.Errorf("image %d is not base64: %w", i+1, err)
			}
			one.Data = data
		}
		hashes[image.Hash] = true
		to.Images = append(to.Images, one)
	}
	d.Images = named
	var err error
	to.Picks, err = json.Marshal(d)
	return to, hashes, err
}

// DecodeDraft puts a draft together again, whose images have their data. It gives what EncodeDraft takes as known too.
func DecodeDraft(from store.Draft) (protocol.Draft, map[string]bool, error) {
	var d protocol.Draft
	if err := json.Unmarshal(from.Picks, &d); err != nil {
		return d, nil, fmt.Errorf("a draft in the store cannot be read: %w", err)
	}
	hashes := map[string]bool{}
	named := d.Images
	d.Images = nil
	for i, image := range from.Images {
		whole := protocol.DraftImage{Hash: image.Hash, MimeType: image.MimeType, Data: base64.StdEncoding.EncodeToString(image.Data)}
		if i < len(named) {
			whole.Name = named[i].Name
		}
		hashes[image.Hash] = true
		d.Images = append(d.Images, whole)
	}
	return d, hashes, nil
}

// FillImage gives an image of a draft its data where that is among those that are known; false where it is not.
func FillImage(image *store.Image, known []protocol.DraftImage) bool {
	if image.Data != nil {
		return true
	}
	for _, one := range known {
		if one.Hash == image.Hash {
			var err error
			image.Data, err = base64.StdEncoding.DecodeString(one.Data)
			return err == nil
		}
	}
	return false
}

// NameImages gives the images of a draft that came with data their hashes. Its error tells what is wrong with a draft that cannot
// be kept. It takes its time.
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

// EmptyDraft tells whether a draft holds nothing that the user would miss.
func EmptyDraft(d protocol.Draft) bool {
	if d.Text != "" || d.Suggestion != nil || d.Mode != "" || len(d.Images)+len(d.Quotes) > 0 {
		return false
	}
	for _, pick := range d.Picks {
		if len(pick.Options) > 0 || pick.Other != "" || pick.OtherChosen || pick.Notes != "" {
			return false
		}
	}
	return true
}
