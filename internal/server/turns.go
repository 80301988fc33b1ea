package server

import (
	"context"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Reading goes on whatever a handler needs of the disk: what can be done in memory is done at once, in the order in which it came;
// what has to be looked up first is done beside, in its session's turn.

// readAtOnce is how many bytes of an agent's are read before the next message is: what is larger is read beside.
const readAtOnce = 64 << 10

// beside runs all of a request beside the reading of messages, once it is known what is kept.
func beside[P, R any](s *Server, handle func(context.Context, P) (R, error)) func(context.Context, P) (rpc.Waiting[R], error) {
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

// beginLarge waits until an answer may be made that can be large: a guest who reads nothing has few of them here. What it gives is called when
// that is made.
func (s *Server) beginLarge(ctx context.Context) (made func(), err error) {
	if s.large == nil {
		return func() {}, nil
	}
	select {
	case s.large <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	s.conn.Room(ctx)
	return func() { <-s.large }, nil
}

// ready waits until the store is open, or cannot be at the moment.
func (s *Server) ready(ctx context.Context) error { return await(ctx, s.persister.Ready()) }

// await waits for what is closed in time; nil is.
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

// untold is a result that must not be given before what it tells may be told.
type untold[R any] struct {
	told   <-chan struct{}
	result func() R
}

func (u untold[R]) wait(ctx context.Context) (R, error) {
	if err := await(ctx, u.told); err != nil {
		return *new(R), err
	}
	return u.result(), nil
}

// begun gives the result at once if it may be told.
func (u untold[R]) begun() rpc.Begun[R] {
	select {
	case <-u.told:
		return rpc.Begun[R]{Result: u.result()}
	default:
		return rpc.Begun[R]{Wait: u.wait}
	}
}

// inTurn does something in a session's turn, in a section, and gives its result when what has changed may be told. A session that is
// not in memory is looked up before.
func inTurn[R any](s *Server, session string, do func() (*conversation.Conversation, R, error)) (rpc.Begun[R], error) {
	return inTurnBehind(s, session, 0, func() {}, do)
}

// inTurnBehind does the same, and before the section, but in the turn, reads so many bytes.
func inTurnBehind[R any](
	s *Server, session string, size int, read func(), do func() (*conversation.Conversation, R, error),
) (rpc.Begun[R], error) {
	turn := s.registry.Turn(session, "")
	section := func() (untold[R], error) {
		defer turn.End()
		read()
		s.registry.Enter()
		defer s.registry.Leave()
		c, result, err := do()
		if err != nil {
			return untold[R]{}, err
		}
		return untold[R]{s.registry.Receipt(c), func() R { return result }}, nil
	}
	if turn.Come() && size <= readAtOnce && s.persister.InMemory(session, "") {
		result, err := section()
		if err != nil {
			return rpc.Begun[R]{}, err
		}
		return result.begun(), nil
	}
	return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) {
		if err := s.comeWith(ctx, turn, session); err != nil {
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

// comeWith waits for a session's turn, and has the session in memory then, if there is one.
func (s *Server) comeWith(ctx context.Context, turn *conversation.Turn, session string) error {
	if err := turn.Wait(ctx); err != nil {
		return err
	}
	_, err := s.persister.Conversation(ctx, session)
	return err
}

// noteInTurn does something for a notification with so many bytes to read, in a session's turn.
func (s *Server) noteInTurn(session string, size int, do func() error) error {
	turn := s.registry.Turn(session, "")
	note := func() error {
		defer turn.End()
		return do()
	}
	if turn.Come() && size <= readAtOnce && s.persister.InMemory(session, "") {
		return note()
	}
	s.background.Go("notification", func() {
		err := s.comeWith(context.Background(), turn, session)
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

// onQuestion does something with a question, in a section, and gives a result when what has changed may be told. Do reports
// whether it has done it. If a hub keeps the question, atHub is called instead, unless it is nil.
func onQuestion[R any](
	s *Server, id string, atHub func(context.Context, *hubLink) (R, error),
	do func(*conversation.Record) (bool, error), result func(r *conversation.Record, done bool) R,
) (rpc.Begun[R], error) {
	if link := s.hubOf(id); link != nil && atHub != nil {
		return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) { return atHub(ctx, link) }}, nil
	}
	section := func(r *conversation.Record) (untold[R], error) {
		s.registry.Enter()
		defer s.registry.Leave()
		done, err := do(r)
		if err != nil {
			return untold[R]{}, err
		}
		return untold[R]{s.registry.Receipt(r.Conversation), func() (gives R) {
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
		result, err := func() (untold[R], error) {
			if turn != nil {
				defer turn.End()
				if err := turn.Wait(ctx); err != nil {
					return untold[R]{}, err
				}
			}
			r, err := s.find(ctx, id)
			if err != nil {
				return untold[R]{}, err
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

// record finds a question that is in memory; nil when it is not.
func (s *Server) record(id string) (r *conversation.Record) {
	s.registry.View(func() {
		if found := s.registry.Record(id); found != nil && s.calls(found, id) {
			r = found
		}
	})
	return r
}

// find looks up a question that there is.
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

// aliasNamespace makes the other id of a question from its account and the id that its agent has given it.
var aliasNamespace = uuid.MustParse("0c7c3a0e-3d0f-4a35-8f0b-6f3d1d0b9e52")

// keptAs looks up the question that the peer calls by an id, and returns nil if there is none, and the id under which it is kept. That is
// another one where another account's question has the id already: what an agent is told must not depend on the ids that others use.
func (s *Server) keptAs(ctx context.Context, id string) (r *conversation.Record, kept string, err error) {
	for kept = id; ; kept = uuid.NewSHA1(aliasNamespace, []byte(s.account()+"\x00"+kept)).String() {
		if r, err = s.persister.Find(ctx, kept); err != nil || r == nil {
			return nil, kept, err
		}
		theirs := false
		s.registry.View(func() { theirs = s.calls(r, id) })
		switch {
		case theirs:
			return r, kept, nil
		case s.guest == nil || s.guest.Hub.Role != protocol.RoleAgent:
			return nil, kept, nil
		}
	}
}

// closed tells whether an outcome was taken: another window's may have been first.
func closed(r *conversation.Record, done bool) protocol.CloseResult {
	return protocol.CloseResult{Accepted: done && !r.Beaten, Outcome: *r.Outcome}
}
