package hub

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"followup/internal/protocol"
	"followup/internal/store"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
)

// stalled is a store whose commits block while it is shut.
type stalled struct {
	store.Store
	shut *atomic.Bool
	goOn <-chan struct{}
}

func (s stalled) Commit(ctx context.Context, changes []store.Change) ([]store.Result, error) {
	if s.shut.Load() {
		<-s.goOn
	}
	return s.Store.Commit(ctx, changes)
}

// A hub is not ready while a commit is overdue, even if the store responds. Until the commit ends, agents and people
// get nothing.
func TestOverdueCommit(t *testing.T) {
	t.Parallel()
	storage, shut, goOn := t.TempDir(), &atomic.Bool{}, make(chan struct{})
	accounts := opened(t, storage)
	ci, anns := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false)
	s := serve(t, storage, func(o *Options) {
		o.Server.OpenStore = func(ctx context.Context, place string, so store.Options) (store.Store, store.Report, error) {
			in, report, err := sqlite.Open(ctx, place, so)
			return stalled{in, shut, goOn}, report, err
		}
	})
	s.hub.readyFor = 0
	agent, ann := s.connect(ci), s.watch(anns)
	session := agent.Session("s")
	shut.Store(true)
	id, _ := agent.Ask(session, `{"question":"Q?"}`)
	waits.Until(t, "it is not ready", func() bool { return s.get("/readyz") == http.StatusServiceUnavailable })
	if item := ann.Item(id); item.QuestionID != "" {
		t.Errorf("she was shown %+v", item)
	}
	close(goOn)
	ann.UntilState(id, protocol.ItemPending)
	waits.Until(t, "it is ready again", func() bool { return s.get("/readyz") == http.StatusOK })
}
