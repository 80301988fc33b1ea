package archive

import (
	"encoding/json"
	"fmt"

	"followup/internal/protocol"
	"followup/internal/question"
)

// SessionOptions are those options of a session that the store has no columns for.
type SessionOptions struct {
	ResultTag  protocol.ResultTag `json:"resultTag,omitempty"`
	Strict     bool               `json:"strict,omitempty"`
	OpaqueTags []string           `json:"opaqueTags,omitempty"`
	Limits     question.Limits    `json:"limits,omitzero"`
	Bound      bool               `json:"bound,omitempty"`
	Account    string             `json:"account,omitempty"`
	// Clock is that of the pending question; absent where it has none.
	Clock *Clock `json:"clock,omitempty"`
}

// Clock tells when the first suggestion of a question is taken; session.Clock says more.
type Clock struct {
	ID  string `json:"id"`
	Due int64  `json:"due,omitempty"`
}

// EncodeFolders writes a session's workspace folders for the store; nil for none.
func EncodeFolders(folders []protocol.WorkspaceFolder) (json.RawMessage, error) {
	if len(folders) == 0 {
		return nil, nil
	}
	return json.Marshal(folders)
}

// DecodeFolders reads what EncodeFolders wrote.
func DecodeFolders(from json.RawMessage) ([]protocol.WorkspaceFolder, error) {
	if from == nil {
		return nil, nil
	}
	var folders []protocol.WorkspaceFolder
	if err := json.Unmarshal(from, &folders); err != nil {
		return nil, fmt.Errorf("a session's folders in the store cannot be read: %w", err)
	}
	return folders, nil
}

// DecodeOptions reads a session's options; none are the defaults.
func DecodeOptions(from json.RawMessage) (SessionOptions, error) {
	var options SessionOptions
	if from == nil {
		return options, nil
	}
	if err := json.Unmarshal(from, &options); err != nil {
		return options, fmt.Errorf("a session's options in the store cannot be read: %w", err)
	}
	return options, nil
}
