package server

import (
	"context"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Handlers that need the disk do not block the reader: changes in memory happen at once, in order of arrival, and look-ups run
// concurrently, in their session's turn.

// readAtOnce is the largest agent's text, in bytes, that is parsed before the next message is read. Larger ones are parsed
// concurrently.
const readAtOnce = 64 << 10

// onceOpen returns a handler that waits until the store is open.
func onceOpen[P, R any](s *Server, handle func(context.Context, P) (R, error)) func(context.Context, P) (R, error) {
	return func(ctx context.Context, p P) (R, error) {
		if err := s.ready(ctx); err != nil {
			return *new(R), err
		}
		return handle(ctx, p)
	}
}

// reading is onceOpen for a handler whose answer may be large.
func reading[P, R any](s *Server, handle func(context.Context, P) (R, error)) func(context.Context, P) (R, error) {
	return onceOpen(s, func(ctx context.Context, p P) (R, error) {
		made, err := s.beginLarge(ctx)
		if err != nil {
			return *new(R), err
		}
		defer made()
		return handle(ctx, p)
	})
}

// beginLarge waits until a large answer may be built, which limits how many are built at once, and how many exist for a peer that does not
// read. The caller calls made when it is done.
func (s *Server) beginLarge(ctx context.Context) (made func(), err error) {
	select {
	case s.large <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	s.conn.Room()
	return func() { <-s.large }, nil
}

// ready waits until the store is open, or has failed to open.
func (s *Server) ready(ctx context.Context) error { return await(ctx, s.persister.Ready()) }

// await waits until done is closed; nil counts as closed.
func await(ctx context.Context, done <-chan struct{}) error {
	if done == nil {
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		select {
		case <-done:
			return nil
		default:
			return context.Cause(ctx)
		}
	}
}

// inTurn runs a handler in its turn. If the turn has come and the handler needs no look-up or long parsing, it runs before the
// next message is read, otherwise concurrently. do may return a function that waits for the result outside the turn.
func inTurn[R any](
	ctx context.Context, turn *conversation.Turn, atOnce bool, do func(context.Context) (rpc.Begun[R], error),
) (rpc.Begun[R], error) {
	run := func(ctx context.Context) (rpc.Begun[R], error) {
		defer turn.End()
		if err := turn.Wait(ctx); err != nil {
			return rpc.Begun[R]{}, err
		}
		return do(ctx)
	}
	if atOnce && turn.Come() {
		return run(ctx)
	}
	return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) {
		begun, err := run(ctx)
		run, do = nil, nil // the request's text is not kept while it waits
		if err != nil {
			return *new(R), err
		}
		return begun.End(ctx)
	}}, nil
}

// durably calls do in a section, and builds the result under the lock once all changes of the conversation are durable, even if the client is gone.
func durably[R any](s *Server, do func() (*conversation.Conversation, func() R, error)) (rpc.Begun[R], error) {
	return released(s, func() (func(func()), func() R, error) {
		c, result, err := do()
		return func(then func()) { s.registry.Released(c, then) }, result, err
	})
}

// released is durably with the method that calls a function once everything is durable.
func released[R any](s *Server, do func() (on func(then func()), result func() R, err error)) (rpc.Begun[R], error) {
	var err error
	var value R
	durable := make(chan struct{})
	s.section(func() {
		var on func(func())
		var result func() R
		if on, result, err = do(); err == nil {
			on(func() {
				value = result()
				close(durable)
			})
		}
	})
	if err != nil {
		return rpc.Begun[R]{}, err
	}
	select {
	case <-durable:
		return rpc.Begun[R]{Result: value}, nil
	default:
	}
	return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) {
		if err := await(ctx, durable); err != nil {
			return *new(R), err
		}
		return value, nil
	}}, nil
}

// inSession calls do in a session's turn, which parses text of the given size. It loads the session first, if it is not in memory. While
// the store takes long to open, it does not.
func inSession[R any](
	ctx context.Context, s *Server, session string, size int, do func(context.Context) (rpc.Begun[R], error),
) (rpc.Begun[R], error) {
	return inTurn(ctx, s.registry.Turn(session, ""), s.parsesAtOnce(session, size), func(ctx context.Context) (rpc.Begun[R], error) {
		if _, err := s.persister.Conversation(ctx, session, true); err != nil {
			return rpc.Begun[R]{}, err
		}
		return do(ctx)
	})
}

