package persistence

import (
	"errors"

	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

const (
	absent = locale.StorageAbsent
	slow   = locale.StorageSlow
)

// health is how it stands with the store.
type health struct {
	failing bool // the last write, or the opening, failed or takes too long
	reopen  bool // it has to be opened, or opened again, and that may work
	told    protocol.Storage
	notice  string // what was wrong and the user has not been told
}

// problem notes that the store could not be written, read or opened. The interface and the log are told once.
func (k *Keeper) problem(of store.Store, err error) {
	if of != k.store || errors.Is(err, store.ErrClosed) {
		return // one that was given up meanwhile
	}
	words := k.registry.Locale.Text(locale.StorageUnavailable, err)
	switch {
	case errors.Is(err, store.ErrNewer):
		words = k.registry.Locale.Text(locale.StorageNewer)
	case errors.Is(err, store.ErrDamaged):
		words = k.registry.Locale.Text(locale.StorageDamaged)
	case errors.Is(err, store.ErrGone):
		words = k.registry.Locale.Text(locale.StorageGone)
	}
	k.health.reopen = !errors.Is(err, store.ErrNewer) && (k.health.reopen || k.store == nil || lost(err))
	k.fail(protocol.Storage{Problem: words}, err)
	if k.store != nil && k.health.reopen {
		if k.opening == nil {
			k.opening = make(chan struct{})
		}
		signal(k.attend)
	}
}

// lost tells whether a store has to be opened again.
func lost(err error) bool { return errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrGone) }

// fail has everything go on in memory.
func (k *Keeper) fail(now protocol.Storage, err error) {
	if k.health.failing {
		k.log.Debug("not being saved, still", zap.Error(err))
	} else {
		k.log.Error("not being saved", zap.Error(err))
	}
	k.health.failing = true
	k.tell(now)
	k.releaseAll()
}

// works notes that everything could be written. A store that is to be opened again does not work, whatever has gone into it.
func (k *Keeper) works(of store.Store) {
	if of != k.store || k.health.reopen || !k.health.failing && k.health.notice == "" {
		return
	}
	if k.health.failing {
		k.log.Info("being saved again")
	}
	k.health.failing = false
	k.tell(protocol.Storage{Saved: true, Problem: k.health.notice})
	k.health.notice = ""
}

func (k *Keeper) tell(now protocol.Storage) {
	k.health.told = now
	k.options.Tell(now)
}
