package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"followup/internal/protocol"
)

// Every text that has Markdown comes with its plain text, and no other does.
func TestPlainTexts(t *testing.T) {
	followup := func(question string) *protocol.Payload {
		return &protocol.Payload{Followup: &protocol.Followup{Question: question}}
	}
	questionnaire := &protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: []protocol.Question{
		{Question: "**Which** store?", Options: []protocol.Option{
			{Label: "a", Description: "[Fast](https://example.org)", Preview: "- [x] *a*"}, {Label: "b", Description: "Slow", Preview: "a   b"},
		}},
		{Question: "Which checks?"},
	}}}
	for name, test := range map[string]struct {
		payload *protocol.Payload
		context string
		want    *protocol.Rendered
	}{
		"plain":                {followup("Which?"), "I read it.", nil},
		"a question":           {followup("Drop `users`?"), "I read it.", &protocol.Rendered{PlainQuestion: "Drop users?"}},
		"a context":            {followup("Which?"), "I read **it**.", &protocol.Rendered{PlainContext: "I read it."}},
		"no call":              {nil, "*a*", &protocol.Rendered{PlainContext: "a"}},
		"the same without one": {followup("a\n\nb"), "", &protocol.Rendered{}},
		"a questionnaire": {questionnaire, "", &protocol.Rendered{Questions: []protocol.RenderedQuestion{
			{PlainQuestion: "Which store?", Options: []protocol.RenderedOption{{PlainDescription: "Fast", PlainPreview: "☑ a"}, {}}},
			{Options: []protocol.RenderedOption{}},
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			nodes := cmpopts.IgnoreTypes([]protocol.MarkdownNode{})
			if diff := cmp.Diff(test.want, Item(test.payload, protocol.Envelope{Context: test.context}), nodes); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
