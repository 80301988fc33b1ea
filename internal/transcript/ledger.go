package transcript

import (
	"container/list"
	"crypto/sha256"
	"time"

	"followup/internal/question"
)

// call is a call that waits for its result.
type call struct {
	id     string // the exchange's; empty where it is made when the result is there
	ref    string // the id in the log
	source Source // if only the call has it
	tool   string
	input  []byte
	read   *question.Call // if dialect does not read input
	native *native        // where the result has a form of its own
	keys   []string       // what that names the questions by
	shared bool           // the id is the call's own
	asked  time.Time
	place  *list.Element
}

// Bounds of what a ledger keeps.
const (
	maxOpen      = 10_000
	maxOpenBytes = 16 << 20
	maxKnown     = 200_000 // ids in one of two generations
)

// ledger holds the calls that wait for their result, and knows those that are over: request logs repeat them in every later
// request. It is bounded: it gives up the call that waits longest for a new one, and forgets half of the ids when there are
// too many. An exchange can then be emitted twice, with the same id.
type ledger struct {
	open  map[string]*call // by key
	ids   map[string]int   // how many of open have an id
	order *list.List       // keys of open, as they came
	bytes int              // of the inputs in open
	known generations[struct{}]
}

func newLedger() ledger {
	return ledger{open: map[string]*call{}, ids: map[string]int{}, order: list.New(), known: generations[struct{}]{size: maxKnown}}
}

// add opens a call, and returns how many others were given up for it. A call that is open already stays as it is.
func (l *ledger) add(key string, c *call) (lost int) {
	if before := l.open[key]; before != nil {
		if before.id == c.id && c.id != "" {
			return 0
		}
		l.take(key)
		lost++
	}
	l.open[key], c.place = c, l.order.PushBack(key)
	l.bytes += len(c.input)
	l.ids[c.ref]++
	for len(l.open) > 1 && (len(l.open) > maxOpen || l.bytes > maxOpenBytes) {
		l.take(l.order.Front().Value.(string))
		lost++
	}
	return lost
}

// take closes a call and returns it, or nil if it is not open.
func (l *ledger) take(key string) *call {
	c := l.open[key]
	if c != nil {
		delete(l.open, key)
		l.order.Remove(c.place)
		l.bytes -= len(c.input)
		if l.ids[c.ref]--; l.ids[c.ref] == 0 {
			delete(l.ids, c.ref)
		}
	}
	return c
}

// waits reports whether a call with the id in its log is open.
func (l *ledger) waits(id []byte) bool { return l.ids[string(id)] > 0 }

// end notes that the exchange with the id is over, and reports whether that is new.
func (l *ledger) end(id string) bool {
	if l.isOver(id) {
		return false
	}
	l.known.set(digest(id), struct{}{})
	return true
}

func (l *ledger) isOver(id string) bool {
	_, known := l.known.get(digest(id))
	return known
}

// generations is a map of at most twice its size. It forgets first what was set longest ago.
type generations[T any] struct {
	size     int
	new, old map[[16]byte]T
}

func (g *generations[T]) get(key [16]byte) (T, bool) {
	if value, ok := g.new[key]; ok {
		return value, true
	}
	value, ok := g.old[key]
	return value, ok
}

func (g *generations[T]) set(key [16]byte, value T) {
	if g.new == nil || len(g.new) >= g.size {
		g.old, g.new = g.new, map[[16]byte]T{}
	}
	g.new[key] = value
}

func digest(s string) [16]byte {
	sum := sha256.Sum256([]byte(s))
	return [16]byte(sum[:16])
}
