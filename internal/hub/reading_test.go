package hub

import (
	"context"
	"sync/atomic"
	"testing"

	"followup/internal/store"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
)

// counted counts the reads of the accounts and of their version.
type counted struct {
	store.Store
	accounts, versions *atomic.Int64
}

func (c counted) Accounts(ctx context.Context) ([]store.Account, error) {
	c.accounts.Add(1)
	return c.Store.Accounts(ctx)
}

func (c counted) AccountsVersion(ctx context.Context) (int64, error) {
	c.versions.Add(1)
	return c.Store.AccountsVersion(ctx)
}

// A hub checks every second whether an account was edited, and only then reads them all.
func TestAccountsAreReadWhenTheyChange(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	invited(t, accounts, "Ann", false)
	var reads, looks atomic.Int64
	s := serve(t, storage, func(o *Options) {
		o.Server.OpenStore = func(ctx context.Context, place string, so store.Options) (store.Store, store.Report, error) {
			in, report, err := sqlite.Open(ctx, place, so)
			return counted{in, &reads, &looks}, report, err
		}
	})
	looked := func(more int64) {
		t.Helper()
		before := looks.Load()
		waits.Until(t, "the hub looks for edits", func() bool { return looks.Load() >= before+more })
	}
	looked(3)
	if got := reads.Load(); got != 1 {
		t.Errorf("the accounts were read %d times after one edit", got)
	}
	_ = s.invite(accounts, "Bob", false)
	looked(2)
	if got := reads.Load(); got != 2 {
		t.Errorf("the accounts were read %d times after two edits", got)
	}
}
