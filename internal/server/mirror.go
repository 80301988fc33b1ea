package server

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/session"
	"followup/internal/store"
)

// load takes up everything that is open in the store, whoever asked it.
func (s *Server) load(ctx context.Context) error {
	revision, err := s.store.Revision(ctx) // before the rest: what is written meanwhile is told again
	if err != nil {
		return err
	}
	open, err := s.store.OpenQuestions(ctx, 0, math.MaxInt)
	if err != nil {
		return err
	}
	s.revision = revision
	s.merge(ctx, nil, open)
	still := map[string]bool{}
	for _, q := range open {
		still[q.ID] = true
	}
	for _, r := range s.records { // closed while nobody looked
		if r.inStore && r.outcome == nil && !still[r.id] {
			if q, err := s.store.Question(ctx, r.id); err == nil {
				s.merge(ctx, nil, []store.Question{q})
			}
		}
	}
	return nil
}

// sync takes over what other windows have written.
func (s *Server) sync(ctx context.Context) {
	s.enter()
	defer s.leave()
	if s.store == nil {
		return
	}
	changes, err := s.store.Changed(ctx, s.revision)
	switch {
	case err != nil:
		if ctx.Err() == nil {
			s.log.Warn("could not read what other windows have written", zap.Error(err))
		}
		return
	case changes.Lapsed:
		if err := s.load(ctx); err != nil {
			s.log.Warn("could not read the open questions again", zap.Error(err))
		}
		return
	}
	if changes.Revision == s.revision {
		return
	}
	s.revision = changes.Revision
	s.merge(ctx, changes.Sessions, changes.Questions)
	for i := range changes.Drafts {
		s.mergeForeignDraft(ctx, &changes.Drafts[i])
	}
	s.lookAfterOwners(ctx) // a window may have ended
}

// merge brings sessions and questions up to date with the store's, and lets the sessions go on from there.
func (s *Server) merge(ctx context.Context, sessions []store.Session, questions []store.Question) {
	changed := map[*conversation]int{} // to the count of mistakes
	for _, row := range sessions {
		if c := s.sessions[row.ID]; c != nil {
			s.updateSession(c, row)
			changed[c] = row.Mistakes
		}
	}
	for _, q := range questions {
		c, err := s.mergeQuestion(ctx, q)
		if err != nil {
			s.log.Error("a question in the store cannot be read", zap.String("question", q.ID), zap.Error(err))
			continue
		}
		if _, known := changed[c]; c != nil && !known {
			changed[c] = c.state.Mistakes.Count()
		}
	}
	for c, mistakes := range changed {
		s.settle(c, mistakes)
	}
}

// mergeQuestion brings one question up to date, and gives its session when anything about it has changed.
func (s *Server) mergeQuestion(ctx context.Context, q store.Question) (*conversation, error) {
	r := s.records[q.ID]
	switch {
	case r == nil && q.Outcome != nil:
		return nil, nil
	case r == nil:
		c, err := s.mirror(ctx, q.Session)
		if err != nil {
			return nil, err
		}
		if r, err = s.newMirrored(c, q); err != nil {
			return nil, err
		}
	case r.outcome != nil:
		return nil, nil
	case q.Outcome != nil:
		return r.session, s.adopt(r, *q.Outcome)
	}
	r.state = itemStates[q.State]
	r.guidedByID = q.GuidedBy
	if err := s.mergeDraft(ctx, r, q.Draft); err != nil {
		return nil, err
	}
	s.ownedBy(r, q.Owner, q.Alive)
	if r.state != protocol.ItemHeld {
		s.inboxChanged(r)
	}
	return r.session, nil
}

// itemStates maps the store's states of open questions to the protocol's.
var itemStates = map[store.State]protocol.ItemState{
	store.Pending: protocol.ItemPending, store.Queued: protocol.ItemQueued, store.Held: protocol.ItemHeld,
}

