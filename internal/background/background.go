// Package background runs goroutines whose panics are logged and survived.
package background

import (
	"runtime/debug"
	"time"

	"go.uber.org/zap"
)

// Group runs the goroutines of one sidecar.
type Group struct {
	log *zap.Logger
}

// New returns a group that logs panics.
func New(log *zap.Logger) *Group { return &Group{log: log} }

// Go runs run in a goroutine. The name is for the log.
func (g *Group) Go(name string, run func()) {
	go g.Do(name, run)
}

// After calls run once after the given time, unless the timer is stopped first.
func (g *Group) After(in time.Duration, name string, run func()) *time.Timer {
	return time.AfterFunc(in, func() { g.Do(name, run) })
}

// Do calls run, and reports whether it returned without a panic.
func (g *Group) Do(name string, run func()) (ended bool) {
	defer func() {
		if cause := recover(); cause != nil {
			g.log.Error("something that runs beside panicked", zap.String("name", name), zap.Any("panic", cause), zap.ByteString("stack", debug.Stack()))
		}
	}()
	run()
	return true
}
