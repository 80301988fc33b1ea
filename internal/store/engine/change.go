package engine

import (
	"encoding/base64"
	"fmt"

	"followup/internal/store"
)

// Writer writes the parts of changes in a transaction.
type Writer interface {
	// PutSession adds or replaces a session.
	PutSession(s store.Session) error
	// PutQuestion adds a question, or updates it while it is open, and returns its place in the order of asking.
	PutQuestion(q store.Question) (order int64, err error)
	// PutDraft writes the draft of a question that is open, or removes it where there is nothing in it.
	PutDraft(d store.Draft, empty bool) error
	// PutOutcome closes a question, unless it is closed.
	PutOutcome(o store.Outcome) error
	// Collect notes that a question's agent has got the answer.
	Collect(id string) error
	// Part runs a part of the transaction of which nothing stays where it fails, if the error is of the change; alone tells that there is
	// no other part, so that all of the transaction is taken back then.
	Part(alone bool, part func() error) error
	// IsOfChange tells whether an error is the change's own fault, so that others can be written.
	IsOfChange(err error) bool
}

// Write writes changes, each whole or not at all, and tells what became of them; ErrNothing where none was written.
func Write(w Writer, changes []store.Change) ([]store.Result, error) {
	results := make([]store.Result, len(changes))
	written := false
	for i, c := range changes {
		err := w.Part(len(changes) == 1, func() error { return apply(w, c, &results[i]) })
		switch {
		case err == nil:
			written = true
		case !w.IsOfChange(err):
			return nil, err
		default:
			results[i] = store.Result{Err: err}
		}
	}
	if !written {
		return results, ErrNothing
	}
	return results, nil
}

// apply writes a change.
func apply(w Writer, c store.Change, result *store.Result) error {
	result.Orders = make(map[string]int64, len(c.Questions))
	for _, s := range c.Sessions {
		if err := w.PutSession(s); err != nil {
			return err
		}
	}
	for _, q := range c.Questions {
		if q.State < store.Pending || q.State >= store.Closed {
			return fmt.Errorf("%w: question %s: a question is written as pending, queued or held, not as %v", ErrSenseless, q.ID, q.State)
		}
		order, err := w.PutQuestion(q)
		if err != nil {
			return err
		}
		result.Orders[q.ID] = order
	}
	for _, d := range c.Drafts {
		if err := w.PutDraft(d, d.Text == "" && len(d.Picks) == 0 && len(d.Images) == 0); err != nil {
			return err
		}
	}
	for _, o := range c.Outcomes {
		if err := w.PutOutcome(o); err != nil {
			return err
		}
	}
	for _, id := range c.Collected {
		if err := w.Collect(id); err != nil {
			return err
		}
	}
	return nil
}

// ClosedAt is when an outcome was given, in milliseconds.
func ClosedAt(o store.Outcome, now int64) int64 {
	if o.ClosedAt.IsZero() {
		return now
	}
	return o.ClosedAt.UnixMilli()
}

// AnswerImages are an outcome's images, as ImagesOf takes them.
func AnswerImages(o store.Outcome) []store.Image {
	images := make([]store.Image, len(o.Images))
	for i, image := range o.Images {
		images[i] = store.Image{MimeType: image.MimeType, Data: image.Data}
	}
	return images
}

// PutImages writes those of a question's images that are not there in the same place, by their hashes, and gives the hashes of those that are in
// their place no more.
func PutImages(there []string, images []store.Image, put func(n int, image store.Image) error) (dropped []string, err error) {
	for n, image := range images {
		if image.Data != nil {
			image.Hash = store.HashOf(image.MimeType, image.Data)
		}
		if n < len(there) && there[n] == image.Hash {
			continue
		}
		if err := put(n, image); err != nil {
			return nil, err
		}
		if n < len(there) {
			dropped = append(dropped, there[n])
		}
	}
	return append(dropped, there[min(len(images), len(there)):]...), nil
}

// ImageData returns the data of an image that is not in the store yet.
func ImageData(image store.Image) ([]byte, error) {
	switch {
	case image.Data != nil:
		return image.Data, nil
	case image.Base64 == "":
		return nil, fmt.Errorf("%w: an image without data is not in the store: %s", ErrSenseless, image.Hash)
	}
	data, err := base64.StdEncoding.DecodeString(image.Base64)
	if err != nil {
		err = fmt.Errorf("%w: an image is not base64: %w", ErrSenseless, err)
	}
	return data, err
}
