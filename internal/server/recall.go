package server

import (
	"context"
	"errors"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
	"followup/internal/store"
)

// record finds a question: one that is open, or one that was closed at any time.
func (s *Server) record(id string) (*record, error) {
	r, err := s.find(id)
	if err == nil && r == nil {
		err = rpc.Errorf(protocol.CodeUnknown, "there is no question %q", id)
	}
	return r, err
}

// find is record, with nil for a question that there never was.
func (s *Server) find(id string) (*record, error) {
	if r, ok := s.records[id]; ok || s.store == nil {
		return r, nil
	}
	q, err := s.store.Question(context.Background(), id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, nil
	case err != nil:
		s.log.Error("a question could not be looked up", zap.String("question", id), zap.Error(err))
		return nil, nil // it is treated as new: what is asked has to work without the store
	}
	if q.Outcome == nil { // another window has asked it just now
		s.merge(context.Background(), nil, []store.Question{q})
		return s.records[id], nil
	}
	return s.recall(q)
}

// recall reads a closed question. It is not kept in memory.
func (s *Server) recall(q store.Question) (*record, error) {
	c := s.sessions[q.Session]
	if c == nil {
		row, err := s.store.Session(context.Background(), q.Session)
		if errors.Is(err, store.ErrNotFound) { // an imported one has no session
			row, err = store.Session{ID: q.Session, Agent: q.Agent}, nil
		}
		if err != nil {
			return nil, err
		}
		if c, err = fromRow(row); err != nil {
			return nil, err
		}
	}
	r, err := decode(c, q)
	if err != nil {
		return nil, err
	}
	ended, err := archive.DecodeEnded(q.Outcome.Answer, q.Outcome.Images)
	if err != nil {
		return nil, err
	}
	r.outcome, r.answer, r.state, r.outcomeInStore = &ended.Item, ended.Agent, protocol.ItemClosed, true
	r.collected = q.Collected
	close(r.done)
	return r, nil
}

// adopt gives a record the outcome that another window recorded.
func (s *Server) adopt(r *record, o store.Outcome) error {
	if o.ImageCount > len(o.Images) {
		q, err := s.store.Question(context.Background(), r.id)
		if err != nil {
			return err
		}
		o = *q.Outcome
	}
	ended, err := archive.DecodeEnded(o.Answer, o.Images)
	if err != nil {
		return err
	}
	was := r.state
	r.outcome, r.answer, r.state, r.outcomeInStore = &ended.Item, ended.Agent, protocol.ItemClosed, true
	if was == protocol.ItemClosed { // ours was told to nobody yet
		return nil
	}
	if r.notShown != nil {
		r.notShown.Stop()
	}
	s.over(r, was != protocol.ItemHeld)
	return nil
}

// updateSession takes over what another window has written of a session.
func (s *Server) updateSession(c *conversation, row store.Session) {
	if err := c.updateFrom(row); err != nil {
		s.log.Error("a session in the store cannot be read", zap.String("session", c.id), zap.Error(err))
	}
}

// mergeForeignDraft takes over a draft that another window has written.
func (s *Server) mergeForeignDraft(ctx context.Context, d *store.Draft) {
	r := s.records[d.QuestionID]
	if r == nil || r.outcome != nil {
		return
	}
	if d.Picks == nil {
		d = nil
	}
	if err := s.mergeDraft(ctx, r, d); err != nil {
		s.log.Error("a draft in the store cannot be read", zap.String("question", r.id), zap.Error(err))
		return
	}
	if r.state != protocol.ItemHeld {
		s.inboxChanged(r)
	}
}

// mergeDraft takes over the draft that stands in the store, unless ours is newer.
func (s *Server) mergeDraft(ctx context.Context, r *record, from *store.Draft) error {
	if from == nil {
		if !r.draftChanged {
			r.draft = nil
		}
		return nil
	}
	images := make([]question.Image, len(from.Images))
	for i, image := range from.Images {
		if image.Data == nil {
			var err error
			if image, err = s.store.Image(ctx, image.Hash); err != nil {
				return err
			}
		}
		images[i] = question.Image{MimeType: image.MimeType, Data: image.Data}
	}
	draft, err := archive.DecodeDraft(from.Picks, images)
	if err == nil && (r.draft == nil || r.draft.ChangedAt < draft.ChangedAt) {
		r.draft, r.draftChanged = &draft, false
	}
	return err
}

// remove takes a record out of those that a session still needs.
func (c *conversation) remove(r *record) {
	for i := range c.records {
		if c.records[i] == r {
			c.records = append(c.records[:i:i], c.records[i+1:]...)
			return
		}
	}
}
