// Package archive encodes questions: as JSON in the store, and in the formats for people and other programs.
package archive

import (
	"encoding/json"
	"fmt"

	"followup/internal/protocol"
	"followup/internal/question"
)

// call is a parsed call in the store.
type call struct {
	question.Envelope
	// Payload is the standard form of the tool; absent for an invalid call.
	Payload json.RawMessage `json:"payload,omitempty"`
	// Metadata is a questionnaire's. It belongs to the agent, and nobody gets it.
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Repairs  []question.Code `json:"repairs,omitempty"`
	Notices  []question.Code `json:"notices,omitempty"`
	Error    *question.Error `json:"error,omitempty"`
	// Message is the error for the agent.
	Message string `json:"message,omitempty"`
	// Found is appended to the message.
	Found string `json:"found,omitempty"`
	// Ordinal is the call's position in its message.
	Ordinal int `json:"ordinal,omitempty"`
}

// EncodeCall encodes a call for the store. said is its error in the agent's language; nil for a valid call.
func EncodeCall(c question.Call, said *protocol.CallError) (json.RawMessage, error) {
	kept := call{Repairs: c.Repairs, Notices: c.Notices, Error: c.Err, Envelope: c.Envelope, Ordinal: c.Ordinal}
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
	case c.Approval != nil:
		kept.Payload, err = json.Marshal(c.Approval)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(kept)
}

// DecodeCall decodes a call of the tool that EncodeCall encoded.
func DecodeCall(tool string, from json.RawMessage) (question.Call, error) {
	var kept call
	if err := json.Unmarshal(from, &kept); err != nil {
		return question.Call{}, fmt.Errorf("a call in the store cannot be read: %w", err)
	}
	c := question.Call{Tool: tool, Repairs: kept.Repairs, Notices: kept.Notices, Err: kept.Error, Envelope: kept.Envelope, Ordinal: kept.Ordinal}
	if c.Err == nil {
		c.Repairs, c.Notices = orEmpty(c.Repairs), orEmpty(c.Notices)
	}
	var err error
	switch {
	case kept.Payload == nil:
	case tool == question.ToolAskUser:
		c.Questionnaire = &question.Questionnaire{Metadata: kept.Metadata}
		err = json.Unmarshal(kept.Payload, c.Questionnaire)
	case tool == question.ToolApproval:
		c.Approval = &question.Approval{}
		err = json.Unmarshal(kept.Payload, c.Approval)
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

// asked is a stored call for people.
type asked struct {
	protocol.Envelope
	payload *protocol.Payload
	wrong   *protocol.CallError // why it was invalid
}

// offered decodes the content of a stored call.
func offered(from json.RawMessage) (asked, error) {
	var kept call
	if err := json.Unmarshal(from, &kept); err != nil {
		return asked{}, fmt.Errorf("a call in the store cannot be read: %w", err)
	}
	a := asked{Envelope: protocol.Envelope(kept.Envelope)}
	switch {
	case kept.Error != nil:
		a.wrong = &protocol.CallError{Code: string(kept.Error.Code), Message: kept.Message, Found: kept.Found}
	case kept.Payload != nil:
		a.payload = &protocol.Payload{}
		if err := json.Unmarshal(kept.Payload, a.payload); err != nil {
			return asked{}, fmt.Errorf("the payload of a call in the store cannot be read: %w", err)
		}
	}
	return a, nil
}

// SearchText returns the text of a call for the history's search: the question and everything offered.
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
	case c.Approval != nil:
		s := c.Approval.Subject
		words.add(c.Approval.Title, s.Text, s.Folder, s.Path, s.Before, s.After, s.Name, s.OtherArguments, c.Approval.Reason)
	}
	return words.String()
}
