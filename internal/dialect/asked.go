package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"followup/internal/question"
)

// Asked is a question of an agent's own tool, which can have fewer options, or more, than question.ToolAskUser takes. As JSON it is one of
// that tool's.
type Asked struct {
	Question string           `json:"question"`
	Header   string           `json:"header"`
	Options  few[AskedOption] `json:"options"`
	Multi    bool             `json:"multiSelect"`
	// ID is by what the result names the question. Few tools have it.
	ID string `json:"-"`
}

// AskedOption is an option of such a question. In JSON a text is its label.
type AskedOption question.Option

// UnmarshalJSON never fails, so that the other options are read: one of another type has no label.
func (o *AskedOption) UnmarshalJSON(from []byte) error {
	if json.Unmarshal(from, &o.Label) != nil {
		_ = json.Unmarshal(from, (*question.Option)(o))
	}
	return nil
}

// maxAsked is how many questions are read, and options of each: far more than anybody asks.
const maxAsked = 64

// few is a list in JSON of which the first items are read.
type few[T any] []T

// UnmarshalJSON reads what it can, also with an error.
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

// spelled is a question as the tools spell it.
type spelled struct {
	Asked
	ID       string           `json:"id"`
	Choices  few[AskedOption] `json:"choices"`  // Copilot CLI
	Multiple bool             `json:"multiple"` // opencode
	Type     string           `json:"type"`     // Gemini CLI
	IsSecret bool             `json:"isSecret"` // Codex: the answer must not be shown
}

func (s spelled) asked() Asked {
	s.Asked.ID, s.Multi, s.Options = s.ID, s.Multi || s.Multiple, append(s.Options, s.Choices...)
	switch s.Type {
	case "yesno":
		s.Options = few[AskedOption]{{Label: "Yes"}, {Label: "No"}}
	case "text":
		s.Options = nil
	}
	return s.Asked
}

// ReadAsked reads the arguments of an agent's own tool: {"questions": […]}, or a question alone. It returns no questions if one asks for a
// secret: what must not be shown must not be kept. With an error it returns what it could read.
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
