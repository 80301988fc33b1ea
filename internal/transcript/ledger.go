package transcript

import "crypto/sha256"

// call is an open call: an exchange without its result.
type call struct {
	Exchange
	keys []string // the result's names for the questions
	by   *native
}

// callKey identifies an open call. An id that is not globally unique is qualified by its session.
type callKey struct{ session, id string }

// Limits of a ledger, for each of its two generations.
const (
	maxOpen  = 8 << 20 // bytes
	callSize = 1 << 10 // bytes that a call takes besides its texts
	maxKnown = 200_000
)

// ledger holds the open calls, and the ids of the closed ones, since request logs repeat them in every later request. It is bounded and evicts
// the oldest. After that, an exchange can be emitted twice, with the same id.
type ledger struct {
	open  recent[callKey, *call]
	known recent[digest, struct{}]
}

func newLedger() ledger {
	return ledger{recent[callKey, *call]{most: maxOpen}, recent[digest, struct{}]{most: maxKnown}}
}

// add opens a call, and returns how many open calls it evicted.
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

// end marks an exchange as closed, and reports whether it was open before.
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

// recent is a map of two generations of limited size. When the newer one is full, it drops the older one.
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

// set adds a value of a size, and returns how many values it evicted.
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
