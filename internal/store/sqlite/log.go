package sqlite

import (
	"followup/internal/store"
	"followup/internal/store/engine"
)

// noteQuestion and noteSession write the log that Changed reads. A key tells that the outcome has to be indexed.
func (t *tx) noteQuestion(ord int64, what int, key store.Key) error {
	return t.note(ord, "", what, key)
}

// noteHistory notes that the history has changed otherwise than by an outcome.
func (t *tx) noteHistory() error { return t.note(0, "", engine.WroteHistory, 0) }

func (t *tx) noteSession(id string) error { return t.note(0, id, 0, 0) }

func (t *tx) note(ord int64, session string, what int, key store.Key) error {
	_, err := t.insert("INSERT INTO log (ord, session, owner, what, outcome) VALUES (?, ?, ?, ?, ?)", ord, session, t.store.owner, what, int64(key))
	return err
}
