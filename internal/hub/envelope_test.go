package hub

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"followup/internal/archive"
	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/store"
	"followup/internal/waits"
)

// Every field of the envelope reaches the card, the store's list of open questions, and the history. The test fills the
// fields by reflection, so it fails for a new field that some step forgets.
func TestEnvelopeArrives(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false)
	s := serve(t, storage, nil)
	agent, hers := s.connect(ci), s.watch(ann)
	var want protocol.Envelope
	for _, field := range reflect.ValueOf(&want).Elem().Fields() {
		if field.Kind() == reflect.Bool {
			field.SetBool(true)
			continue
		}
		if field.Kind() == reflect.Int64 {
			field.SetInt(time.Now().Add(time.Hour).UnixMilli()) // in the future
			continue
		}
		field.SetString("Ann") // a valid addressee, and any text
	}
	sent := want
	want.PreviousPlan = "" // only the sidecar sets it; the session has no plan before
	check := func(where string, got protocol.Envelope) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", where, diff)
		}
	}
	id := rpctest.NewID()
	answer := agent.AskWith(protocol.AskParams{
		Envelope: sent, Session: agent.Session("s"), QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`),
	})
	hers.UntilState(id, protocol.ItemPending)
	check("card", hers.Items[id].Envelope)
	q, err := openedFor(t, storage, DefaultTeam).Question(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	item, err := archive.Item(q, store.Session{})
	if err != nil {
		t.Fatal(err)
	}
	check("store", item.Envelope)
	rpctest.Call(hers.Editor, protocol.QuestionAnswer, typed(id, "yes"))
	_ = waits.For(t, answer)
	check("history", rpctest.Call(hers.Editor, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id}).Envelope)
}
