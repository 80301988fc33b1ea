package persistence

import (
	"context"
	"errors"

	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// health is the state of the storage.
type health struct {
	failing  bool  // something is not saved
	reopen   bool  // the store must be opened again
	damaged  bool  // it was found to be damaged since it was opened
	cannot   error // why the last attempt to open it failed
	reported protocol.Storage
	notice   string // a solved problem that was not reported to the user yet
}

const (
	storageNewer locale.Key = "Questions and answers are not being saved: the storage was written by a newer version of Followup. " +
		"Update Followup in this window."
	storageDamaged locale.Key = "Questions and answers are not being saved: the storage is damaged, and another window is using it. " +
		"Close the other windows and reload this one."
	storageHubWaits locale.Key = "The hub cannot save at the moment. New questions and answers appear once they are saved."
	storageGone     locale.Key = "Questions and answers are not being saved: the storage folder was removed, moved or replaced while " +
		"it was in use. You can continue: they are saved once there is a new store."
)

// problem handles an error of the store: it reports it once to the user and the log, and reopens the store if that may help.
func (p *Persister) problem(of store.Store, err error) {
	if of != p.store || errors.Is(err, store.ErrClosed) {
		return // a former store
	}
	words := p.registry.Locale.Text(storageUnavailable, err)
	switch {
	case errors.Is(err, store.ErrNewer):
		words = p.registry.Locale.Text(storageNewer)
	case errors.Is(err, store.ErrDamaged):
		p.health.damaged = true
		words = p.registry.Locale.Text(storageDamaged)
	case errors.Is(err, store.ErrGone):
		words = p.registry.Locale.Text(storageGone)
	}
	heals := p.options.Strict && p.store != nil && errors.Is(err, store.ErrUnavailable)
	p.health.reopen = p.health.reopen || !heals && !errors.Is(err, store.ErrNewer)
	p.fail(protocol.Storage{Problem: words}, err)
	if p.store != nil && p.health.reopen {
		p.hold()
		p.lose()
	}
}

// fail continues the work in memory, unless the persister is strict. At a hub only the log has the cause, which may name servers
// and roles.
func (p *Persister) fail(now protocol.Storage, err error) {
	held := new(store.HeldError)
	switch {
	case p.health.failing:
		p.log.Debug("still not saved", zap.Error(err))
	case errors.As(err, &held) && held.Address != "":
		p.log.Info("another process has the store", zap.String("address", held.Address))
	default:
		p.log.Error("not saved", zap.Error(err))
	}
	p.health.failing = true
	if p.options.Strict {
		p.report(protocol.Storage{Problem: p.registry.Locale.Text(storageHubWaits)})
		return
	}
	p.report(now)
	for c := range p.unsaved {
		p.registry.Release(c, c.Changed())
	}
	for c := range p.writing {
		p.registry.Release(c, c.Changed())
	}
}

// works records that everything is durable, unless something is unsaved or the store must be reopened.
func (p *Persister) works(of store.Store) {
	if of != p.store || p.health.reopen || len(p.unsaved) > 0 || !p.health.failing && p.health.notice == "" {
		return
	}
	if p.health.failing {
		p.log.Info("saved again")
	}
	p.health.failing = false
	p.report(protocol.Storage{Saved: true, Problem: p.health.notice})
	p.health.notice = ""
}

func (p *Persister) report(now protocol.Storage) {
	p.health.reported = now
	p.options.Report(now)
}

// Lost handles the error of a read, and reports whether to repeat it on the store that Store returns, since this one is lost.
func (p *Persister) Lost(ctx context.Context, of store.Store, err error) bool {
	if ctx.Err() != nil || err == nil {
		return false
	}
	lost := errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrGone) || errors.Is(err, store.ErrUnavailable)
	if lost {
		p.registry.Enter()
		defer p.registry.Leave()
		p.problem(of, err)
	}
	return lost || errors.Is(err, store.ErrClosed)
}
