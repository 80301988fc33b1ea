package archive

import (
	"encoding/json"
	"fmt"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
)

// Session is a session in the store.
type Session struct {
	Agent      string                     `json:"agent,omitempty"`
	Key        string                     `json:"key,omitempty"`
	Account    string                     `json:"account,omitempty"`
	Folders    []protocol.WorkspaceFolder `json:"folders,omitempty"`
	Locale     string                     `json:"locale,omitempty"`
	ResultTag  protocol.ResultTag         `json:"resultTag,omitempty"`
	Strict     bool                       `json:"strict,omitempty"`
	OpaqueTags []string                   `json:"opaqueTags,omitempty"`
	Limits     question.Limits            `json:"limits,omitzero"`
	Bound      bool                       `json:"bound,omitempty"`
	// Mistakes is the number of invalid calls since the last valid one. Limit is how many cause a request for guidance.
	Mistakes int `json:"mistakes,omitempty"`
	Limit    int `json:"limit"`
	// Aliases are the agent's ids for questions that have another id in the store.
	Aliases map[string]string `json:"aliases,omitempty"`
	// Clock is the clock of the pending question.
	Clock Clock `json:"clock,omitzero"`
}

// Clock is the state of a timed choice; see session.Clock.
type Clock struct {
	ID  string `json:"id"`
	Due int64  `json:"due,omitempty"`
}

// DecodeSession decodes a session's document. Without a document, it returns missing.
func DecodeSession(from store.Session, missing Session) (Session, error) {
	if from.Document == nil {
		return missing, nil
	}
	var s Session
	if err := json.Unmarshal(from.Document, &s); err != nil {
		return s, fmt.Errorf("a session in the store cannot be read: %w", err)
	}
	return s, nil
}
