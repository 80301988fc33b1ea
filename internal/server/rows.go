package server

import (
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
)

// change is what is unsaved as the store takes it, in the order of asking.
func (s *Server) change() store.Change {
	var change store.Change
	for c := range s.unsaved.sessions {
		if row := c.row(); !c.inStore || !reflect.DeepEqual(row, c.kept) {
			change.Sessions = append(change.Sessions, row)
		}
	}
	var records []*record
	for r := range s.unsaved.records {
		if r.whole() && !r.outcomeInStore {
			records = append(records, r)
		}
	}
	slices.SortFunc(records, func(a, b *record) int { return a.order - b.order })
	for _, r := range records {
		if err := r.addTo(&change); err != nil {
			s.log.DPanic("a question cannot be written down", zap.String("question", r.id), zap.Error(err))
		}
	}
	change.Collected = append(change.Collected, s.unsaved.collected...)
	return change
}

// row is a session as the store keeps it.
func (c *conversation) row() store.Session {
	folders, _ := archive.EncodeFolders(c.folders) // strings
	options, _ := json.Marshal(archive.SessionOptions{
		ResultTag: c.resultTag, Strict: c.reading.Strict, OpaqueTags: c.reading.OpaqueTags, Limits: c.reading.Limits,
	})
	return store.Session{
		ID: c.id, Agent: c.agent, Key: c.key, Folders: folders, Locale: string(c.locale), Options: options,
		Mistakes: c.state.Mistakes.Count(), Limit: c.state.Limit, Guidance: c.state.Guidance.ID, Closed: c.closed, Version: c.kept.Version,
	}
}

// whole tells whether all of a call was read. What broke off before that is not kept.
func (r *record) whole() bool {
	return r.call.Followup != nil || r.call.Questionnaire != nil || r.call.Err != nil
}

// rowStates maps the states of whole questions to the store's. One that has its outcome at once is written as held, and closed
// by the same change.
var rowStates = map[protocol.ItemState]store.State{
	protocol.ItemPending: store.Pending, protocol.ItemQueued: store.Queued, protocol.ItemHeld: store.Held,
	protocol.ItemClosed: store.Held,
}

// addTo adds what the store does not have of a question yet.
func (r *record) addTo(change *store.Change) error {
	if r.outcome == nil || !r.inStore {
		row, err := r.row()
		if err != nil {
			return err
		}
		change.Questions = append(change.Questions, row)
	}
	if r.outcome != nil {
		return r.addOutcome(change)
	}
	if !r.draftChanged {
		return nil
	}
	picks, images, err := archive.EncodeDraft(*r.draft)
	if err != nil {
		return err
	}
	draft := store.Draft{QuestionID: r.id, Picks: picks}
	for _, image := range images {
		draft.Images = append(draft.Images, store.Image{MimeType: image.MimeType, Data: image.Data})
	}
	change.Drafts = append(change.Drafts, draft)
	return nil
}

func (r *record) row() (store.Question, error) {
	message := ""
	if wrong := callError(r); wrong != nil {
		message = wrong.Message
	}
	call, err := archive.EncodeCall(r.call, message)
	if err != nil {
		return store.Question{}, err
	}
	row := store.Question{
		ID: r.id, Session: r.session.id, Tool: r.tool, StreamID: r.streamID, CallID: r.callID, State: rowStates[r.state],
		Call: call, Text: archive.SearchText(r.call), AskedAt: r.askedAt, Deadline: r.deadline,
		Agent: r.session.agent, Workspace: r.session.workspace(),
	}
	if r.guidance != nil {
		if row.Guidance, err = json.Marshal(r.guidance); err != nil {
			return row, err
		}
	}
	if r.guidedBy != nil {
		row.GuidedBy = r.guidedBy.id
	}
	return row, nil
}

func (r *record) addOutcome(change *store.Change) error {
	answer, err := archive.EncodeEnded(archive.Ended{Item: *r.outcome, Agent: r.answer})
	if err != nil {
		return err
	}
	images, err := archive.DecodeImages(r.answer.Images)
	if err != nil {
		return err
	}
	change.Outcomes = append(change.Outcomes, store.Outcome{
		QuestionID: r.id, Outcome: question.Outcome(r.outcome.Outcome), Provenance: question.Provenance(r.outcome.Provenance),
		Answer: answer, Text: archive.AnswerText(r.call, *r.outcome), Images: images, ImageCount: len(images),
		ClosedAt: time.UnixMilli(r.outcome.At),
	})
	if r.collected || r.uncollectable() {
		change.Collected = append(change.Collected, r.id)
	}
	return nil
}

// uncollectable tells whether nobody will ever ask for the outcome: the agent took the question back, or it was the sidecar's
// own, or the agent was told at the end of the stream.
func (r *record) uncollectable() bool {
	return r.guidance != nil || r.outcome.Outcome == protocol.OutcomeWithdrawn ||
		r.outcome.Outcome == protocol.OutcomeInvalid && r.streamID != "" && r.guidedBy == nil
}

// workspace is what the history files a session's questions under: its first folder.
func (c *conversation) workspace() string {
	if len(c.folders) == 0 {
		return ""
	}
	return string(c.folders[0].URI)
}