// newMirrored is the record of a question that stands in the store.
func (s *Server) newMirrored(c *conversation, q store.Question) (*record, error) {
	r, err := decode(c, q)
	if err != nil {
		return nil, err
	}
	s.asked = max(s.asked, r.order)
	s.records[r.id] = r
	c.records = append(c.records, r)
	return r, nil
}

// decode reads what was asked.
func decode(c *conversation, q store.Question) (*record, error) {
	call, err := archive.DecodeCall(q.Tool, q.Call)
	if err != nil {
		return nil, err
	}
	r := &record{
		id: q.ID, tool: q.Tool, session: c, streamID: q.StreamID, callID: q.CallID, call: call, askedAt: q.AskedAt,
		deadline: q.Deadline, order: int(q.Order), inStore: true, owner: q.Owner, alive: q.Alive, done: make(chan struct{}),
	}
	if q.Guidance != nil {
		r.guidance = &protocol.Guidance{}
		err = json.Unmarshal(q.Guidance, r.guidance)
	}
	return r, err
}

// mirror gives a session of the store's, opened here or not.
func (s *Server) mirror(ctx context.Context, id string) (*conversation, error) {
	if c, ok := s.sessions[id]; ok {
		return c, nil
	}
	row, err := s.store.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	c, err := fromRow(row)
	if err != nil {
		return nil, err
	}
	s.sessions[id] = c
	return c, nil
}

// fromRow is a session as it was left.
func fromRow(row store.Session) (*conversation, error) {
	c := &conversation{id: row.ID, agent: row.Agent, key: row.Key, inStore: true}
	if err := c.updateFrom(row); err != nil {
		return nil, err
	}
	c.state, _ = session.Restore(session.Kept{Mistakes: row.Mistakes, Limit: row.Limit})
	return c, nil
}

// updateFrom takes over the options that the store has.
func (c *conversation) updateFrom(row store.Session) error {
	folders, err := archive.DecodeFolders(row.Folders)
	if err != nil {
		return err
	}
	options, err := archive.DecodeOptions(row.Options)
	if err != nil {
		return err
	}
	c.folders, c.locale, c.resultTag = folders, locale.Tag(row.Locale), cmp.Or(options.ResultTag, protocol.ResultTagAnswer)
	c.reading = dialect.Options{Strict: options.Strict, OpaqueTags: options.OpaqueTags, Limits: options.Limits}
	c.state.Limit, c.closed, c.kept = row.Limit, row.Closed, row
	return nil
}

// settle lets a session go on from what its records say.
func (s *Server) settle(c *conversation, mistakes int) {
	slices.SortStableFunc(c.records, func(a, b *record) int { return a.order - b.order })
	kept := session.Kept{Mistakes: mistakes, Limit: c.state.Limit}
	for _, r := range c.records {
		switch {
		case r.state == protocol.ItemClosed:
		case r.guidance != nil:
			kept.Guidance = append(kept.Guidance, r.id)
		case r.state == protocol.ItemHeld:
			s.findGuidance(r)
			kept.Held = append(kept.Held, r.id)
		default:
			kept.Open = append(kept.Open, session.Open{ID: r.id, Phase: phases[r.state]})
		}
	}
	next, effects := session.Restore(kept)
	c.state = next
	s.carryOut(effects)
}

// findGuidance finds the request for guidance that a call of another window's is held for, which may have ended.
func (s *Server) findGuidance(r *record) {
	if r.guidedBy != nil || r.guidedByID == "" {
		return
	}
	guidance, err := s.find(r.guidedByID)
	if err != nil || guidance == nil {
		s.log.Error("the guidance that a call waits for cannot be read", zap.String("question", r.id), zap.Error(err))
		return
	}
	if guidance.outcome != nil {
		r.guidedBy = guidance
	}
}

// phases maps the protocol's states of questions to the machine's.
var phases = map[protocol.ItemState]session.Phase{
	protocol.ItemStreaming: session.Streaming, protocol.ItemQueued: session.Queued, protocol.ItemPending: session.Pending,
}
