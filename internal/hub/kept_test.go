package hub

import (
	"context"
	"testing"
	"time"

	"followup/internal/store"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
)

// retaining reports each call of Retain.
type retaining struct {
	store.Store
	asked chan store.Retention
}

func (r retaining) Retain(ctx context.Context, what store.Retention) (int, error) {
	r.asked <- what
	return 0, ctx.Err()
}

// A hub removes expired entries from a database too, by its administrator's retention.
func TestKeptInADatabase(t *testing.T) {
	t.Parallel()
	folder, asked := t.TempDir(), make(chan store.Retention, 9)
	invited(t, opened(t, folder), "Ann", false)
	serve(t, "postgres://hub@db.example/followup", func(o *Options) {
		o.Kept = 30 * 24 * time.Hour
		o.Server.OpenStore = func(ctx context.Context, _ string, so store.Options) (store.Store, store.Report, error) {
			in, report, err := sqlite.Open(ctx, folder, so)
			return retaining{in, asked}, report, err
		}
	})
	if got := waits.For(t, asked); got != (store.Retention{Age: 30 * 24 * time.Hour}) {
		t.Errorf("got %+v", got)
	}
}
