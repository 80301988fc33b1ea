// Package engine is what the store's engines have in common besides their statements: the order in which a change is written, how rows
// become questions, what a search asks an index for, and how pages, exports, deletions and imports are put together.
package engine

import (
	"errors"
	"time"

	"followup/internal/store"
)

var (
	// ErrNothing takes a transaction back in which nothing was written.
	ErrNothing = errors.New("nothing was written")
	// ErrSenseless is that of a change in which something makes no sense.
	ErrSenseless = errors.New("store")
)

// SessionKept is how long a session without questions is kept for its count of mistakes, if it is not closed.
const SessionKept = 30 * 24 * time.Hour

// Roles of images.
const (
	DraftImage  = "draft"
	AnswerImage = "answer"
)

// KeysPerMilli is how many keys a millisecond has.
const KeysPerMilli = 1024

// FirstKey is the smallest key of a millisecond; the first one of all is 1.
func FirstKey(milli int64) store.Key { return max(store.Key(milli)*KeysPerMilli, 1) }

// Millis is how a time is stored; 0 is none.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Time is Millis's inverse.
func Time(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
