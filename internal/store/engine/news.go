package engine

import (
	"maps"
	"slices"

	"followup/internal/store"
)

// What of a question was written, in the log's column of that name; they may be added.
const (
	WroteQuestion = 1 << iota // it was asked, or its state or its owner has changed
	WroteDraft
	WroteOutcome
	WroteCollected
	WroteHistory // closed questions were imported, deleted, restored or removed
	WroteAccounts
)

// News are gathered out of the rows of the log that others have written.
type News struct {
	Sessions []string // ids, in the order of writing
	written  map[int64]int
	sessions map[string]bool
}

// Add takes a row: what was written of the question with a place in the order of asking, or of a session.
func (n *News) Add(order int64, session string, what int) {
	if n.written == nil {
		n.written, n.sessions = map[int64]int{}, map[string]bool{}
	}
	n.written[order] |= what
	if session != "" && !n.sessions[session] {
		n.sessions[session] = true
		n.Sessions = append(n.Sessions, session)
	}
}

// Tell tells in changes what else was written than questions and sessions, and gives the places of the questions that have to be read
// whole, and of those of which the draft does, in order.
func (n *News) Tell(c *store.Changes) (whole, drafts []int64) {
	for _, order := range slices.Sorted(maps.Keys(n.written)) {
		what := n.written[order]
		c.History = c.History || what&WroteHistory != 0
		c.Accounts = c.Accounts || what&WroteAccounts != 0
		switch {
		case order <= 0:
		case what&(WroteQuestion|WroteOutcome) != 0:
			whole = append(whole, order)
		case what&WroteDraft != 0:
			drafts = append(drafts, order)
		}
	}
	return whole, drafts
}

// Lapsed tells that a log cannot tell what was written since a revision: it goes back less far, or has not come to it yet, since a backup
// was put in the place of the store.
func Lapsed(since, oldest, newest store.Revision) bool { return since < oldest-1 || since > newest }
