package hub

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpctest"
	hubserver "followup/internal/server"
	"followup/internal/store"
	"followup/internal/store/postgres"
	"followup/internal/store/postgres/cluster"
	"followup/internal/waits"
)

// database starts a server, and opens the store of the accounts.
func database(t testing.TB) (server *cluster.Cluster, place string, accounts store.Store) {
	t.Helper()
	server, err := cluster.Start(cluster.Listen)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	place = server.Place("hub")
	accounts, _, err = postgres.Open(t.Context(), place, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = accounts.Close() })
	return server, place, accounts
}

// placed blocks until the hubs on one database agree on a team's keeper, and returns it.
func placed(t testing.TB, team string, sites ...*site) (keeper *site) {
	t.Helper()
	waits.Until(t, "the hubs agree on the keeper of "+team, func() bool {
		agree := true
		keeper = nil
		for _, s := range sites {
			agree = agree && len(s.hub.members.live()) == len(sites)
			if s.hub.hosts()[team] != nil {
				agree, keeper = agree && keeper == nil, s
			}
		}
		for _, s := range sites {
			s.hub.mu.Lock()
			is := s.hub.teams[team]
			agree = agree && keeper != nil && is != nil && is.term != nil && (s == keeper || is.at == keeper.address)
			s.hub.mu.Unlock()
		}
		return agree
	})
	return keeper
}

