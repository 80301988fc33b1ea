package sqlite

import (
	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/engine"
)

// putImages makes these the question's images of that role. What the store has is not written again.
func (t *tx) putImages(ord int64, role string, images []store.Image) error {
	names, err := t.imageNames(ord, role)
	if err != nil {
		return err
	}
	there := make([]string, len(names))
	for n, image := range names {
		there[n] = image.Hash
	}
	dropped, err := engine.PutImages(there, images, func(n int, image store.Image) error {
		if err := t.putBlob(image); err != nil {
			return err
		}
		_, err := t.exec("INSERT INTO images (ord, role, n, hash) VALUES (?, ?, ?, ?) ON CONFLICT (ord, role, n) DO UPDATE SET hash = excluded.hash",
			ord, role, n, image.Hash)
		return err
	})
	if err != nil {
		return err
	}
	if len(there) > len(images) {
		if _, err := t.exec("DELETE FROM images WHERE ord = ? AND role = ? AND n >= ?", ord, role, len(images)); err != nil {
			return err
		}
	}
	for _, hash := range dropped {
		if _, err := t.exec("DELETE FROM blobs WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM images WHERE hash = blobs.hash)", hash); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) putBlob(image store.Image) error {
	var known bool
	if err := t.one("SELECT EXISTS (SELECT 1 FROM blobs WHERE hash = ?)", []any{image.Hash}, []any{&known}); err != nil || known {
		return err
	}
	data, err := engine.ImageData(image)
	if err == nil {
		_, err = t.exec("INSERT INTO blobs (hash, mime, data) VALUES (?, ?, ?)", image.Hash, image.MimeType, data)
	}
	return err
}

// imageNames are a question's images of a role, without data.
func (q querier) imageNames(ord int64, role string) (images []store.Image, err error) {
	err = q.each("SELECT i.hash, b.mime FROM images i JOIN blobs b ON b.hash = i.hash WHERE i.ord = ? AND i.role = ? ORDER BY i.n",
		[]any{ord, role}, func(scan func(...any) error) error {
			var image store.Image
			err := scan(&image.Hash, &image.MimeType)
			images = append(images, image)
			return err
		})
	return images, err
}

// answerImages are the images of a question's answer.
func (q querier) answerImages(ord int64) (images []question.Image, err error) {
	err = q.each("SELECT b.mime, b.data FROM images i JOIN blobs b ON b.hash = i.hash WHERE i.ord = ? AND i.role = ? ORDER BY i.n",
		[]any{ord, engine.AnswerImage}, func(scan func(...any) error) error {
			var image question.Image
			err := scan(&image.MimeType, &image.Data)
			images = append(images, image)
			return err
		})
	return images, err
}

// image gives an image by its hash; sql.ErrNoRows where there is none.
func (q querier) image(hash string) (store.Image, error) {
	image := store.Image{Hash: hash}
	err := q.one("SELECT mime, data FROM blobs WHERE hash = ?", []any{hash}, []any{&image.MimeType, &image.Data})
	return image, err
}
