package conversation

import (
	"slices"

	"followup/internal/protocol"
)

// Reopen opens a stream that an earlier process began to parse. From now on its calls stay in memory for Resume.
func (g *Registry) Reopen(of protocol.StreamParams) error {
	if st := g.streams.byID[of]; st != nil && st.refused == nil {
		return nil // this process is parsing it
	}
	delete(g.streams.byID, of)
	st, err := g.growing(of)
	if err == nil {
		st.cut = true
	}
	return err
}

// Resume starts a stream opened by Reopen, with the earlier process's calls: those in memory, and the past ones.
func (g *Registry) Resume(of protocol.StreamParams, past []*Record) error {
	st, err := g.growing(of)
	if err != nil || !st.cut {
		return err
	}
	st.cut = false
	seen := map[string]bool{}
	for _, r := range slices.Concat(st.Conversation.Records, past) {
		if r.StreamID == of.StreamID && r.Whole() && !seen[r.ID] {
			seen[r.ID] = true
			st.kept = append(st.kept, r)
		}
	}
	slices.SortFunc(st.kept, func(a, b *Record) int { return a.Order - b.Order })
	for _, r := range st.kept {
		g.asked = max(g.asked, r.Order) // new questions come after them
		if r.Outcome == nil {
			g.back(r)
		}
	}
	return nil
}

// Refuse makes a stream fail because it cannot be resumed yet. Parsing it as a new one would ask its questions twice.
func (g *Registry) Refuse(of protocol.StreamParams, why error) {
	st := g.streams.byID[of]
	if st == nil { // its session could not be looked up
		st = &Stream{StreamParams: of, Conversation: &Conversation{ID: of.Session}, cut: true}
		g.streams.byID[of] = st
	}
	if st.cut {
		st.refused = why
	}
}
