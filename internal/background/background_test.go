package background

import (
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// What panics is logged by its name, and what was begun beside it goes on.
func TestPanic(t *testing.T) {
	core, logs := observer.New(zap.ErrorLevel)
	g := New(zap.New(core))
	panicked, went := make(chan struct{}), make(chan struct{})
	g.Go("bad", func() {
		defer close(panicked)
		panic("says the test")
	})
	<-panicked
	g.After(0, "good", func() { close(went) })
	<-went
	if !g.Do("fine", func() {}) || g.Do("worse", func() { panic("again") }) {
		t.Error("what came to its end is not told from what did not")
	}
	if logs.FilterField(zap.String("name", "worse")).Len() != 1 {
		t.Errorf("logged %v", logs.All())
	}
}
