package conversation

import "context"

// turns keep the messages of one session in order while some of them wait for a look-up. Other sessions do not wait. The
// registry's lock guards the fields.
type turns struct {
	first  <-chan struct{}   // delays the first turn of each session; nil means no delay
	last   map[string]*Turn  // the last turn of each session
	asking map[string]string // the session of a question that is being looked up, by id
}

// Turn is a place in the order of a session's messages. A nil Turn can start at once.
type Turn struct {
	registry        *Registry
	session, asking string
	before          <-chan struct{} // closed when the previous turn ends; nil if there is none
	done            chan struct{}
}

// HoldTurns makes all turns wait until ready is closed. It is called under the lock.
func (g *Registry) HoldTurns(ready <-chan struct{}) { g.turns.first = ready }

// Turn takes the next turn in a session; the caller calls End. asking is the id of a question to look up, or empty.
func (g *Registry) Turn(session, asking string) (t *Turn) {
	g.View(func() { t = g.nextTurn(session, asking) })
	return t
}

// TurnBehind takes the turn after the one that looks up a question; nil if there is none.
func (g *Registry) TurnBehind(question string) (t *Turn) {
	g.View(func() {
		if session, ok := g.turns.asking[question]; ok {
			t = g.nextTurn(session, "")
		}
	})
	return t
}

func (g *Registry) nextTurn(session, asking string) *Turn {
	t := &Turn{registry: g, session: session, asking: asking, before: g.turns.first, done: make(chan struct{})}
	if last := g.turns.last[session]; last != nil {
		t.before = last.done
	}
	g.turns.last[session] = t
	if asking != "" {
		g.turns.asking[asking] = session
	}
	return t
}

// Come reports whether it is this turn's time.
func (t *Turn) Come() bool {
	if t == nil {
		return true
	}
	select {
	case <-t.before:
		return true
	default:
		return t.before == nil
	}
}

// Wait blocks until it is this turn's time.
func (t *Turn) Wait(ctx context.Context) error {
	if t.Come() {
		return nil
	}
	select {
	case <-t.before:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// End ends the turn. If its time has not come yet, it ends as soon as that comes.
func (t *Turn) End() {
	if t == nil {
		return
	}
	if !t.Come() {
		go func() {
			<-t.before
			t.End()
		}()
		return
	}
	t.registry.View(func() {
		if t.registry.turns.last[t.session] == t {
			delete(t.registry.turns.last, t.session)
		}
		delete(t.registry.turns.asking, t.asking)
		close(t.done)
	})
}
