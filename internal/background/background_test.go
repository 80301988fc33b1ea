package background

import (
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// A panic is logged with its name, and other goroutines continue.
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
		t.Error("Do does not distinguish a return from a panic")
	}
	if logs.FilterField(zap.String("name", "worse")).Len() != 1 {
		t.Errorf("logged %v", logs.All())
	}
}
