package terminal

import (
	"cmp"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/markdown"
	"followup/internal/protocol"
)

// heading returns who asks whom, where and when, in one line.
func heading(speak locale.Tag, item *protocol.InboxItem) string {
	parts := []string{archive.Inline(item.Agent)}
	if item.To != "" {
		parts = append(parts, speak.Text("for {0}", archive.Inline(item.To)))
	}
	for _, folder := range item.Workspaces {
		parts = append(parts, archive.Inline(folder.Name))
	}
	parts = append(parts, time.UnixMilli(item.AskedAt).Format("15:04"))
	if item.Expires != 0 {
		at, layout := time.UnixMilli(item.Expires), "15:04"
		if at.Format(time.DateOnly) != time.Now().Format(time.DateOnly) {
			layout = "2006-01-02 15:04"
		}
		parts = append(parts, speak.Text("expires {0}", at.Format(layout)))
	}
	return strings.Join(parts, " · ")
}

// rendered returns an item's Markdown, if it has any.
func rendered(item *protocol.InboxItem) protocol.Rendered {
	if item.Rendered == nil {
		return protocol.Rendered{}
	}
	return *item.Rendered
}

// part is a question to draw: its styled text and its plain title.
type part struct {
	question, title string
	multi           bool // several options can be picked
	options         []option
}

// option is an option to draw. inline is its label in one line.
type option struct{ label, inline, description, preview string }

// parts returns the questions of an item. An approval, or a questionnaire that is still arriving, has one part without text.
func parts(speak locale.Tag, item *protocol.InboxItem) (all []part) {
	read := rendered(item)
	switch asked := item.Payload; {
	case asked.Followup != nil:
		one := part{question: styled(plain, strong, read.Question, asked.Question)}
		for _, s := range asked.Suggest {
			label := shown(s.Answer)
			if s.Mode != "" {
				label += " (" + speak.Text("mode: {0}", archive.Inline(s.Mode)) + ")"
			}
			one.options = append(one.options, option{label: label, inline: archive.Inline(label)})
		}
		return []part{one}
	case asked.Questionnaire == nil || len(asked.Questions) == 0:
		return []part{{}}
	}
	for i, q := range item.Payload.Questions {
		var r protocol.RenderedQuestion
		if i < len(read.Questions) {
			r = read.Questions[i]
		}
		header := archive.Inline(q.Header)
		if header != "" {
			header += ": "
		}
		one := part{
			question: strong.Render(header) + styled(plain, strong, r.Question, q.Question),
			title:    header + shown(cmp.Or(r.PlainQuestion, q.Question)), multi: q.MultiSelect,
		}
		for k, o := range q.Options {
			var read protocol.RenderedOption
			if k < len(r.Options) {
				read = r.Options[k]
			}
			one.options = append(one.options, option{
				shown(o.Label), archive.Inline(o.Label), styled(weak, weak, read.Description, o.Description), styled(plain, plain, read.Preview, o.Preview),
			})
		}
		all = append(all, one)
	}
	return all
}

// said returns a pick in words; empty if the question was skipped.
func (p part) said(pick protocol.Pick) string {
	var all []string
	for _, k := range pick.Options {
		if k < len(p.options) { // another view's draft may be newer
			all = append(all, p.options[k].inline)
		}
	}
	if pick.Other != "" {
		all = append(all, archive.Inline(pick.Other))
	}
	return strings.Join(all, ", ")
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
		return painted(plain, shown(text))
	}
	return markdown.StyledText(nodes, func(words string, around []protocol.MarkdownKind) string {
		style := base
		for _, kind := range around {
			if style = kindStyles[kind].Inherit(style); kind == protocol.MarkdownControl { // visibly different from the same letters
				words = "‹" + words + "›"
			}
		}
		return style.Render(tabs.Replace(archive.Plain(words)))
	})
}

// painted returns a text in a style, line by line. Otherwise the style would make all lines equally wide.
func painted(style lipgloss.Style, text string) string {
	if text == "" {
		return "" // it would consist of escape codes only
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return strings.Join(lines, "\n")
}

// tabs replaces tabs by spaces, so that their width is known.
var tabs = strings.NewReplacer("\t", "    ")

// shown returns an agent's text without control characters.
func shown(text string) string { return tabs.Replace(strings.Trim(archive.Plain(text), "\n")) }
