// Package render gives the Markdown of a question as HTML that is safe to show.
package render

import (
	"html"
	"strings"

	"followup/internal/markdown"
	"followup/internal/protocol"
)

// Payload is a payload's Markdown as HTML; nil when the texts are plain.
func Payload(p *protocol.Payload) *protocol.Rendered {
	switch {
	case p == nil:
	case p.Followup != nil:
		if text := unlessPlain(p.Question); text != "" {
			return &protocol.Rendered{Question: text}
		}
	case p.Questionnaire != nil:
		return questions(p.Questions)
	}
	return nil
}

func questions(asked []protocol.Question) *protocol.Rendered {
	all := &protocol.Rendered{}
	any := false
	for _, q := range asked {
		one := protocol.RenderedQuestion{Question: unlessPlain(q.Question), Options: []protocol.RenderedOption{}}
		any = any || one.Question != ""
		for _, option := range q.Options {
			shown := protocol.RenderedOption{Description: unlessPlain(option.Description)}
			if option.Preview != "" {
				shown.Preview = markdown.Preview(option.Preview)
			}
			any = any || shown != protocol.RenderedOption{}
			one.Options = append(one.Options, shown)
		}
		all.Questions = append(all.Questions, one)
	}
	if !any {
		return nil
	}
	return all
}

// unlessPlain is a text's HTML, or nothing where that is one paragraph of the text itself.
func unlessPlain(text string) string {
	made := markdown.Text(text)
	inner, one := strings.CutPrefix(strings.TrimSuffix(made, "</p>"), "<p>")
	if one && !strings.Contains(inner, "<") && html.UnescapeString(inner) == text {
		return ""
	}
	return made
}
