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

// concurrently returns a handler that runs concurrently with the reading of messages, once the store is open.
func concurrently[P, R any](s *Server, handle func(context.Context, P) (R, error)) func(context.Context, P) (rpc.Waiting[R], error) {
	return func(_ context.Context, p P) (rpc.Waiting[R], error) {
		return func(ctx context.Context) (R, error) {
			if err := s.ready(ctx); err != nil {
				return *new(R), err
			}
			made, err := s.beginLarge(ctx)
			if err != nil {
				return *new(R), err
			}
			defer made()
			return handle(ctx, p)
		}, nil
	}
}

// beginLarge waits until a large answer may be built, which limits how many exist for a guest who does not read. The caller calls
// made afterwards.
func (s *Server) beginLarge(ctx context.Context) (made func(), err error) {
	if s.large == nil {
		return func() {}, nil
	}
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

// withheld is a result that must not be returned before the change it reports is durable.
type withheld[R any] struct {
	durable <-chan struct{}
	result  func() R
}

func (u withheld[R]) wait(ctx context.Context) (R, error) {
	if err := await(ctx, u.durable); err != nil {
		return *new(R), err
	}
	return u.result(), nil
}

// begun returns the result at once if it is durable.
func (u withheld[R]) begun() rpc.Begun[R] {
	select {
	case <-u.durable:
		return rpc.Begun[R]{Result: u.result()}
	default:
		return rpc.Begun[R]{Wait: u.wait}
	}
}

// inTurn calls do in a session's turn, in a section, and returns its result once the change is durable. It loads the session first,
// if it is not in memory.
func inTurn[R any](s *Server, session string, do func() (*conversation.Conversation, R, error)) (rpc.Begun[R], error) {
	return inTurnAfterParsing(s, session, 0, func() {}, do)
}

// inTurnAfterParsing is inTurn, and before the section, but in the turn, it parses text of the given size.
func inTurnAfterParsing[R any](
	s *Server, session string, size int, read func(), do func() (*conversation.Conversation, R, error),
) (rpc.Begun[R], error) {
	turn := s.registry.Turn(session, "")
	section := func() (withheld[R], error) {
		defer turn.End()
		read()
		s.registry.Enter()
		defer s.registry.Leave()
		c, result, err := do()
		if err != nil {
			return withheld[R]{}, err
		}
		return withheld[R]{s.registry.Receipt(c), func() R { return result }}, nil
	}
	if turn.Come() && size <= readAtOnce && s.persister.InMemory(session, "") {
		result, err := section()
		if err != nil {
			return rpc.Begun[R]{}, err
		}
		return result.begun(), nil
	}
	return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) {
		if err := s.loadInTurn(ctx, turn, session); err != nil {
			turn.End()
			return *new(R), err
		}
		result, err := section()
		if err != nil {
			return *new(R), err
		}
		return result.wait(ctx)
	}}, nil
}

// loadInTurn waits for a session's turn and loads the session into memory, if it exists.
func (s *Server) loadInTurn(ctx context.Context, turn *conversation.Turn, session string) error {
	if err := turn.Wait(ctx); err != nil {
		return err
	}
	_, err := s.persister.Conversation(ctx, session)
	return err
}

// notifyInTurn handles a notification in a session's turn, with text of the given size to parse.
func (s *Server) notifyInTurn(session string, size int, do func() error) error {
	turn := s.registry.Turn(session, "")
	note := func() error {
		defer turn.End()
		return do()
	}
	if turn.Come() && size <= readAtOnce && s.persister.InMemory(session, "") {
		return note()
	}
	s.background.Go("notification", func() {
		err := s.loadInTurn(context.Background(), turn, session)
		if err == nil {
			err = note()
		} else {
			turn.End()
		}
		if err != nil {
			s.log.Warn("a notification was not taken", zap.Error(err))
		}
	})
	return nil
}

// onQuestion calls do with a question, in a section, and returns a result once the change is durable. do reports whether it changed
// the question. If a hub keeps the question, atHub is called instead, unless it is nil.
func onQuestion[R any](
	s *Server, id string, atHub func(context.Context, *hubLink) (R, error),
	do func(*conversation.Record) (bool, error), result func(r *conversation.Record, done bool) R,
) (rpc.Begun[R], error) {
	if link := s.hubOf(id); link != nil && atHub != nil {
		return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) { return atHub(ctx, link) }}, nil
	}
	section := func(r *conversation.Record) (withheld[R], error) {
		s.registry.Enter()
		defer s.registry.Leave()
		done, err := do(r)
		if err != nil {
			return withheld[R]{}, err
		}
		return withheld[R]{s.registry.Receipt(r.Conversation), func() (gives R) {
			s.registry.View(func() { gives = result(r, done) })
			return gives
		}}, nil
	}
	turn := s.registry.TurnBehind(id)
	if r := s.record(id); turn == nil && r != nil {
		result, err := section(r)
		if err != nil {
			return rpc.Begun[R]{}, err
		}
		return result.begun(), nil
	}
	return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) {
		result, err := func() (withheld[R], error) {
			if turn != nil {
				defer turn.End()
				if err := turn.Wait(ctx); err != nil {
					return withheld[R]{}, err
				}
			}
			r, err := s.find(ctx, id)
			if err != nil {
				return withheld[R]{}, err
			}
			return section(r)
		}()
		if atHub != nil && isUnknown(err) {
			if link := s.hubSoon(ctx); link != nil {
				return atHub(ctx, link)
			}
		}
		if err != nil {
			return *new(R), err
		}
		return result.wait(ctx)
	}}, nil
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
	r, _, err := s.keptAs(ctx, id)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, conversation.NoQuestion(id)
	}
	return r, nil
}

// aliasNamespace derives the other id of a question from its account and its agent's id for it.
var aliasNamespace = uuid.MustParse("0c7c3a0e-3d0f-4a35-8f0b-6f3d1d0b9e52")

// keptAs returns the question that the peer calls by an id, or nil, and the id under which it is kept. The two ids differ if
// another account's question already has the id, so that an agent's results never depend on the ids of others.
func (s *Server) keptAs(ctx context.Context, id string) (r *conversation.Record, kept string, err error) {
	for kept = id; ; kept = uuid.NewSHA1(aliasNamespace, []byte(s.account()+"\x00"+kept)).String() {
		if r, err = s.persister.Find(ctx, kept); err != nil || r == nil {
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
	return protocol.CloseResult{Accepted: done && !r.Beaten, Outcome: *r.Outcome}
}
