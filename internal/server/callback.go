package server

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
	"followup/internal/webhook"
)

// callbackLimit is how long after a question closes the outcome is still retried.
const callbackLimit = 72 * time.Hour

// checkCallback returns an error if a question's callback is not allowed. At a hub, the policy decides about private addresses.
func (s *Server) checkCallback(p *protocol.AskParams) error {
	if p.Callback == nil {
		return nil
	}
	if s.guest != nil {
		if s.guest.Callbacks == webhook.Off {
			return rpc.Errorf(protocol.CodeForbidden, "this hub sends no callbacks")
		}
		p.PrivateCallback = s.guest.Callbacks == webhook.Private
	}
	if !s.persister.Opened() {
		return rpc.Errorf(jsonrpc2.CodeInvalidParams, "a callback needs storage, so that it survives a restart")
	}
	err := s.callbacks[p.PrivateCallback].Check(p.Callback.URL)
	if err == nil && p.Callback.Secret != "" {
		_, err = webhook.ParseSecret(p.Callback.Secret)
	}
	if err != nil {
		return rpc.Errorf(jsonrpc2.CodeInvalidParams, "callback: %s", err)
	}
	return nil
}

// deliver sends an outcome to a callback, and reports whether it was accepted.
func (h *Host) deliver(ctx context.Context, to store.Callback, closed store.Question) (taken bool) {
	log := h.log.With(zap.String("question", closed.ID))
	body, err := callbackBody(closed)
	if err != nil {
		log.Error("could not build a callback", zap.Error(err))
		return false
	}
	secret := webhook.Secret{}
	if to.Secret != "" {
		if secret, err = webhook.ParseSecret(to.Secret); err != nil {
			log.Error("could not sign a callback", zap.Error(err))
			return false
		}
	}
	within := max(callbackLimit-time.Since(closed.Outcome.ClosedAt), time.Minute) // at least one attempt, even if the keeper starts late
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err = h.callbacks[to.Private].Deliver(ctx, webhook.Message{URL: to.URL, ID: closed.ID, Body: body, Secret: secret})
	if err != nil {
		log.Warn("could not deliver an outcome", zap.Error(err))
		return false
	}
	log.Info("delivered an outcome")
	return true
}

// callbackBody returns the body of a callback for a closed question.
func callbackBody(closed store.Question) ([]byte, error) {
	ended, err := archive.DecodeEnded(closed.Outcome.Answer, closed.Outcome.Images)
	if err != nil {
		return nil, err
	}
	return json.Marshal(protocol.CallbackEvent{
		Type: protocol.CallbackClosed, Timestamp: closed.Outcome.ClosedAt.UTC().Format(time.RFC3339), Data: archive.ResultOf(ended.Agent),
	})
}
