package conversation

import (
	"context"
	"sync"
)

// turns keeps the messages of one session in order while some of it is looked up; other sessions do not wait.
type turns struct {
	mu     sync.Mutex
	before <-chan struct{}   // what every first turn waits for; nil: nothing
	last   map[string]*Turn  // the last one in each session
	asking map[string]string // the session of a question that is being looked up, by its id
}

// Turn is a place in the order in which messages came for a session.
type Turn struct {
	turns   *turns
	session string
	before  <-chan struct{} // closed when it has come; nil: it has
	done    chan struct{}
	asking  string
}

// HoldTurns has all turns wait until ready is closed.
func (g *Registry) HoldTurns(ready <-chan struct{}) {
	g.turns.mu.Lock()
	defer g.turns.mu.Unlock()
	g.turns.before = ready
}

// Turn takes the next turn in a session; End has to be called. asking is the id of a question to look up, or empty.
func (g *Registry) Turn(session, asking string) *Turn {
	g.turns.mu.Lock()
	defer g.turns.mu.Unlock()
	return g.turns.next(session, asking)
}

// TurnBehind takes a turn behind the one in which a question is being looked up; nil when it is not.
func (g *Registry) TurnBehind(question string) *Turn {
	g.turns.mu.Lock()
	defer g.turns.mu.Unlock()
	if session, ok := g.turns.asking[question]; ok {
		return g.turns.next(session, "")
	}
	return nil
}

func (t *turns) next(session, asking string) *Turn {
	turn := &Turn{turns: t, session: session, before: t.before, done: make(chan struct{}), asking: asking}
	if last := t.last[session]; last != nil {
		turn.before = last.done
	}
	t.last[session] = turn
	if asking != "" {
		t.asking[asking] = session
	}
	return turn
}

// Come tells whether nothing is before it any more.
func (t *Turn) Come() bool {
	select {
	case <-t.before:
		return true
	default:
		return t.before == nil
	}
}

// Wait waits until nothing is before it any more.
func (t *Turn) Wait(ctx context.Context) error {
	if t.before == nil {
		return nil
	}
	select {
	case <-t.before:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// pending tells whether something has a turn in a session.
func (t *turns) pending(session string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last[session] != nil
}

// End lets the next one come. One that was given up before it came ends when it would have come.
func (t *Turn) End() {
	if !t.Come() {
		go func() {
			<-t.before
			t.end()
		}()
		return
	}
	t.end()
}

func (t *Turn) end() {
	t.turns.mu.Lock()
	defer t.turns.mu.Unlock()
	if t.turns.last[t.session] == t {
		delete(t.turns.last, t.session)
	}
	if t.asking != "" {
		delete(t.turns.asking, t.asking)
	}
	close(t.done)
}
