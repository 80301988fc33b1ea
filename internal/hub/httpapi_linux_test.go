package hub

import (
	"net/http"
	"testing"
	"time"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/store/postgres"
	"followup/internal/waits"
)

// A program may use any hub on a database. A hub that does not keep the team relays its requests, even while another
// hub takes over the team.
func TestHTTPAPIThroughAnotherHub(t *testing.T) {
	t.Parallel()
	_, place, accounts := database(t)
	ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false)
	engine := func(o *Options) { o.Server.OpenStore = postgres.Open }
	one, two := serve(t, place, engine), serve(t, place, engine)
	keeper, other := placed(t, DefaultTeam, one, two), one
	if keeper == one {
		other = two
	}
	do := door(t, other)
	person := keeper.watch(ann)
	const questions = "/v1/questions"
	ask := func() string {
		t.Helper()
		status, result := do(ci, "POST", questions, `{"question":"Deploy?","to":"Ann"}`)
		if status != http.StatusCreated || result.Outcome != protocol.OutcomeWaiting {
			t.Fatalf("%d %+v", status, result)
		}
		return result.QuestionID
	}
	wait := func(id string) <-chan protocol.AskResult {
		got := make(chan protocol.AskResult, 1)
		go func() {
			for { // a hub that loses the team answers 503
				status, result := do(ci, "GET", questions+"/"+id+"?wait=60s", "")
				if status == http.StatusOK && result.Outcome != protocol.OutcomeWaiting || t.Context().Err() != nil {
					got <- result
					return
				}
				<-time.After(10 * time.Millisecond)
			}
		}()
		return got
	}
	answered, withdrawn, late := ask(), ask(), ask()
	outcome := wait(answered)
	person.UntilState(answered, protocol.ItemPending)
	rpctest.Call(person.Editor, protocol.QuestionAnswer, typed(answered, "yes"))
	if got := waits.For(t, outcome); got.Text != "yes" {
		t.Errorf("got %+v", got)
	}
	if status, result := do(ci, "DELETE", questions+"/"+withdrawn, ""); status != http.StatusOK || result.Outcome != protocol.OutcomeWithdrawn {
		t.Errorf("%d %+v", status, result)
	}
	person.UntilState(late, protocol.ItemPending)
	outcome = wait(late)
	keeper.stop()
	placed(t, DefaultTeam, other)
	person = other.watch(ann)
	person.UntilState(late, protocol.ItemPending)
	rpctest.Call(person.Editor, protocol.QuestionAnswer, typed(late, "still yes"))
	if got := waits.For(t, outcome); got.Text != "still yes" {
		t.Errorf("after its keeper has ended: %+v", got)
	}
}
