package archive

import (
	"encoding/json"
	"fmt"
	"time"

	"followup/internal/protocol"
	"followup/internal/store"
)

// Entry is a closed question of the store as the history tells it. Images are there when the store gave them. Its Markdown
// is not rendered.
func Entry(q store.Question) (protocol.HistoryEntry, error) {
	e := protocol.HistoryEntry{
		QuestionID: q.ID, Agent: q.Agent, Workspace: q.Workspace, Tool: q.Tool, Source: q.Source,
		AskedAt: millis(q.AskedAt), Collected: q.Collected,
	}
	var err error
	if e.Payload, e.Error, err = offered(q.Call); err != nil {
		return e, fmt.Errorf("question %s: %w", q.ID, err)
	}
	if q.Guidance != nil {
		e.Guidance = &protocol.Guidance{}
		if err := json.Unmarshal(q.Guidance, e.Guidance); err != nil {
			return e, fmt.Errorf("question %s: its guidance in the store cannot be read: %w", q.ID, err)
		}
	}
	if q.Outcome == nil {
		return e, fmt.Errorf("question %s has no outcome", q.ID)
	}
	ended, err := DecodeEnded(q.Outcome.Answer, q.Outcome.Images)
	if err != nil {
		return e, fmt.Errorf("question %s: %w", q.ID, err)
	}
	e.Outcome = ended.Item
	e.Outcome.At = millis(q.Outcome.ClosedAt)
	e.Images = ended.Agent.Images
	return e, nil
}

// millis is a time as it travels; 0 where it is not known.
func millis(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}
