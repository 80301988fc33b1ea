package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/engine"
)

// Import adds exchanges out of other tools' logs, and tells how many were added and how many were known, also when it fails
// half way or ctx ends: importing again adds the others. Give a few hundred at a time.
func (s *Store) Import(ctx context.Context, exchanges []store.Imported) (added, known int, err error) {
	return engine.Import(exchanges, func(left []store.Imported) (isNew, done int, err error) {
		err = s.step(ctx, func(t *tx) error {
			isNew, done = 0, 0
			for size := 0; done < min(len(left), atOnce) && size < importedBytes; done++ {
				size += engine.Size(left[done])
				added, err := t.importOne(left[done])
				if err != nil {
					return err
				}
				if added {
					isNew++
				}
			}
			if isNew == 0 {
				return engine.ErrNothing
			}
			return nil
		})
		return isNew, done, err
	})
}

// importedBytes is how much of texts goes into one transaction.
const importedBytes = 1 << 20

func (t *tx) importOne(x store.Imported) (isNew bool, err error) {
	found, there, err := t.stored(x, " FOR NO KEY UPDATE OF q")
	if err != nil {
		return false, err
	}
	if there {
		return t.amend(found, x)
	}
	q, o, at := engine.Exchange(x)
	ord, added, err := t.insertQuestion(q)
	if err != nil || !added {
		return false, err
	}
	key, err := t.insertOutcome(ord, o, engine.FirstKey(at), at)
	if err != nil {
		return false, err
	}
	if _, err := t.exec("UPDATE questions SET outcome = $1, collected = true WHERE ord = $2", int64(key), ord); err != nil {
		return false, err
	}
	t.news = true
	return true, t.index(key, engine.Indexed{Asked: q.Text, Said: o.Text, Agent: q.Agent, Workspace: q.Workspace, Outcome: string(o.Outcome)})
}

// stored is what the store has of an exchange's question.
type stored struct {
	key     store.Key
	outcome store.Outcome // empty while it is open, and where it is deleted
	indexed engine.Indexed
}

// stored looks an exchange's question up, and reports whether it is there, deleted or not. Lock is a locking clause, or empty.
func (q querier) stored(x store.Imported, lock string) (s stored, there bool, err error) {
	o, i := &s.outcome, &s.indexed
	var outcome string
	var answer []byte
	err = q.one(`SELECT q.text, q.agent, q.workspace, coalesce(o.key, 0), coalesce(o.outcome, ''), coalesce(o.text, ''), coalesce(o.answer, '')
		FROM questions q LEFT JOIN outcomes o ON o.key = q.outcome AND o.deletion IS NULL WHERE q.id = $1`+lock,
		[]any{x.ID()}, []any{&i.Asked, &i.Agent, &i.Workspace, &s.key, &outcome, &o.Text, &answer})
	if errors.Is(err, pgx.ErrNoRows) {
		return s, false, nil
	}
	o.Outcome, o.Answer = question.Outcome(outcome), answer
	return s, err == nil, err
}

// amend gives a closed question the outcome that an exchange knows better, at the same place in the history.
func (t *tx) amend(s stored, x store.Imported) (amended bool, err error) {
	o, amended := engine.Amended(x, s.outcome)
	if !amended {
		return false, nil
	}
	_, err = t.exec("UPDATE outcomes SET outcome = $1, provenance = $2, text = $3, answer = $4 WHERE key = $5",
		string(o.Outcome), string(o.Provenance), o.Text, []byte(o.Answer), int64(s.key))
	if err != nil {
		return false, err
	}
	if _, err := t.exec("DELETE FROM search WHERE key = $1", int64(s.key)); err != nil {
		return false, err
	}
	s.indexed.Said, s.indexed.Outcome = o.Text, string(o.Outcome)
	return true, t.index(s.key, s.indexed)
}

// known tells how many of the exchanges Import would not add or amend.
func (q querier) known(exchanges []store.Imported) (known int, err error) {
	for _, x := range exchanges {
		found, there, err := q.stored(x, "")
		if err != nil {
			return 0, err
		}
		if _, amended := engine.Amended(x, found.outcome); there && !amended {
			known++
		}
	}
	return known, nil
}
