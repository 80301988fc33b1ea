package engine

import "followup/internal/store"

// QuestionColumns are what ScanQuestion reads: of questions q and, joined to them, drafts d and outcomes o.
const QuestionColumns = `q.ord, q.id, coalesce(q.session, ''), q.state, q.collected, q.guided_by, q.deadline,
	q.asked_at, q.tool, q.stream, q.call_id, q.agent, q.workspace, q.source, q.text, q.guidance, q.call,
	d.ord IS NOT NULL, coalesce(d.text, ''), d.picks,
	coalesce(o.key, 0), coalesce(o.outcome, ''), coalesce(o.provenance, ''), coalesce(o.closed_at, 0), coalesce(o.images, 0),
	coalesce(o.text, ''), o.answer, o.deletion IS NOT NULL`

// ScanQuestion reads a row of QuestionColumns, without images, and tells whether it was deleted.
func ScanQuestion(scan func(...any) error) (q store.Question, deleted bool, err error) {
	var deadline, askedAt, closedAt int64
	var drafted bool
	var d store.Draft
	var o store.Outcome
	err = scan(&q.Order, &q.ID, &q.Session, &q.State, &q.Collected, &q.GuidedBy, &deadline,
		&askedAt, &q.Tool, &q.StreamID, &q.CallID, &q.Agent, &q.Workspace, &q.Source, &q.Text, (*[]byte)(&q.Guidance), (*[]byte)(&q.Call),
		&drafted, &d.Text, (*[]byte)(&d.Picks),
		&o.Key, (*string)(&o.Outcome), (*string)(&o.Provenance), &closedAt, &o.ImageCount, &o.Text, (*[]byte)(&o.Answer), &deleted)
	q.Deadline, q.AskedAt, o.ClosedAt = Time(deadline), Time(askedAt), Time(closedAt)
	if drafted {
		d.QuestionID = q.ID
		q.Draft = &d
	}
	if o.Key != 0 {
		o.QuestionID = q.ID
		q.Outcome = &o
	}
	return q, deleted, err
}

// Whole is the one question that was found with the data of its draft's images and its answer's; ErrNotFound where there is none.
func Whole(found []store.Question, image func(hash string) (store.Image, error), withAnswerImages func(*store.Question) error) (store.Question, error) {
	if len(found) == 0 {
		return store.Question{}, store.ErrNotFound
	}
	q := found[0]
	if q.Draft != nil {
		for i, of := range q.Draft.Images {
			var err error
			if q.Draft.Images[i], err = image(of.Hash); err != nil {
				return store.Question{}, err
			}
		}
	}
	return q, withAnswerImages(&q)
}

// NewQuestion are the columns of a question that is added, and their values: all but those that its outcome sets.
const NewQuestion = "id, session, state, guided_by, deadline, asked_at, tool, stream, call_id, agent, workspace, source, text, guidance, call"

// NewValues are those of NewQuestion.
func NewValues(q store.Question) []any {
	var session *string
	if q.Session != "" {
		session = &q.Session
	}
	return []any{
		q.ID, session, int(q.State), q.GuidedBy, Millis(q.Deadline), Millis(q.AskedAt), q.Tool, q.StreamID, q.CallID,
		q.Agent, q.Workspace, q.Source, q.Text, []byte(q.Guidance), []byte(q.Call),
	}
}

// SessionColumns are what ScanSession reads.
const SessionColumns = "id, agent, key, folders, locale, options, mistakes, mistake_limit, guidance, closed"

// SessionWritten is how a row of SessionColumns and used_at replaces the one with its id.
const SessionWritten = ` ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, key = excluded.key, folders = excluded.folders,
	locale = excluded.locale, options = excluded.options, mistakes = excluded.mistakes, mistake_limit = excluded.mistake_limit,
	guidance = excluded.guidance, closed = excluded.closed, used_at = excluded.used_at`

// ScanSession reads a row of SessionColumns.
func ScanSession(scan func(...any) error) (s store.Session, err error) {
	err = scan(&s.ID, &s.Agent, &s.Key, (*[]byte)(&s.Folders), &s.Locale, (*[]byte)(&s.Options), &s.Mistakes, &s.Limit, &s.Guidance, &s.Closed)
	return s, err
}
