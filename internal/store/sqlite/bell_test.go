package sqlite

import (
	"runtime"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/store/storetest"
)

// What another process has committed is noticed without looking, since it rings; a step of work does not ring.
func TestBell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it is not heard there")
	}
	dir := t.TempDir()
	open := func(owner string) *Store {
		s, _, err := Open(t.Context(), dir, store.Options{Owner: owner})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	writes, watches := open("A"), open("B")
	seen := make(chan struct{})
	go func() { _ = watches.Watch(t.Context(), time.Hour, func() { seen <- struct{}{} }) }()
	<-seen // at once
	for _, id := range []string{"1", "2", "3"} {
		storetest.Ask(t, writes, id, "")
		<-seen
	}
	// Whoever cannot hear looks at the interval.
	deaf := make(chan struct{})
	watches.bell = nil
	go func() { _ = watches.Watch(t.Context(), time.Millisecond, func() { deaf <- struct{}{} }) }()
	<-deaf
	storetest.Ask(t, writes, "4", "")
	<-deaf
	<-seen
}
