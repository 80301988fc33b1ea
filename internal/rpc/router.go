package rpc

import (
	"context"
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
)

// A Router has the handlers of one side's methods.
type Router struct {
	methods map[string]method
	// Gate is called before every message. Its error responds to a request and drops a notification.
	Gate func(method string) error
	// Word, if not nil, words an error for the peer. It returns an error of Errorf; any other becomes an internal error.
	Word func(error) error
}

type method struct {
	begin func(ctx context.Context, params json.RawMessage) (Begun[any], error)
	waits bool // it may have a second half
}

// A Waiting is the second half of a handler. It may block until its context ends.
type Waiting[R any] func(ctx context.Context) (R, error)

// Begun is the result of a handler's first half: the final result or, if Wait is not nil, a function that waits for it.
type Begun[R any] struct {
	Result R
	Wait   Waiting[R]
}

// End returns the result, and waits for it if necessary.
func (b Begun[R]) End(ctx context.Context) (R, error) {
	if b.Wait == nil {
		return b.Result, nil
	}
	return b.Wait(ctx)
}

// handle registers the handler of a method.
func handle[P any](r *Router, name string, waits bool, begin func(ctx context.Context, params P) (Begun[any], error)) {
	if r.methods == nil {
		r.methods = map[string]method{}
	}
	if _, twice := r.methods[name]; twice {
		panic("rpc: two handlers for " + name)
	}
	r.methods[name] = method{waits: waits, begin: func(ctx context.Context, raw json.RawMessage) (Begun[any], error) {
		var params P
		if len(raw) == 0 {
			raw = json.RawMessage("null") // leaves params as they are
		}
		if err := json.Unmarshal(raw, &params); err != nil {
			return Begun[any]{}, Errorf(jsonrpc2.CodeInvalidParams, "the params cannot be read: %v", err)
		}
		return begin(ctx, params)
	}}
}

// On registers the handler of a request. No other message is read while it runs, so it must not block.
func On[P, R any](r *Router, m protocol.Request[P, R], do func(ctx context.Context, params P) (R, error)) {
	handle(r, m.Method, false, func(ctx context.Context, params P) (Begun[any], error) {
		result, err := do(ctx, params)
		return Begun[any]{Result: result}, err
	})
}

// OnWaiting registers the handler of a request that runs in a goroutine, until its context ends.
func OnWaiting[P, R any](r *Router, m protocol.Request[P, R], do func(ctx context.Context, params P) (R, error)) {
	OnBegun(r, m, func(_ context.Context, params P) (Begun[R], error) {
		return Begun[R]{Wait: func(ctx context.Context) (R, error) { return do(ctx, params) }}, nil
	})
}

// OnBegun registers the handler of a request that may have to wait. Its first half runs like a handler of On. If it returns a
// second half, that runs in a goroutine.
func OnBegun[P, R any](r *Router, m protocol.Request[P, R], begin func(ctx context.Context, params P) (Begun[R], error)) {
	handle(r, m.Method, true, func(ctx context.Context, params P) (Begun[any], error) {
		b, err := begin(ctx, params)
		if err != nil || b.Wait == nil {
			return Begun[any]{Result: b.Result}, err
		}
		return Begun[any]{Wait: func(ctx context.Context) (any, error) { return b.Wait(ctx) }}, nil
	})
}

// Late builds a result when it is written, so that everything sent after it is newer.
type Late[R any] func() R

type late func() any

// OnLate is OnWaiting for a Late result.
func OnLate[P, R any](r *Router, m protocol.Request[P, R], do func(ctx context.Context, params P) (Late[R], error)) {
	handle(r, m.Method, true, func(_ context.Context, params P) (Begun[any], error) {
		return Begun[any]{Wait: func(ctx context.Context) (any, error) {
			result, err := do(ctx, params)
			return late(func() any { return result() }), err
		}}, nil
	})
}

// OnNotification registers the handler of a notification. No other message is read while it runs, so it must not block. Its error
// is logged.
func OnNotification[P any](r *Router, m protocol.Notification[P], do func(ctx context.Context, params P) error) {
	handle(r, m.Method, false, func(ctx context.Context, params P) (Begun[any], error) {
		return Begun[any]{}, do(ctx, params)
	})
}
