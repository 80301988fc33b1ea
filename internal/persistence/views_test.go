package persistence

import "testing"

// What is told behind the end of an inbox does not show it again.
func TestGoneIsNotShown(t *testing.T) {
	d := newDesk().Keeper
	d.Came("a")
	if d.Shows("a"); !d.seen() {
		t.Error("it is not shown")
	}
	d.Gone("a")
	if d.Shows("a"); d.seen() {
		t.Error("one that is gone is shown")
	}
}