// inStoredSession is inSession for a request that is wrong about a session of which the store has not said yet whether it exists. It waits for
// that.
func inStoredSession[R any](
	ctx context.Context, s *Server, session string, do func() (rpc.Begun[R], error),
) (rpc.Begun[R], error) {
	inMemory := false
	s.registry.View(func() { inMemory = s.registry.Known(session) != nil })
	return inTurn(ctx, s.registry.Turn(session, ""), inMemory || !s.persister.Stores(), func(ctx context.Context) (rpc.Begun[R], error) {
		if _, err := s.persister.Conversation(ctx, session, false); err != nil {
			return rpc.Begun[R]{}, err
		}
		return do()
	})
}

// parsesAtOnce reports whether a session is in memory and the text is small enough to parse before the next message is read.
func (s *Server) parsesAtOnce(session string, size int) bool {
	return size <= readAtOnce && s.persister.InMemory(session)
}

// section calls do in a section of the registry.
func (h *Host) section(do func()) {
	h.registry.Enter()
	defer h.registry.Leave()
	do()
}

// later finishes a notification in the background.
func (s *Server) later(note rpc.Begun[protocol.None], err error) error {
	if note.Wait != nil {
		s.background.Go("notification", func() {
			if _, err := note.Wait(context.Background()); err != nil {
				s.log.Warn("a notification was rejected", zap.Error(err))
			}
		})
	}
	return err
}

// onQuestion calls do with a question, in a section, and returns a result once the change is durable. do reports whether it changed
// the question. If a hub keeps the question, atHub is called instead, unless it is nil.
func onQuestion[R any](
	ctx context.Context, s *Server, id string, atHub func(context.Context, *hubLink) (R, error),
	do func(*conversation.Record) (bool, error), result func(r *conversation.Record, done bool) R,
) (rpc.Begun[R], error) {
	if link := s.hubOf(id); link != nil && atHub != nil {
		return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) { return atHub(ctx, link) }}, nil
	}
	turn, r := s.registry.TurnBehind(id), s.record(id)
	return inTurn(ctx, turn, r != nil, func(ctx context.Context) (rpc.Begun[R], error) {
		var err error
		if r == nil {
			r, err = s.find(ctx, id)
		}
		if atHub != nil && isUnknown(err) {
			return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) {
				if link := s.hubSoon(ctx); link != nil {
					return atHub(ctx, link)
				}
				return *new(R), err
			}}, nil
		}
		if err != nil {
			return rpc.Begun[R]{}, err
		}
		return released(s, func() (func(func()), func() R, error) {
			done, err := do(r)
			return func(then func()) { s.registry.Settled(r, then) }, func() R { return result(r, done) }, err
		})
	})
}

// record returns a question that is in memory, or nil.
func (s *Server) record(id string) (r *conversation.Record) {
	s.registry.View(func() {
		if found := s.registry.Record(id); found != nil && s.knows(found, id) {
			r = found
		}
	})
	return r
}

// find returns a question, or an error if there is none.
func (s *Server) find(ctx context.Context, id string) (*conversation.Record, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	r, _, err := s.keptAs(ctx, id, false)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, conversation.NoQuestion(id)
	}
	return r, nil
}

// aliasNamespace derives a question's alternative id from its account and its agent's id for it.
var aliasNamespace = uuid.MustParse("0c7c3a0e-3d0f-4a35-8f0b-6f3d1d0b9e52")

// keptAs returns the question that the peer calls by an id, or nil, and the id under which it is stored. The two ids differ if
// another account's question already has the id, so an agent's results never depend on the ids of others. fresh is as in Persister.Find.
func (s *Server) keptAs(ctx context.Context, id string, fresh bool) (r *conversation.Record, kept string, err error) {
	for kept = id; ; kept = uuid.NewSHA1(aliasNamespace, []byte(s.account()+"\x00"+kept)).String() {
		if r, err = s.persister.Find(ctx, kept, fresh); err != nil || r == nil {
			return nil, kept, err
		}
		theirs := false
		s.registry.View(func() { theirs = s.knows(r, id) })
		switch {
		case theirs:
			return r, kept, nil
		case s.guest == nil || s.guest.Hub.Role != protocol.RoleAgent:
			return nil, kept, nil
		}
	}
}

// closed returns the result of an attempt to close a question. Another window may have been first.
func closed(r *conversation.Record, done bool) protocol.CloseResult {
	return protocol.CloseResult{Accepted: done && !r.Superseded, Outcome: *r.Outcome}
}
