// Package render parses the Markdown of questions for the interfaces.
package render

import (
	"followup/internal/markdown"
	"followup/internal/protocol"
	"followup/internal/subject"
)

// Item parses the Markdown of a payload, which may be nil, and of its envelope. It returns nil if all texts are plain.
func Item(p *protocol.Payload, e protocol.Envelope) *protocol.Rendered {
	var rendered protocol.Rendered
	any := false
	switch {
	case p == nil:
	case p.Followup != nil:
		rendered.Question, rendered.PlainQuestion = text(p.Question)
		any = rendered.Question != nil
	case p.Questionnaire != nil:
		rendered.Questions = questions(p.Questions)
		any = rendered.Questions != nil
	case p.Approval != nil:
		s := p.Subject
		rendered.Subject, rendered.Folder, rendered.Path = subject.Nodes(s), subject.Exact(s.Folder), subject.Exact(s.Path)
		rendered.Name, rendered.OtherArguments = subject.Exact(s.Name), subject.Exact(s.OtherArguments)
		if s.Kind == protocol.SubjectPlan {
			rendered.Subject = markdown.Text(s.Text)
			if before := markdown.Text(e.PreviousPlan); before != nil && rendered.Subject != nil {
				rendered.Changes = markdown.Changes(before, rendered.Subject)
			}
		}
		any = true
	}
	if e.Context != "" {
		rendered.Context, rendered.PlainContext = text(e.Context)
		any = any || rendered.Context != nil
	}
	if !any {
		return nil
	}
	return &rendered
}

// questions parses the Markdown of a questionnaire. It returns nil if all texts are plain.
func questions(asked []protocol.Question) (all []protocol.RenderedQuestion) {
	any := false
	for _, q := range asked {
		one := protocol.RenderedQuestion{Options: []protocol.RenderedOption{}}
		one.Question, one.PlainQuestion = text(q.Question)
		any = any || one.Question != nil
		for _, option := range q.Options {
			var shown protocol.RenderedOption
			shown.Description, shown.PlainDescription = text(option.Description)
			if option.Preview != "" {
				shown.Preview = markdown.Preview(option.Preview)
				shown.PlainPreview = unlessSame(shown.Preview, option.Preview)
			}
			any = any || shown.Description != nil || shown.Preview != nil
			one.Options = append(one.Options, shown)
		}
		all = append(all, one)
	}
	if !any {
		return nil
	}
	return all
}

// text returns a text's nodes and its plain text. It returns nothing if the Markdown is a single paragraph equal to the
// text.
func text(s string) (nodes []protocol.MarkdownNode, plain string) {
	nodes = markdown.Text(s)
	if len(nodes) == 1 && nodes[0].Kind == protocol.MarkdownParagraph && nodes[0].Nodes == nil && nodes[0].Text == s {
		return nil, ""
	}
	return nodes, unlessSame(nodes, s)
}

// unlessSame returns the plain text of nodes, or "" if it equals the source.
func unlessSame(nodes []protocol.MarkdownNode, from string) string {
	if plain := markdown.PlainText(nodes); plain != from {
		return plain
	}
	return ""
}
