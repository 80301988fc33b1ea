// Package background starts what runs beside the reading of messages: a panic in it is logged and survived.
package background

import (
	"runtime/debug"
	"time"

	"go.uber.org/zap"
)

// Group is what one sidecar runs beside.
type Group struct {
	log *zap.Logger
}

// New makes a group that logs what panics.
func New(log *zap.Logger) *Group { return &Group{log: log} }

// Go starts run. The name is for the log.
func (g *Group) Go(name string, run func()) {
	go g.Do(name, run)
}

// After has run called once, in the given time, unless the timer is stopped before.
func (g *Group) After(in time.Duration, name string, run func()) *time.Timer {
	return time.AfterFunc(in, func() { g.Do(name, run) })
}

// Do calls run, and tells whether it came to its end.
func (g *Group) Do(name string, run func()) (ended bool) {
	defer func() {
		if cause := recover(); cause != nil {
			g.log.Error("something that runs beside panicked", zap.String("name", name), zap.Any("panic", cause), zap.ByteString("stack", debug.Stack()))
		}
	}()
	run()
	return true
}
