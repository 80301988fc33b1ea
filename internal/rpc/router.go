package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
)

// A Router knows the methods of one side.
type Router struct {
	methods map[string]method
	waits   map[string]bool // those that may have a second half
	// Gate is asked before every message; its error answers a request and drops a notification.
	Gate func(method string) error
	// Word, if it is set, words an error for the peer. What it gives is an error of Errorf's, or answered as an internal error.
	Word func(error) error
}

// method begins a message, in the order of arrival.
type method func(ctx context.Context, params json.RawMessage) (begun, error)

// begun is what a message has come to when the next one is read: a result, or how to wait for it.
type begun struct {
	result any
	wait   func(ctx context.Context) (any, error)
}

// A Waiting is the second half of a handler: it may block, until its context ends.
type Waiting[R any] func(ctx context.Context) (R, error)

func (r *Router) add(name string, m method) {
	if r.methods == nil {
		r.methods = map[string]method{}
	}
	if _, twice := r.methods[name]; twice {
		panic("rpc: two handlers for " + name)
	}
	r.methods[name] = m
}

func (r *Router) addWaiting(name string, m method) {
	r.add(name, m)
	if r.waits == nil {
		r.waits = map[string]bool{}
	}
	r.waits[name] = true
}

// On registers the handler of a request. It runs while no other message is read, so it must not block.
func On[P, R any](r *Router, m protocol.Request[P, R], handle func(ctx context.Context, params P) (R, error)) {
	decode := decoder[P]()
	r.add(m.Method, func(ctx context.Context, raw json.RawMessage) (begun, error) {
		params, err := decode(raw)
		if err != nil {
			return begun{}, err
		}
		result, err := handle(ctx, params)
		return begun{result: result}, err
	})
}

// OnWaiting registers the handler of a request that waits. Its first half runs in the order of arrival, while no other
// message is read; the second half, which it returns, runs beside the reading and ends with its context.
func OnWaiting[P, R any](r *Router, m protocol.Request[P, R], begin func(ctx context.Context, params P) (Waiting[R], error)) {
	OnBegun(r, m, func(ctx context.Context, params P) (Begun[R], error) {
		wait, err := begin(ctx, params)
		return Begun[R]{Wait: wait}, err
	})
}

// Begun is what a request has come to when the next message is read: its result, or, where Wait is not nil, how to wait for it.
type Begun[R any] struct {
	Result R
	Wait   Waiting[R]
}

// End gives the result once it is there.
func (b Begun[R]) End(ctx context.Context) (R, error) {
	if b.Wait == nil {
		return b.Result, nil
	}
	return b.Wait(ctx)
}

// OnBegun registers the handler of a request that may have to wait. It is On where it does not, and OnWaiting where it does.
func OnBegun[P, R any](r *Router, m protocol.Request[P, R], begin func(ctx context.Context, params P) (Begun[R], error)) {
	decode := decoder[P]()
	r.addWaiting(m.Method, func(ctx context.Context, raw json.RawMessage) (begun, error) {
		params, err := decode(raw)
		if err != nil {
			return begun{}, err
		}
		b, err := begin(ctx, params)
		if err != nil || b.Wait == nil {
			return begun{result: b.Result}, err
		}
		return begun{wait: func(ctx context.Context) (any, error) { return b.Wait(ctx) }}, nil
	})
}

// Late makes a result when the line is free for it: what is sent after that is newer than the result.
type Late[R any] func() R

type late func() any

// OnLate is OnWaiting for a result that is made when the line is free for it.
func OnLate[P, R any](r *Router, m protocol.Request[P, R], begin func(ctx context.Context, params P) (Waiting[Late[R]], error)) {
	decode := decoder[P]()
	r.addWaiting(m.Method, func(ctx context.Context, raw json.RawMessage) (begun, error) {
		params, err := decode(raw)
		if err != nil {
			return begun{}, err
		}
		wait, err := begin(ctx, params)
		if err != nil {
			return begun{}, err
		}
		return begun{wait: func(ctx context.Context) (any, error) {
			result, err := wait(ctx)
			return late(func() any { return result() }), err
		}}, nil
	})
}

// OnNotification registers the handler of a notification. It runs while no other message is read, so it must not block.
// Its error is logged.
func OnNotification[P any](r *Router, m protocol.Notification[P], handle func(ctx context.Context, params P) error) {
	decode := decoder[P]()
	r.add(m.Method, func(ctx context.Context, raw json.RawMessage) (begun, error) {
		params, err := decode(raw)
		if err != nil {
			return begun{}, err
		}
		return begun{}, handle(ctx, params)
	})
}

// decoder returns what reads params.
func decoder[P any]() func(raw json.RawMessage) (P, error) {
	texts := textFields(reflect.TypeFor[P]())
	return func(raw json.RawMessage) (P, error) {
		var params P
		if len(texts) > 0 && readTexts(raw, texts, reflect.ValueOf(&params).Elem()) {
			return params, nil
		}
		params = *new(P)
		if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
			raw = json.RawMessage("{}") // absent params are those that name nothing
		}
		if err := json.Unmarshal(raw, &params); err != nil {
			return params, Errorf(jsonrpc2.CodeInvalidParams, "the params cannot be read: %v", err)
		}
		return params, nil
	}
}
