package hook

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"followup/internal/dialect"
	"followup/internal/locale"
)

// readCopilot parses Copilot CLI's message to a hook, which it sends for every tool:
// https://docs.github.com/copilot/reference/hooks-configuration. The arguments are a form or, from other models and older
// versions, a question with choices. Some versions send them as JSON in a string.
func readCopilot(from copilotInput, _ locale.Tag) (*Call, error) {
	if from.Tool != "ask_user" {
		return nil, nil
	}
	var inside string
	if json.Unmarshal(from.Input, &inside) == nil {
		from.Input = json.RawMessage(inside)
	}
	var input struct {
		Message string `json:"message"`
		Form    struct {
			Fields map[string]copilotField `json:"properties"`
		} `json:"requestedSchema"`
	}
	alone, err := dialect.ReadAsked(from.Input)
	if err = cmp.Or(json.Unmarshal(from.Input, &input), err); err != nil {
		return nil, err
	}
	c := &Call{conversation: from.Session, folder: from.Folder, given: from.Input}
	var fields copilotFields
	gjson.GetBytes(from.Input, "requestedSchema.properties").ForEach(func(name, _ gjson.Result) bool {
		field := input.Form.Fields[name.String()]
		field.name = name.String()
		fields = append(fields, field)
		return true
	})
	questions := fields.questions(input.Message)
	switch {
	case len(questions) > 0:
		return c.ask(questions), nil
	case len(alone) > 0:
		return c.askOne(alone[0]), nil
	case input.Message != "":
		return c.askOne(dialect.Asked{Question: input.Message}), nil
	}
	return nil, nil
}

type copilotInput struct {
	Session string          `json:"sessionId"`
	Folder  string          `json:"cwd"`
	Tool    string          `json:"toolName"`
	Input   json.RawMessage `json:"toolArgs"`
}

// copilotField is a field of a form.
type copilotField struct {
	name        string
	Type        string        `json:"type"`
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Enum        []string      `json:"enum"`
	EnumNames   []string      `json:"enumNames"`
	OneOf       []copilotEnum `json:"oneOf"`
	Items       struct {
		Enum  []string      `json:"enum"`
		AnyOf []copilotEnum `json:"anyOf"`
	} `json:"items"`
}

// copilotEnum is a value and its label.
type copilotEnum struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

// copilotFields are the fields of a form in their JSON order.
type copilotFields []copilotField

// questions converts the fields to questions. The form's message precedes the first one.
func (f copilotFields) questions(message string) (all []dialect.Asked) {
	for i, field := range f {
		title := cmp.Or(field.Title, field.name)
		var text []string
		if i == 0 {
			text = append(text, nonEmpty(message)...)
		}
		if len(f) > 1 || message == "" {
			text = append(text, title)
		}
		text = append(text, nonEmpty(field.Description)...)
		all = append(all, dialect.Asked{
			Question: strings.Join(text, "\n\n"), Header: title, Options: field.options(), Multi: field.Type == "array",
		})
	}
	return all
}

// options returns a field's suggestions: labels, with the values that differ from them.
func (f copilotField) options() (all []dialect.AskedOption) {
	if f.Type == "boolean" {
		return []dialect.AskedOption{{Label: "Yes"}, {Label: "No"}}
	}
	for i, value := range append(f.Enum, f.Items.Enum...) {
		o := dialect.AskedOption{Label: value}
		if i < len(f.EnumNames) && f.EnumNames[i] != value {
			o = dialect.AskedOption{Label: f.EnumNames[i], Description: value}
		}
		all = append(all, o)
	}
	for _, each := range append(f.OneOf, f.Items.AnyOf...) {
		o := dialect.AskedOption{Label: cmp.Or(each.Title, each.Const)}
		if each.Const != o.Label {
			o.Description = each.Const
		}
		all = append(all, o)
	}
	return all
}

// answerCopilot denies the call with the outcome as the reason: Copilot CLI accepts no other answer from a hook.
func answerCopilot(_ *Call, r reply) any {
	return map[string]any{"permissionDecision": "deny", "permissionDecisionReason": r.result}
}
