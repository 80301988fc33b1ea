package conversation

import "slices"

// unresumed is why a stream cannot go on: what an earlier process has kept of it could not be looked up.
type unresumed struct {
	session string
	err     error
}

// Reopen opens a stream that an earlier process had begun to read, and that is given again from its start. None of its calls leaves
// memory from now on: what is over before it is read from the store, and what is over after, is known to Resume.
func (g *Registry) Reopen(sessionID, streamID string) error {
	delete(g.streams.refused, streamID)
	if g.streams.byID[streamID] != nil {
		return nil // it is read here
	}
	st, err := g.growing(sessionID, streamID)
	if err != nil {
		return err
	}
	st.cut = true
	return nil
}

// Resume begins a stream that was opened by Reopen, and finds those of its calls that are in memory, and those that are past.
func (g *Registry) Resume(sessionID, streamID string, past []*Record) error {
	st, err := g.growing(sessionID, streamID)
	if err != nil || !st.cut {
		return err
	}
	st.cut = false
	seen := map[string]bool{}
	for _, r := range slices.Concat(st.Conversation.Records, past) {
		if r.StreamID == streamID && r.Whole() && !seen[r.ID] {
			seen[r.ID] = true
			st.kept = append(st.kept, r)
		}
	}
	slices.SortFunc(st.kept, func(a, b *Record) int { return a.Order - b.Order })
	for _, r := range st.kept {
		g.asked = max(g.asked, r.Order) // what is new in it stands behind them
		if r.Outcome == nil {
			g.back(r)
		}
	}
	return nil
}

// Refuse has everything that comes for a stream fail which cannot be resumed, until it can: were it read as if for the first time, all
// of it would be asked twice.
func (g *Registry) Refuse(sessionID, streamID string, why error) {
	if st := g.streams.byID[streamID]; st != nil {
		if !st.cut {
			return // it is read here
		}
		delete(g.streams.byID, streamID)
		for _, r := range slices.Clone(st.Conversation.Records) {
			if r.StreamID == streamID {
				g.Forget(r)
			}
		}
	}
	g.streams.refused[streamID] = unresumed{sessionID, why}
}

// relent lets a stream be aborted that was refused: what is in memory of it is taken back then.
func (g *Registry) relent(sessionID, streamID string) {
	if _, is := g.streams.refused[streamID]; is && g.Reopen(sessionID, streamID) == nil {
		_ = g.Resume(sessionID, streamID, nil) // it was opened just now
	}
}
