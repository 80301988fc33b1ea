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

// heading returns who asks whom, where and when, on one line.
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

// rendered returns an item's Markdown, if it has any.
func rendered(item *protocol.InboxItem) protocol.Rendered {
	if item.Rendered == nil {
		return protocol.Rendered{}
	}
	return *item.Rendered
}

// renderedPart returns the Markdown of a question of a questionnaire, with as many options as the question has.
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

// kindStyles are the styles of Markdown.
var kindStyles = map[protocol.MarkdownKind]lipgloss.Style{
	protocol.MarkdownHeading: strong, protocol.MarkdownStrong: strong, protocol.MarkdownHeaderCell: strong,
	protocol.MarkdownEmphasis: plain.Italic(true), protocol.MarkdownQuote: plain.Italic(true),
	protocol.MarkdownDeleted: plain.Strikethrough(true), protocol.MarkdownLink: plain.Underline(true), protocol.MarkdownComment: weak,
	protocol.MarkdownCode: plain.Foreground(lipgloss.Cyan), protocol.MarkdownHunk: plain.Foreground(lipgloss.Cyan),
	protocol.MarkdownKeyword: plain.Foreground(lipgloss.Blue), protocol.MarkdownNumber: plain.Foreground(lipgloss.Yellow),
	protocol.MarkdownString: plain.Foreground(lipgloss.Yellow), protocol.MarkdownInserted: plain.Foreground(lipgloss.Green),
	protocol.MarkdownRemoved: plain.Foreground(lipgloss.Red),
}

// styled returns an agent's text in the terminal's styles: on base if it has Markdown, or else in the style plain.
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
			style = kindStyles[kind].Inherit(style)
		}
		return style.Render(tabs.Replace(archive.Plain(words)))
	})
}

// tabs replaces tabs by spaces, so that their width is known.
var tabs = strings.NewReplacer("\t", "    ")

// shown returns an agent's text without control characters.
func shown(text string) string { return tabs.Replace(strings.Trim(archive.Plain(text), "\n")) }

// wrapped returns the lines of a text in a width.
func wrapped(text string, width int) []string {
	return strings.Split(ansi.Wrap(text, max(width, 1), ""), "\n")
}

func styledLines(style lipgloss.Style, text string, width int) (lines []string) {
	for _, line := range wrapped(text, width) {
		lines = append(lines, style.Render(line))
	}
	return lines
}

// suggestion returns a suggestion with its mode.
func suggestion(speak locale.Tag, s protocol.Suggestion) string {
	if s.Mode == "" {
		return shown(s.Answer)
	}
	return fmt.Sprintf("%s (%s)", shown(s.Answer), speak.Text("mode: {0}", archive.Inline(s.Mode)))
}

// said returns the outcome of a closed question in short.
func said(speak locale.Tag, item protocol.InboxItem) string {
	if item.Outcome == nil {
		return speak.Text(locale.OutcomeWithdrawn)
	}
	return archive.Inline(archive.Said(speak, protocol.HistoryEntry{
		Agent: item.Agent, Payload: &item.Payload, Guidance: item.Guidance, Outcome: *item.Outcome,
	}))
}

// header returns what precedes the text of a question of a questionnaire: its header, if it has one.
func header(q protocol.Question) string {
	if q.Header == "" {
		return ""
	}
	return archive.Inline(q.Header) + ": "
}

// title returns a question of a questionnaire with its header, without Markdown's marks.
func title(item *protocol.InboxItem, i int) string {
	q := item.Payload.Questions[i]
	return header(q) + shown(cmp.Or(renderedPart(item, i).PlainQuestion, q.Question))
}

// answered returns the words of a pick; empty if the question was left out.
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
