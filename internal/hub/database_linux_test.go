package hub

import (
	"net/http"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/store"
	"followup/internal/store/postgres"
	"followup/internal/store/postgres/cluster"
	"followup/internal/waits"
)

// Two hubs on one database are one to those who come, also when the server goes away and comes back: neither takes anybody meanwhile who
// would be told that it is ready, nothing is lost, and a token that is revoked then is cut.
func TestHubsOnADatabase(t *testing.T) {
	server, err := cluster.Start(cluster.Listen)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	place := server.Place("hub")
	accounts, _, err := postgres.Open(t.Context(), place, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = accounts.Close() })
	ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false, "ops")
	engine := func(o *Options) { o.Server.OpenStore = postgres.Open }
	one, two := serve(t, place, engine), serve(t, place, engine)
	one.hub.readyFor, two.hub.readyFor = 0, 0
	agent, person := one.come(ci), two.watch(ann)
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
	// What comes meanwhile waits: nothing is told that another hub would not know.
	third := rpctest.NewID()
	another := agent.AskAs(session, third, `{"question":"Q?"}`)
	taken := make(chan error, 1)
	go func() { taken <- failureIn(t.Context(), person, protocol.QuestionAnswer, typed(second, "still")) }()
	person.Until(func() bool { return !person.Storage.Saved })
	select {
	case got := <-late:
		t.Errorf("the agent was told what is not kept: %+v", got)
	case err := <-taken:
		t.Errorf("the person was: %v", err)
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
	if err := Revoke(t.Context(), accounts, "ci", false); err != nil {
		t.Fatal(err)
	}
	if got := agent.code(t); got != revoked.Code {
		t.Errorf("closed with %d", got)
	}
}
