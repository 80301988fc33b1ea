package postgres

import (
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/engine"
)

// putImages makes these the question's images of that role. What the store has is not written again.
func (t *tx) putImages(ord int64, role string, images []store.Image) error {
	there, err := column[string](t.querier, "SELECT hash FROM images WHERE ord = $1 AND role = $2 ORDER BY n", ord, role)
	if err != nil {
		return err
	}
	dropped, err := engine.PutImages(there, images, func(n int, image store.Image) error {
		if err := t.putBlob(image); err != nil {
			return err
		}
		_, err := t.exec("INSERT INTO images (ord, role, n, hash) VALUES ($1, $2, $3, $4) ON CONFLICT (ord, role, n) DO UPDATE SET hash = excluded.hash",
			ord, role, n, image.Hash)
		return err
	})
	t.dropped = append(t.dropped, dropped...)
	if err == nil && len(there) > len(images) {
		_, err = t.exec("DELETE FROM images WHERE ord = $1 AND role = $2 AND n >= $3", ord, role, len(images))
	}
	return err
}

// putBlob makes sure that an image is there, and stays until the transaction ends.
func (t *tx) putBlob(image store.Image) error {
	for {
		var there bool
		err := t.one("SELECT true FROM blobs WHERE hash = $1 FOR KEY SHARE", []any{image.Hash}, []any{&there})
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		data, err := engine.ImageData(image)
		if err != nil {
			return err
		}
		added, err := t.exec("INSERT INTO blobs (hash, mime, data) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", image.Hash, image.MimeType, data)
		if err != nil || added > 0 {
			return err
		}
	}
}

// dropImages removes the images that the transaction took out of something and that are in nothing else. It waits for those who are
// about to use one: their transactions hold it.
func (t *tx) dropImages() error {
	if len(t.dropped) == 0 {
		return nil
	}
	slices.Sort(t.dropped)
	if _, err := t.exec("SELECT FROM blobs WHERE hash = ANY($1) ORDER BY hash FOR UPDATE", t.dropped); err != nil {
		return err
	}
	_, err := t.exec("DELETE FROM blobs b WHERE hash = ANY($1) AND NOT EXISTS (SELECT FROM images i WHERE i.hash = b.hash)", t.dropped)
	return err
}

// imageNames are questions' images of a role, by the questions' orders, without data.
func (q querier) imageNames(role string, orders ...int64) (images map[int64][]store.Image, err error) {
	images = map[int64][]store.Image{}
	err = q.each("SELECT i.ord, i.hash, b.mime FROM images i JOIN blobs b ON b.hash = i.hash WHERE i.ord = ANY($1) AND i.role = $2 ORDER BY i.ord, i.n",
		[]any{orders, role}, func(scan func(...any) error) error {
			var ord int64
			var image store.Image
			err := scan(&ord, &image.Hash, &image.MimeType)
			images[ord] = append(images[ord], image)
			return err
		})
	return images, err
}

// answerImages are the images of a question's answer.
func (q querier) answerImages(ord int64) (images []question.Image, err error) {
	err = q.each("SELECT b.mime, b.data FROM images i JOIN blobs b ON b.hash = i.hash WHERE i.ord = $1 AND i.role = $2 ORDER BY i.n",
		[]any{ord, engine.AnswerImage}, func(scan func(...any) error) error {
			var image question.Image
			err := scan(&image.MimeType, &image.Data)
			images = append(images, image)
			return err
		})
	return images, err
}

// image gives an image by its hash; pgx.ErrNoRows where there is none.
func (q querier) image(hash string) (store.Image, error) {
	image := store.Image{Hash: hash}
	err := q.one("SELECT mime, data FROM blobs WHERE hash = $1", []any{hash}, []any{&image.MimeType, &image.Data})
	return image, err
}
