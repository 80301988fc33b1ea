package archive

import (
	"time"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
)

// NewFilter is a filter of the protocol's, and the text that is searched for, as the store takes it.
func NewFilter(f protocol.HistoryFilter, text string) store.Filter {
	return store.Filter{
		Agents: f.Agents, Workspaces: f.Workspaces, Kinds: named[question.Kind](f.Kinds), Outcomes: named[question.Outcome](f.Outcomes),
		From: moment(f.From), To: moment(f.To), Text: text,
	}
}

// named are values of the protocol's as the store takes them.
func named[To, From ~string](from []From) (to []To) {
	for _, value := range from {
		to = append(to, To(value))
	}
	return to
}

// moment is a time of the protocol's; 0 is none.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
