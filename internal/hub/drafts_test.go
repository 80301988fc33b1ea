package hub

import (
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// A saved draft stays until its owner has emptied it, whatever others write. Their drafts are reported as not saved, and are saved
// once the first one is empty, whatever their clocks say.
func TestDraftsOfTwo(t *testing.T) {
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann, bob := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false), invited(t, accounts, "Bob", false)
	s := serve(t, storage, nil)
	agent, hers, his := s.come(ci), s.watch(ann), s.watch(bob)
	id, _ := agent.Ask(agent.Session("s"), `{"question":"Q?"}`)
	hers.UntilState(id, protocol.ItemPending)
	his.UntilState(id, protocol.ItemPending)
	save := func(p *program, text string, at int64) protocol.SaveDraftResult {
		t.Helper()
		return rpctest.Call(p.Editor, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: text, ChangedAt: at}})
	}
	stands := func(token, want string) {
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
		t.Error("hers is not kept")
	}
	if got := save(his, "B", 1_000_001); !got.Unkept {
		t.Error("his is reported as saved")
	}
	if got := save(his, "", 1_000_002); got.Unkept {
		t.Error("nothing is reported as not saved")
	}
	stands(ann, "long words")
	stands(bob, "")
	save(hers, "", 2_000_000)
	if got := save(his, "B again", 1_000_003); got.Unkept {
		t.Error("his is not kept where the place is free")
	}
	stands(bob, "B again")
	stands(ann, "")
}
