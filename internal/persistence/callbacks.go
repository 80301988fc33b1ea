package persistence

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.uber.org/zap"

	"followup/internal/store"
)

const (
	// deliverEvery is how often callbacks are looked for besides when a question was closed.
	deliverEvery = time.Minute
	// deliveries is how many callbacks may be under way, those that wait for their next attempt included.
	deliveries = 1000
)

// deliver has the outcomes of closed questions sent to their callbacks, until ctx ends. The store has what was not delivered, so the next
// process goes on with it.
func (p *Persister) deliver(ctx context.Context, in store.Store) {
	if p.options.Deliver == nil {
		return
	}
	var running sync.WaitGroup
	defer running.Wait()
	var underway sync.Map // by the ids of the questions
	free := make(chan struct{}, deliveries)
	every := time.NewTicker(deliverEvery)
	defer every.Stop()
	for {
		due, err := in.DueCallbacks(ctx)
		if err != nil && ctx.Err() == nil {
			p.log.Warn("the callbacks cannot be read", zap.Error(err))
		}
		for _, one := range due {
			if _, already := underway.LoadOrStore(one.QuestionID, true); already {
				continue
			}
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return
			}
			running.Go(func() {
				p.options.Background.Do("callback", func() { p.deliverOne(ctx, in, one) })
				underway.Delete(one.QuestionID)
				<-free
			})
		}
		select {
		case <-ctx.Done():
			return
		case <-p.due:
		case <-every.C:
		}
	}
}

// deliverOne delivers one outcome, and notes that in the store. What was deleted meanwhile is not sent.
func (p *Persister) deliverOne(ctx context.Context, in store.Store, to store.Callback) {
	done := store.Change{Delivered: []string{to.QuestionID}}
	switch closed, err := in.Question(ctx, to.QuestionID); {
	case err == nil && closed.Outcome != nil:
		if p.options.Deliver(ctx, to, closed) {
			done.Collected = []string{to.QuestionID}
		} else if ctx.Err() != nil {
			return
		}
	case !errors.Is(err, store.ErrNotFound):
		return // it is looked for again
	}
	if _, err := in.Commit(context.WithoutCancel(ctx), []store.Change{done}); err != nil {
		p.log.Warn("the delivery of a callback cannot be noted: it may be repeated", zap.String("question", to.QuestionID), zap.Error(err))
	}
}
