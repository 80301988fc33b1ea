package server

import (
	"context"
	"errors"
	"time"

	"followup/internal/conversation"
	"followup/internal/hubclient"
	"followup/internal/inbox"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// hubPatience is how long hub/connect waits for the outcome of the first attempt.
const hubPatience = 10 * time.Second

func (s *Server) hubConnect(_ context.Context, p protocol.HubConnectParams) (rpc.Waiting[protocol.HubState], error) {
	speak := s.locale()
	options, err := hubOptions(p, speak)
	off := protocol.HubState{State: protocol.HubOff}
	if err != nil {
		off = protocol.HubState{State: protocol.HubRefused, URL: p.URL, Problem: err.Error()}
		var refusal *locale.Refusal
		if errors.As(err, &refusal) {
			off.Problem = refusal.In(speak)
		}
	}
	hub := inbox.NewHub(off)
	var settled <-chan struct{}
	s.registry.View(func() {
		if _, here := s.views[s]; !here {
			return
		}
		var link *hubLink
		if options.URL != nil {
			link = s.linkTo(options, p.Token)
			hub, settled = link.Hub, link.attempt()
		}
		s.setHub(link, hub)
	})
	return func(ctx context.Context) (now protocol.HubState, _ error) {
		ctx, cancel := context.WithTimeout(ctx, hubPatience)
		defer cancel()
		_ = await(ctx, settled) // without an outcome the state is still "connecting"
		s.registry.View(func() { now = hub.State() })
		return now, nil
	}, nil
}

// hubOptions returns how to reach a hub. Without a hub they have no URL.
func hubOptions(p protocol.HubConnectParams, speak locale.Tag) (o hubclient.Options, err error) {
	if p.URL == "" {
		return o, nil
	}
	at, err := hubclient.ParseURL(p.URL, false)
	if err == nil && p.Certificates != "" {
		o.Roots, err = hubclient.ReadRoots(p.Certificates)
	}
	if err == nil {
		o.URL, o.Locale, o.Person = at, speak, true
		o.Token = func() (string, error) { return p.Token, hubclient.CheckToken(p.Token) }
	}
	return o, err
}

// setHub moves a connection to a link, or to none, and closes the link that it was the last to use. The caller holds the lock.
func (s *Server) setHub(link *hubLink, hub *inbox.Hub) {
	was := s.hub
	if link != nil && link == was {
		return
	}
	s.hub = link
	s.inbox.SetHub(hub)
	if link != nil {
		link.windows[s] = true
		link.show()
	}
	if was == nil {
		return
	}
	if delete(was.windows, s); len(was.windows) > 0 {
		was.show()
	} else {
		delete(s.links, was)
		was.conn.Close()
	}
}

// hubOf returns the link to the hub that keeps a question; nil for one of one's own.
func (s *Server) hubOf(questionID string) (link *hubLink) {
	s.registry.View(func() {
		if s.inbox.HasHub(questionID) {
			link = s.hub
		}
	})
	return link
}

// hubSoon is hubOf for a link that is still to come, as behind a restart of the keeper. It waits for the link for a while.
func (s *Server) hubSoon(ctx context.Context, questionID string) *hubLink {
	var link *hubLink
	s.registry.View(func() { link = s.hub })
	ctx, cancel := context.WithTimeout(ctx, hubPatience)
	defer cancel()
	if link == nil || await(ctx, link.begun) != nil {
		return nil
	}
	return s.hubOf(questionID)
}

// onOwner has a request handled by the owner of the question: this process, or the hub.
func onOwner[P, R any](
	r *rpc.Router, s *Server, m protocol.Request[P, R], id func(P) string,
	own func(context.Context, P) (rpc.Begun[R], error), hub func(context.Context, *hubLink, P) (R, error),
) {
	rpc.OnBegun(r, m, func(ctx context.Context, p P) (rpc.Begun[R], error) {
		if link := s.hubOf(id(p)); link != nil {
			return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) { return hub(ctx, link, p) }}, nil
		}
		begun, err := own(ctx, p)
		if find := begun.Wait; find != nil {
			begun.Wait = func(ctx context.Context) (R, error) {
				result, err := find(ctx)
				var wrong *conversation.Error
				if errors.As(err, &wrong) && wrong.Kind == conversation.Unknown {
					if link := s.hubSoon(ctx, id(p)); link != nil {
						return hub(ctx, link, p)
					}
				}
				return result, err
			}
		}
		return begun, err
	})
}

// onAnswers adds what the user does with a question.
func (s *Server) onAnswers(r *rpc.Router) {
	onOwner(r, s, protocol.QuestionAnswer, func(p protocol.AnswerParams) string { return p.QuestionID },
		s.questionAnswer, atHub(protocol.QuestionAnswer))
	onOwner(r, s, protocol.QuestionReply, func(p protocol.ReplyParams) string { return p.QuestionID },
		s.questionReply, atHub(protocol.QuestionReply))
	onOwner(r, s, protocol.QuestionDismiss, func(p protocol.QuestionParams) string { return p.QuestionID },
		s.questionDismiss, atHub(protocol.QuestionDismiss))
	onOwner(r, s, protocol.QuestionSaveDraft, func(p protocol.SaveDraftParams) string { return p.QuestionID },
		s.questionSaveDraft, s.saveHubDraft)
}

// atHub passes a request to the hub.
func atHub[P, R any](m protocol.Request[P, R]) func(context.Context, *hubLink, P) (R, error) {
	return func(ctx context.Context, l *hubLink, p P) (R, error) { return rpc.Call(ctx, l.conn, m, p) }
}
