package hub

import (
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/store"
	"followup/internal/waits"
)

// joined invites an account to a team, and returns its token.
func joined(t testing.TB, in Accounts, team, name string, agent bool) (token string) {
	t.Helper()
	token, err := Invite(t.Context(), in, Invitation{Team: team, Name: name, Agent: agent})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// Teams only share the hub: people with the same name see and answer the questions of their own team, and each team has
// its own store and accounts.
func TestTeams(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	s := serve(t, storage, nil)
	agents, people, ids := map[string]*program{}, map[string]*program{}, map[string]string{}
	answers := map[string]<-chan rpctest.Reply{}
	teams := []string{"web", "ops"}
	for _, team := range teams {
		agents[team], people[team] = s.connect(joined(t, accounts, team, "ci", true)), s.watch(joined(t, accounts, team, "Ann", false))
		ids[team] = rpctest.NewID()
		answers[team] = agents[team].AskWith(protocol.AskParams{
			Session: agents[team].Session("s"), QuestionID: ids[team], Tool: "ask_followup_question", Input: []byte(`{"question":"` + team + `?"}`),
			Envelope: protocol.Envelope{To: "Ann"},
		})
		people[team].UntilState(ids[team], protocol.ItemPending)
	}
	for i, team := range teams {
		other := teams[1-i]
		if item := people[team].Item(ids[other]); item.QuestionID != "" {
			t.Errorf("%s sees %+v", team, item)
		}
		err := failure(people[team], protocol.QuestionAnswer, typed(ids[other], "mine"))
		none := failure(people[team], protocol.QuestionAnswer, typed(rpctest.NewID(), "mine"))
		if rpctest.ErrorCode(err) != protocol.CodeUnknown || rpctest.ErrorCode(none) != protocol.CodeUnknown {
			t.Errorf("%s got %v, and %v for an unknown question", team, err, none)
		}
	}
	if err := Revoke(t.Context(), accounts, "ops", "ci", true); err != nil {
		t.Fatal(err)
	}
	if item := people["ops"].UntilState(ids["ops"], protocol.ItemClosed); item.Outcome.Outcome != protocol.OutcomeDisconnected {
		t.Errorf("got %+v", item.Outcome)
	}
	rpctest.Call(people["web"].Editor, protocol.QuestionAnswer, typed(ids["web"], "yes"))
	if got := waits.For(t, answers["web"]); got.Err != nil || got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
	for _, team := range teams {
		page, err := openedFor(t, storage, team).History(t.Context(), store.Filter{}, 0, 9)
		if err != nil || len(page.Entries) != 1 || page.Entries[0].ID != ids[team] {
			t.Errorf("%s has %+v, %v", team, page, err)
		}
	}
	if got := value(t, s.hub, "followup_hub_teams"); got != 2 {
		t.Errorf("%v teams", got)
	}
}
