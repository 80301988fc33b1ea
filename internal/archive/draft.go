package archive

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"

	"followup/internal/protocol"
	"followup/internal/store"
)

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
	to.Picks, err = json.Marshal(d)
	return to, err
}

// DecodeDraft joins the parts of a stored draft. Its images have their data.
func DecodeDraft(from store.Draft) (protocol.Draft, error) {
	var d protocol.Draft
	if err := json.Unmarshal(from.Picks, &d); err != nil {
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
