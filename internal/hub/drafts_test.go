package hub

import (
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// A saved draft stays until its author empties it. Meanwhile, drafts of others are reported as not saved. Afterwards
// they are saved, whatever the clocks say.
func TestDraftsOfTwo(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann, bob := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false), invited(t, accounts, "Bob", false)
	s := serve(t, storage, nil)
	agent, hers, his := s.connect(ci), s.watch(ann), s.watch(bob)
	id, _ := agent.Ask(agent.Session("s"), `{"question":"Q?"}`)
	hers.UntilState(id, protocol.ItemPending)
	his.UntilState(id, protocol.ItemPending)
	save := func(p *program, text string, at int64) protocol.SaveDraftResult {
		t.Helper()
		return rpctest.Call(p.Editor, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: text, ChangedAt: at}})
	}
	saved := func(token, want string) {
		t.Helper()
		text := ""
		if d := s.watch(token).UntilState(id, protocol.ItemPending).Draft; d != nil {
			text = d.Text
		}
		if text != want {
			t.Errorf("got %q, want %q", text, want)
		}
	}
	if got := save(hers, "long words", 1_000_000); got.Unkept {
		t.Error("her draft was not saved")
	}
	if got := save(his, "B", 1_000_001); !got.Unkept {
		t.Error("his draft is reported as saved")
	}
	if got := save(his, "", 1_000_002); got.Unkept {
		t.Error("an empty draft is reported as not saved")
	}
	saved(ann, "long words")
	saved(bob, "")
	save(hers, "", 2_000_000)
	if got := save(his, "B again", 1_000_003); got.Unkept {
		t.Error("his draft was not saved after hers was emptied")
	}
	saved(bob, "B again")
	saved(ann, "")
}
