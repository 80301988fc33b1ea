package terminal

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// heading is who asks, where and when, on one line.
func heading(item *protocol.InboxItem) string {
	parts := []string{archive.Inline(item.Agent)}
	for _, folder := range item.Workspaces {
		parts = append(parts, archive.Inline(folder.Name))
	}
	return strings.Join(append(parts, time.UnixMilli(item.AskedAt).Format("15:04")), " · ")
}

// shown is an agent's text as a terminal may have it: nothing in it steers, and tabs are as wide as they are counted.
func shown(text string) string {
	return strings.ReplaceAll(strings.Trim(archive.Plain(text), "\n"), "\t", "    ")
}

// wrapped are the lines of a text in a width.
func wrapped(text string, width int) []string {
	return strings.Split(ansi.Wrap(text, max(width, 1), ""), "\n")
}

// suggestion is one as it is offered.
func suggestion(speak locale.Tag, s protocol.Suggestion) string {
	if s.Mode == "" {
		return shown(s.Answer)
	}
	return fmt.Sprintf("%s (%s)", shown(s.Answer), speak.Text(locale.AnswerMode, archive.Inline(s.Mode)))
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

// title is a question of a questionnaire with its header.
func title(q protocol.Question) string {
	if q.Header == "" {
		return shown(q.Question)
	}
	return archive.Inline(q.Header) + ": " + shown(q.Question)
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
