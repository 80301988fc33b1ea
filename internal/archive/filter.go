package archive

import (
	"time"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
)

// NewFilter converts a filter and a search text of the protocol for the store.
func NewFilter(f protocol.HistoryFilter, text string) store.Filter {
	return store.Filter{
		Agents: f.Agents, Workspaces: f.Workspaces, Kinds: named[question.Kind](f.Kinds), Outcomes: named[question.Outcome](f.Outcomes),
		From: moment(f.From), To: moment(f.To), Text: text,
	}
}

// named converts values of the protocol for the store.
func named[To, From ~string](from []From) (to []To) {
	for _, value := range from {
		to = append(to, To(value))
	}
	return to
}

// moment converts a time of the protocol; 0 means none.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