// Two hubs on one database act as one. While the database is unavailable, neither is ready and nothing is lost.
// Connections whose token is revoked meanwhile are closed.
func TestHubsOnADatabase(t *testing.T) {
	t.Parallel()
	server, place, accounts := database(t)
	ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false, "ops")
	engine := func(o *Options) { o.Server.OpenStore = postgres.Open }
	one, two := serve(t, place, engine), serve(t, place, engine)
	one.hub.readyFor, two.hub.readyFor = 0, 0
	keeper, other := placed(t, DefaultTeam, one, two), one
	if keeper == one {
		other = two
	}
	agent, person := one.connect(ci), two.watch(ann)
	ask := func(p *program, id, to string) <-chan rpctest.Reply {
		return p.AskWith(protocol.AskParams{
			Session: p.Session(id), QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`), Envelope: protocol.Envelope{To: to},
		})
	}
	first, second := rpctest.NewID(), rpctest.NewID()
	answer, late := ask(agent, first, "ops"), ask(agent, second, "")
	if item := person.UntilState(first, protocol.ItemPending); item.To != "ops" {
		t.Errorf("got %+v", item)
	}
	person.UntilState(second, protocol.ItemPending)
	for s, want := range map[*site]float64{keeper: 2, other: 0} { // a hub only has its own teams
		if got := value(t, s.hub, "followup_hub_open_questions"); got != want || s.hub.openBytes() > 0 != (want > 0) {
			t.Errorf("%v open questions, of %d bytes, want %v", got, s.hub.openBytes(), want)
		}
	}
	rpctest.Call(person.Editor, protocol.QuestionAnswer, typed(first, "yes"))
	if got := waits.For(t, answer); got.Err != nil || got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}

	session := agent.Session("s")
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	ready := func(want int) {
		t.Helper()
		for _, s := range []*site{one, two} {
			waits.Until(t, "readiness", func() bool { return s.get("/readyz") == want })
			if got := s.get("/healthz"); got != http.StatusOK {
				t.Errorf("healthz: %d", got)
			}
		}
	}
	ready(http.StatusServiceUnavailable)
	// Requests wait meanwhile, because a hub only reports what is durable.
	third := rpctest.NewID()
	another := agent.AskAs(session, third, `{"question":"Q?"}`)
	taken := make(chan error, 1)
	go func() { taken <- failureIn(t.Context(), person, protocol.QuestionAnswer, typed(second, "still")) }()
	person.Until(func() bool { return !person.Storage.Saved })
	select {
	case got := <-late:
		t.Errorf("the agent got an unsaved answer: %+v", got)
	case err := <-taken:
		t.Errorf("the person's answer returned %v", err)
	default:
	}
	if err := server.Run(); err != nil {
		t.Fatal(err)
	}
	ready(http.StatusOK)
	if err := waits.For(t, taken); err != nil {
		t.Error(err)
	}
	person.UntilState(third, protocol.ItemPending)
	rpctest.Call(person.Editor, protocol.QuestionAnswer, typed(third, "new"))
	if got := waits.For(t, another); got.Err != nil || got.Answer.Text != "<answer>\nnew\n</answer>" {
		t.Errorf("got %+v", got)
	}
	if got := waits.For(t, late); got.Err != nil || got.Answer.Text != "<answer>\nstill\n</answer>" {
		t.Errorf("got %+v", got)
	}
	if err := Revoke(t.Context(), accounts, DefaultTeam, "ci", false); err != nil {
		t.Fatal(err)
	}
	if got := agent.code(t); got != revoked.Code {
		t.Errorf("closed with %d", got)
	}
}

// mute is a store that loses heartbeats while it is set.
type mute struct {
	store.Store
	is *atomic.Bool
}

func (m mute) Beat(ctx context.Context, address string, leaves bool) ([]store.Member, time.Time, error) {
	if m.is.Load() {
		return nil, time.Time{}, store.ErrUnavailable
	}
	return m.Store.Beat(ctx, address, leaves)
}

// A hub that the others consider dead loses its teams, though its session holds the lock. Its questions are asked again at the next
// keeper, and it writes nothing afterwards. When it is back, its teams return to it, with the answers given meanwhile.
func TestTakeover(t *testing.T) {
	t.Parallel()
	_, place, accounts := database(t)
	muted := map[*Hub]*atomic.Bool{}
	hub := func() *site {
		is := &atomic.Bool{}
		s := serve(t, place, func(o *Options) {
			o.Server.OpenStore = func(ctx context.Context, place string, so store.Options) (store.Store, store.Report, error) {
				in, report, err := postgres.Open(ctx, place, so)
				return mute{in, is}, report, err
			}
		})
		muted[s.hub] = is
		return s
	}
	one, two := hub(), hub()
	ci, ann := joined(t, accounts, "web", "ci", true), joined(t, accounts, "web", "Ann", false)
	_, _ = joined(t, accounts, "ops", "ci", true), joined(t, accounts, "dev", "ci", true)
	keeper := placed(t, "web", one, two)
	other := one
	if keeper == one {
		other = two
	}
	agent, person := keeper.connect(ci), other.watch(ann)
	id := rpctest.NewID()
	answer := agent.AskAs(agent.Session("s"), id, `{"question":"Q?"}`)
	person.UntilState(id, protocol.ItemPending)

	muted[keeper.hub].Store(true)
	for _, p := range []*program{person, agent} {
		if code := p.code(t); code != moved.Code {
			t.Errorf("closed with %d", code)
		}
	}
	if got := waits.For(t, answer); got.Err == nil {
		t.Errorf("got %+v", got)
	}
	waits.Until(t, "the other hub keeps the team", func() bool { return other.hub.hosts()["web"] != nil })
	waits.Until(t, "the former keeper has lost it", func() bool { return keeper.hub.hosts()["web"] == nil })
	if _, status, err := keeper.dial(ci); err == nil || status != http.StatusServiceUnavailable {
		t.Errorf("the former keeper accepts visits: %d, %v", status, err)
	}
	agent, person = other.connect(ci), other.watch(ann)
	person.UntilState(id, protocol.ItemPending)
	answer = agent.AskAs(agent.Session("s"), id, `{"question":"Q?"}`)
	rpctest.Call(person.Editor, protocol.QuestionAnswer, typed(id, "yes"))
	if got := waits.For(t, answer); got.Err != nil || got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}

	muted[keeper.hub].Store(false)
	waits.Until(t, "the team returns", func() bool { return keeper.hub.hosts()["web"] != nil })
	placed(t, "web", one, two)
	agent = other.connect(ci)
	answer = agent.AskAs(agent.Session("s"), id, `{"question":"Q?"}`)
	if got := waits.For(t, answer); got.Err != nil || got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
}

// fast is a store whose clock is an hour ahead of the hub's.
type fast struct{ store.Store }

func (f fast) Beat(ctx context.Context, address string, leaves bool) ([]store.Member, time.Time, error) {
	all, now, err := f.Store.Beat(ctx, address, leaves)
	return all, now.Add(time.Hour), err
}

// Hubs use the database's clock, so that their own clocks may differ.
func TestTimesAreTheDatabases(t *testing.T) {
	t.Parallel()
	_, place, accounts := database(t)
	ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false)
	s := serve(t, place, func(o *Options) {
		o.Server.OpenStore = func(ctx context.Context, place string, so store.Options) (store.Store, store.Report, error) {
			in, report, err := postgres.Open(ctx, place, so)
			return fast{in}, report, err
		}
	})
	agent, person := s.connect(ci), s.watch(ann)
	id, answer := agent.Ask(agent.Session("s"), `{"question":"Q?"}`)
	item := person.UntilState(id, protocol.ItemPending)
	rpctest.Call(person.Editor, protocol.QuestionAnswer, typed(id, "yes"))
	_ = waits.For(t, answer)
	entry := rpctest.Call(person.Editor, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id})
	for what, at := range map[string]int64{"asked": item.AskedAt, "asked, in the history": entry.AskedAt, "closed": entry.Outcome.At} {
		if ahead := time.Until(time.UnixMilli(at)); ahead < 30*time.Minute || ahead > time.Hour+time.Second {
			t.Errorf("%s %v ahead", what, ahead)
		}
	}
}

// Hubs that start concurrently on an empty database, or on one without the teams' tables, become ready and log no error.
func TestHubsStartAtOnce(t *testing.T) {
	t.Parallel()
	server, err := cluster.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	for round := range 5 {
		core, log := observer.New(zap.WarnLevel)
		hubs := make([]*Hub, 3)
		if round%2 == 1 {
			accounts, _, err := postgres.Open(t.Context(), server.Place(fmt.Sprint("round", round)), store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for n := range 4 {
				_ = joined(t, accounts, fmt.Sprint("team-", n), "ci", true)
			}
			_ = accounts.Close()
		}
		var starting sync.WaitGroup
		for n := range hubs {
			there := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})) // answers the others' checks
			defer there.Close()
			starting.Go(func() {
				h, err := New(Options{
					Storage: server.Place(fmt.Sprint("round", round)), Address: there.URL, Locale: locale.English,
					Server: hubserver.Options{Version: "test", OpenStore: postgres.Open, NewID: rpctest.NewID}, Log: zap.New(core),
				})
				if err != nil {
					t.Error(err)
				}
				hubs[n] = h
			})
		}
		starting.Wait()
		for _, h := range hubs {
			waits.Until(t, "it is ready", func() bool { return h.Ready(t.Context()) == nil })
		}
		for _, h := range hubs {
			h.Close()
		}
		for _, line := range log.All() {
			t.Errorf("%s: %v", line.Message, line.ContextMap())
		}
	}
}

// A hub that cannot reach a team's keeper is not ready, even if nobody has visited that team yet.
func TestUnreachableKeeper(t *testing.T) {
	t.Parallel()
	_, place, accounts := database(t)
	s := serve(t, place, func(o *Options) { o.Server.OpenStore = postgres.Open })
	s.hub.readyFor = 0
	tokens := map[string]string{}
	for n := range 8 {
		team := fmt.Sprint("team-", n)
		tokens[team] = joined(t, accounts, team, "ci", true)
	}
	// A hub with heartbeats, but without a server.
	const nowhere = "http://127.0.0.1:1"
	ctx, end := context.WithCancel(t.Context())
	beating := make(chan struct{})
	go func() {
		defer close(beating)
		for every := time.NewTicker(beatEvery); ctx.Err() == nil; {
			if _, _, err := accounts.Beat(context.WithoutCancel(ctx), nowhere, false); err != nil {
				t.Error(err)
			}
			select {
			case <-ctx.Done():
			case <-every.C:
			}
		}
	}()
	defer func() { <-beating }()
	defer end()
	theirs := ""
	waits.Until(t, "the other hub keeps the team", func() bool {
		for team := range tokens {
			if owner(team, s.hub.members.live()) == nowhere {
				theirs = team
			}
		}
		return theirs != ""
	})
	waits.Until(t, "it is not ready", func() bool { return s.get("/readyz") == http.StatusServiceUnavailable })
	end()
	waits.Until(t, "it keeps the team itself", func() bool { return s.hub.hosts()[theirs] != nil })
	waits.Until(t, "it is ready again", func() bool { return s.get("/readyz") == http.StatusOK })
	_ = s.connect(tokens[theirs])
}
