// Package render reads the Markdown of a question, for showing it.
package render

import (
	"followup/internal/markdown"
	"followup/internal/protocol"
)

// Item is the Markdown of a payload, which may be nil, and of what the agent wrote before it; nil if all texts are plain.
func Item(p *protocol.Payload, context string) *protocol.Rendered {
	var rendered *protocol.Rendered
	switch {
	case p == nil:
	case p.Followup != nil:
		if text := unlessPlain(p.Question); text != nil {
			rendered = &protocol.Rendered{Question: text}
		}
	case p.Questionnaire != nil:
		rendered = questions(p.Questions)
	}
	if nodes := unlessPlain(context); context != "" && nodes != nil {
		if rendered == nil {
			rendered = &protocol.Rendered{}
		}
		rendered.Context = nodes
	}
	return rendered
}

func questions(asked []protocol.Question) *protocol.Rendered {
	all := &protocol.Rendered{}
	any := false
	for _, q := range asked {
		one := protocol.RenderedQuestion{Question: unlessPlain(q.Question), Options: []protocol.RenderedOption{}}
		any = any || one.Question != nil
		for _, option := range q.Options {
			shown := protocol.RenderedOption{Description: unlessPlain(option.Description)}
			if option.Preview != "" {
				shown.Preview = markdown.Preview(option.Preview)
			}
			any = any || shown.Description != nil || shown.Preview != nil
			one.Options = append(one.Options, shown)
		}
		all.Questions = append(all.Questions, one)
	}
	if !any {
		return nil
	}
	return all
}

// unlessPlain is a text's Markdown, or nothing where that is one paragraph of the text itself.
func unlessPlain(text string) []protocol.MarkdownNode {
	nodes := markdown.Text(text)
	if len(nodes) == 1 && nodes[0].Kind == protocol.MarkdownParagraph && nodes[0].Nodes == nil && nodes[0].Text == text {
		return nil
	}
	return nodes
}
