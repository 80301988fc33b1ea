package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"followup/internal/question"
)

// Asked is a question of an agent's own tool, which may have fewer or more options than question.ToolAskUser accepts. Its JSON is
// that of a question of that tool.
type Asked struct {
	Question string           `json:"question"`
	Header   string           `json:"header"`
	Options  few[AskedOption] `json:"options"`
	Multi    bool             `json:"multiSelect"`
	// ID identifies the question in the result. Few tools have it.
	ID string `json:"-"`
}

// AskedOption is an option of such a question. A JSON string is its label.
type AskedOption question.Option

// UnmarshalJSON never fails, so that the other options are parsed. An option of the wrong type has no label.
func (o *AskedOption) UnmarshalJSON(from []byte) error {
	if json.Unmarshal(from, &o.Label) != nil {
		_ = json.Unmarshal(from, (*question.Option)(o))
	}
	return nil
}

// maxAsked is how many questions are parsed, and options of each: far more than any agent asks.
const maxAsked = 64

// few is a JSON list whose first items are parsed.
type few[T any] []T

// UnmarshalJSON parses as much as possible, even if it returns an error.
func (f *few[T]) UnmarshalJSON(from []byte) (err error) {
	items := json.NewDecoder(bytes.NewReader(from))
	if from[0] != '[' {
		var list []T
		return json.Unmarshal(from, &list) // null, or an error
	}
	_, err = items.Token()
	for items.More() && len(*f) < maxAsked {
		var one T
		err = cmp.Or(err, items.Decode(&one))
		*f = append(*f, one)
	}
	return err
}

// spelled is a question with all spellings of the tools' fields.
type spelled struct {
	Asked
	ID       string           `json:"id"`
	Choices  few[AskedOption] `json:"choices"`      // Copilot CLI
	Multiple bool             `json:"multiple"`     // opencode
	MultiSel bool             `json:"multi_select"` // Kimi Code
	Type     string           `json:"type"`         // Gemini CLI
	IsSecret bool             `json:"isSecret"`     // Codex: the answer must not be shown
}

func (s spelled) asked() Asked {
	s.Asked.ID, s.Multi, s.Options = s.ID, s.Multi || s.Multiple || s.MultiSel, append(s.Options, s.Choices...)
	switch s.Type {
	case "yesno":
		s.Options = few[AskedOption]{{Label: "Yes"}, {Label: "No"}}
	case "text":
		s.Options = nil
	}
	return s.Asked
}

// ReadAsked parses the arguments of an agent's own tool: {"questions": […]}, or a single question. It returns no questions if one
// asks for a secret, since a secret must not be stored. With an error it returns what it could parse.
func ReadAsked(input []byte) (all []Asked, err error) {
	var from struct {
		spelled
		Questions few[spelled] `json:"questions"`
	}
	err = json.Unmarshal(input, &from)
	if from.Questions == nil && from.Question != "" {
		from.Questions = few[spelled]{from.spelled}
	}
	if slices.ContainsFunc(from.Questions, func(s spelled) bool { return s.IsSecret }) {
		return nil, err
	}
	for _, one := range from.Questions {
		all = append(all, one.asked())
	}
	return all, err
}
