package archive

import (
	"encoding/json"
	"fmt"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
)

// Session is a session as the store keeps it.
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
	// Mistakes counts the invalid calls since the last valid one. Limit is how many of them lead to a request for guidance.
	Mistakes int `json:"mistakes,omitempty"`
	Limit    int `json:"limit"`
	// Aliases are what the agent calls those of its questions that have another id in the store.
	Aliases map[string]string `json:"aliases,omitempty"`
	// Clock is that of the pending question.
	Clock Clock `json:"clock,omitzero"`
}

// Clock tells when the first suggestion of a question is taken; session.Clock says more.
type Clock struct {
	ID  string `json:"id"`
	Due int64  `json:"due,omitempty"`
}

// DecodeSession reads a session's document. One without a document has the values of missing.
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
