package transcript

import "crypto/sha256"

// call is a call that waits for its result: the exchange that it begins.
type call struct {
	Exchange
	keys []string // what the result names the questions by
	by   *native
}

// callKey identifies an open call. An id that is not unique belongs to its session.
type callKey struct{ session, id string }

// Bounds of what a ledger keeps, in each of two generations.
const (
	maxOpen  = 8 << 20 // bytes
	callSize = 1 << 10 // bytes that a call takes besides its texts
	maxKnown = 200_000
)

// ledger holds the calls that wait for their result, and the ids of those that are over: request logs repeat them in every later request.
// It is bounded: it forgets first what was noted longest ago. An exchange can then be emitted twice, with the same id.
type ledger struct {
	open  recent[callKey, *call]
	known recent[digest, struct{}]
}

func newLedger() ledger {
	return ledger{recent[callKey, *call]{most: maxOpen}, recent[digest, struct{}]{most: maxKnown}}
}

// add opens a call, and returns how many others were given up for it.
func (l *ledger) add(key callKey, c *call) (lost int) {
	if l.take(key) != nil {
		lost++
	}
	return lost + l.open.set(key, c, callSize+c.Call.Size())
}

// take closes a call and returns it, or nil if it is not open.
func (l *ledger) take(key callKey) *call {
	c, _ := l.open.get(key)
	delete(l.open.new, key)
	delete(l.open.old, key)
	return c
}

// end notes that the exchange with the id is over, and reports whether that is new.
func (l *ledger) end(id string) bool {
	if l.isOver(id) {
		return false
	}
	l.known.set(digestOf(id), struct{}{}, 1)
	return true
}

func (l *ledger) isOver(id string) bool {
	_, known := l.known.get(digestOf(id))
	return known
}

// recent is a map of two generations, each of at most a size. It forgets the older one when the newer one is full.
type recent[K comparable, V any] struct {
	most, size int
	new, old   map[K]V
}

func (r *recent[K, V]) get(key K) (V, bool) {
	value, ok := r.new[key]
	if !ok {
		value, ok = r.old[key]
	}
	return value, ok
}

// set adds a value of a size, and returns how many others are forgotten for it.
func (r *recent[K, V]) set(key K, value V, size int) (lost int) {
	if r.size += size; r.new == nil || r.size > r.most {
		lost, r.old, r.new, r.size = len(r.old), r.new, map[K]V{}, size
	}
	r.new[key] = value
	return lost
}

type digest [16]byte

func digestOf(s string) digest {
	sum := sha256.Sum256([]byte(s))
	return digest(sum[:16])
}
