// Package archive is what is kept of a question: the JSON that stands in the store, and the forms in which people and other
// programs get it back.
package archive

import (
	"encoding/json"
	"fmt"

	"followup/internal/protocol"
	"followup/internal/question"
)

// call is what was read, as it stands in the store.
type call struct {
	// Payload is the standard form of the tool; absent for an invalid call.
	Payload json.RawMessage `json:"payload,omitempty"`
	// Metadata is a questionnaire's. It is the agent's own and given to nobody.
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Repairs  []question.Code `json:"repairs,omitempty"`
	Notices  []question.Code `json:"notices,omitempty"`
	Error    *question.Error `json:"error,omitempty"`
	// Message words the error as the agent was told.
	Message string `json:"message,omitempty"`
	// Found is what was told behind the message.
	Found string `json:"found,omitempty"`
	// Context is what the agent wrote just before.
	Context string `json:"context,omitempty"`
	// Ordinal is the call's place among those of its message.
	Ordinal int `json:"ordinal,omitempty"`
}

// EncodeCall writes a call for the store. Said words its error, in the agent's language; nil for a valid call.
func EncodeCall(c question.Call, said *protocol.CallError) (json.RawMessage, error) {
	kept := call{Repairs: c.Repairs, Notices: c.Notices, Error: c.Err, Context: c.Context, Ordinal: c.Ordinal}
	if said != nil {
		kept.Message, kept.Found = said.Message, said.Found
	}
	var err error
	switch {
	case c.Questionnaire != nil:
		kept.Payload, err = json.Marshal(c.Questionnaire)
		kept.Metadata = c.Questionnaire.Metadata
	case c.Followup != nil:
		kept.Payload, err = json.Marshal(c.Followup)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(kept)
}

// DecodeCall reads what EncodeCall wrote of a call of the tool.
func DecodeCall(tool string, from json.RawMessage) (question.Call, error) {
	var kept call
	if err := json.Unmarshal(from, &kept); err != nil {
		return question.Call{}, fmt.Errorf("a call in the store cannot be read: %w", err)
	}
	c := question.Call{Tool: tool, Repairs: kept.Repairs, Notices: kept.Notices, Err: kept.Error, Context: kept.Context, Ordinal: kept.Ordinal}
	if c.Err == nil {
		c.Repairs, c.Notices = orEmpty(c.Repairs), orEmpty(c.Notices)
	}
	var err error
	switch {
	case kept.Payload == nil:
	case tool == question.ToolAskUser:
		c.Questionnaire = &question.Questionnaire{Metadata: kept.Metadata}
		err = json.Unmarshal(kept.Payload, c.Questionnaire)
	default:
		c.Followup = &question.Followup{}
		err = json.Unmarshal(kept.Payload, c.Followup)
	}
	if err != nil {
		return question.Call{}, fmt.Errorf("the payload of a call in the store cannot be read: %w", err)
	}
	return c, nil
}

func orEmpty(codes []question.Code) []question.Code {
	if codes == nil {
		return []question.Code{}
	}
	return codes
}

// offered is what a stored call asked, and why it was invalid.
func offered(from json.RawMessage) (*protocol.Payload, *protocol.CallError, error) {
	var kept call
	if err := json.Unmarshal(from, &kept); err != nil {
		return nil, nil, fmt.Errorf("a call in the store cannot be read: %w", err)
	}
	if kept.Error != nil {
		return nil, &protocol.CallError{Code: string(kept.Error.Code), Message: kept.Message, Found: kept.Found}, nil
	}
	if kept.Payload == nil {
		return nil, nil, nil
	}
	payload := &protocol.Payload{}
	if err := json.Unmarshal(kept.Payload, payload); err != nil {
		return nil, nil, fmt.Errorf("the payload of a call in the store cannot be read: %w", err)
	}
	return payload, nil, nil
}

// SearchText is what the history's search finds a call by: everything that was asked and offered.
func SearchText(c question.Call) string {
	var words lines
	switch {
	case c.Followup != nil:
		words.add(c.Followup.Question)
		for _, suggestion := range c.Followup.Suggest {
			words.add(suggestion.Answer)
		}
	case c.Questionnaire != nil:
		for _, q := range c.Questionnaire.Questions {
			words.add(q.Question, q.Header)
			for _, option := range q.Options {
				words.add(option.Label, option.Description, option.Preview)
			}
		}
	}
	return words.String()
}
