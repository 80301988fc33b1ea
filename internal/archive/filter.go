package archive

import (
	"time"

	"followup/internal/protocol"
	"followup/internal/store"
)

// NewFilter converts a filter and a search text of the protocol for the store.
func NewFilter(f protocol.HistoryFilter, text string) store.Filter {
	return store.Filter{
		Agents: f.Agents, Workspaces: f.Workspaces, Kinds: f.Kinds, Outcomes: f.Outcomes,
		From: moment(f.From), To: moment(f.To), Text: text,
	}
}

// moment converts a time of the protocol; 0 means none.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
