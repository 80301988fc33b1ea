package terminal

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/markdown"
	"followup/internal/protocol"
)

// heading is who asks whom, where and when, on one line.
func heading(speak locale.Tag, item *protocol.InboxItem) string {
	parts := []string{archive.Inline(item.Agent)}
	if item.To != "" {
		parts = append(parts, speak.Text("for {0}", archive.Inline(item.To)))
	}
	for _, folder := range item.Workspaces {
		parts = append(parts, archive.Inline(folder.Name))
	}
	return strings.Join(append(parts, time.UnixMilli(item.AskedAt).Format("15:04")), " · ")
}

// rendered is an item's Markdown; empty where it has none.
func rendered(item *protocol.InboxItem) protocol.Rendered {
	if item.Rendered == nil {
		return protocol.Rendered{}
	}
	return *item.Rendered
}

// renderedPart is the Markdown of a question of a questionnaire, with as many options as the question has.
func renderedPart(item *protocol.InboxItem, i int) protocol.RenderedQuestion {
	var part protocol.RenderedQuestion
	if all := rendered(item).Questions; i < len(all) {
		part = all[i]
	}
	options := make([]protocol.RenderedOption, len(item.Payload.Questions[i].Options))
	copy(options, part.Options)
	part.Options = options
	return part
}

// styled is an agent's text with its Markdown in the terminal's styles, all on a base, or in the style that it has where it is plain.
func styled(base, plain lipgloss.Style, nodes []protocol.MarkdownNode, text string) string {
	if nodes == nil {
		lines := strings.Split(shown(text), "\n")
		for i, line := range lines {
			lines[i] = plain.Render(line)
		}
		return strings.Join(lines, "\n")
	}
	return markdown.StyledText(nodes, func(words string, around []protocol.MarkdownKind) string {
		style := base
		for _, kind := range around {
			switch kind {
			case protocol.MarkdownHeading, protocol.MarkdownStrong, protocol.MarkdownHeaderCell:
				style = style.Bold(true)
			case protocol.MarkdownEmphasis, protocol.MarkdownQuote:
				style = style.Italic(true)
			case protocol.MarkdownDeleted:
				style = style.Strikethrough(true)
			case protocol.MarkdownCode, protocol.MarkdownHunk:
				style = style.Foreground(lipgloss.Cyan)
			case protocol.MarkdownComment:
				style = style.Faint(true)
			case protocol.MarkdownKeyword:
				style = style.Foreground(lipgloss.Blue)
			case protocol.MarkdownNumber, protocol.MarkdownString:
				style = style.Foreground(lipgloss.Yellow)
			case protocol.MarkdownInserted:
				style = style.Foreground(lipgloss.Green)
			case protocol.MarkdownRemoved:
				style = style.Foreground(lipgloss.Red)
			case protocol.MarkdownLink:
				style = style.Underline(true)
			}
		}
		return style.Render(tabs.Replace(archive.Plain(words)))
	})
}

// tabs makes tabs as wide as they are counted.
var tabs = strings.NewReplacer("\t", "    ")

// shown is an agent's text as a terminal may have it: nothing in it steers.
func shown(text string) string { return tabs.Replace(strings.Trim(archive.Plain(text), "\n")) }

// wrapped are the lines of a text in a width.
func wrapped(text string, width int) []string {
	return strings.Split(ansi.Wrap(text, max(width, 1), ""), "\n")
}

// suggestion is one as it is offered.
func suggestion(speak locale.Tag, s protocol.Suggestion) string {
	if s.Mode == "" {
		return shown(s.Answer)
	}
	return fmt.Sprintf("%s (%s)", shown(s.Answer), speak.Text("mode: {0}", archive.Inline(s.Mode)))
}

// said is what came of a closed question, in short.
func said(speak locale.Tag, item protocol.InboxItem) string {
	if item.Outcome == nil {
		return speak.Text(locale.OutcomeWithdrawn)
	}
	return archive.Inline(archive.Said(speak, protocol.HistoryEntry{
		Agent: item.Agent, Payload: &item.Payload, Guidance: item.Guidance, Outcome: *item.Outcome,
	}))
}

// header is the header of a question of a questionnaire, to stand before its text; empty where there is none.
func header(q protocol.Question) string {
	if q.Header == "" {
		return ""
	}
	return archive.Inline(q.Header) + ": "
}

// title is a question of a questionnaire with its header, without Markdown's marks.
func title(item *protocol.InboxItem, i int) string {
	q := item.Payload.Questions[i]
	return header(q) + shown(cmp.Or(renderedPart(item, i).PlainQuestion, q.Question))
}

// answered is a pick of a question in words; empty where it is left out.
func answered(q protocol.Question, pick protocol.Pick) string {
	var all []string
	for _, k := range pick.Options {
		all = append(all, archive.Inline(q.Options[k].Label))
	}
	if pick.Other != "" {
		all = append(all, archive.Inline(pick.Other))
	}
	return strings.Join(all, ", ")
}
