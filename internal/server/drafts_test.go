package server_test

import (
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/store"
)

// A draft of one window appears in the others and survives a restart. An older draft is ignored, and the outcome deletes it.
func TestDrafts(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	id, _ := a.Ask(a.Session("s"), `{"question":"Q?","follow_up":["A"]}`)
	a.UntilState(id, protocol.ItemPending)
	b.UntilState(id, protocol.ItemPending)
	save := func(e *rpctest.Editor, draft protocol.Draft) {
		t.Helper()
		rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: draft})
	}
	save(a, protocol.Draft{Text: "one", ChangedAt: 10})
	b.Until(func() bool { return b.Items[id].Draft != nil && b.Items[id].Draft.Text == "one" })
	newest := protocol.Draft{
		Text: "two", Suggestion: index(0), Mode: "code", ChangedAt: 20, Replying: true, Step: 2,
		Picks:  []protocol.PickDraft{{Options: []int{1}, Other: "o", OtherChosen: true, Notes: "n"}},
		Images: []protocol.DraftImage{gif},
	}
	save(b, newest)
	save(b, protocol.Draft{Text: "older", ChangedAt: 15})
	a.Until(func() bool { return a.Items[id].Draft != nil && a.Items[id].Draft.Text == "two" })
	a.Leave()
	b.Leave()

	c := rpctest.ConnectTo(t, folder, nil)
	if diff := cmp.Diff(&newest, c.UntilState(id, protocol.ItemPending).Draft); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
	save(c, protocol.Draft{ChangedAt: 30})
	c.Leave()
	d := rpctest.ConnectTo(t, folder, nil)
	if draft := d.UntilState(id, protocol.ItemPending).Draft; draft != nil {
		t.Errorf("an emptied draft came back: %+v", draft)
	}
	save(d, protocol.Draft{Text: "three", ChangedAt: 40})
	rpctest.Call(d, protocol.QuestionAnswer, typed(id, "done"))
	if item := d.UntilState(id, protocol.ItemClosed); item.Draft != nil {
		t.Errorf("a closed question has a draft: %+v", item.Draft)
	}
	save(d, protocol.Draft{Text: "late", ChangedAt: 50}) // from a card that is still on screen; it is dropped
	if code := rpctest.Code(d, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: rpctest.NewID()}); code != protocol.CodeUnknown {
		t.Errorf("a draft of an unknown question: got code %d", code)
	}
	bad := protocol.Draft{Images: []protocol.DraftImage{{MimeType: "image/gif", Data: "%"}}}
	if code := rpctest.Code(d, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: bad}); code != -32602 {
		t.Errorf("an image that is not base64: got code %d", code)
	}
}

// gif is an image in a draft.
var gif = protocol.DraftImage{
	Hash: store.HashOf("image/gif", []byte("GIF89a")), MimeType: "image/gif", Data: base64.StdEncoding.EncodeToString([]byte("GIF89a")), Name: "a.gif",
}

// A draft's image is sent once to each window: later changes of the text do not send it again, and a window that has it sends its
// hash.
func TestDraftImagesTravelOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	id, _ := a.Ask(a.Session("s"), `{"question":"Q?"}`)
	a.UntilState(id, protocol.ItemPending)
	b.UntilState(id, protocol.ItemPending)
	named := gif
	named.Data = ""
	save := func(e *rpctest.Editor, at int64, image protocol.DraftImage) []string {
		t.Helper()
		return rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{
			Text: fmt.Sprint("typed ", at), Images: []protocol.DraftImage{image}, ChangedAt: at,
		}}).Missing
	}
	if diff := cmp.Diff([]string{gif.Hash}, save(a, 1, named)); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	for at := int64(2); at < 12; at++ {
		from, image := a, named
		if at == 2 {
			image = gif
		}
		if at > 6 { // the other window continues the draft
			from = b
		}
		if missing := save(from, at, image); missing != nil {
			t.Errorf("missing at %d: %v", at, missing)
		}
		for _, e := range []*rpctest.Editor{a, b} {
			e.Until(func() bool { return e == from || e.Items[id].Draft != nil && e.Items[id].Draft.ChangedAt == at })
		}
	}
	b.Until(func() bool {
		if diff := cmp.Diff([]protocol.DraftImage{gif}, b.Items[id].Draft.Images); diff != "" || a.ImagesSent != 0 || b.ImagesSent != 1 {
			t.Errorf("sent %d and %d times; (-want +got):\n%s", a.ImagesSent, b.ImagesSent, diff)
		}
		return true
	})
}

// Without a storage folder, drafts last until the sidecar exits.
func TestDraftInMemory(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	id, _ := e.Ask(e.Session("s"), `{"question":"Q?"}`)
	e.UntilState(id, protocol.ItemPending)
	draft := protocol.Draft{Text: "half", ChangedAt: 1}
	rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: draft})
	inbox := rpctest.Call(e, protocol.InboxSubscribe, protocol.None{})
	if diff := cmp.Diff(&draft, inbox.Items[0].Draft); diff != "" || inbox.Storage != nil {
		t.Errorf("storage %+v, draft (-want +got):\n%s", inbox.Storage, diff)
	}
}

// A draft with a time in the future does not block later ones.
func TestDraftFromTheFuture(t *testing.T) {
	t.Parallel()
	e := rpctest.ConnectTo(t, t.TempDir(), nil)
	id, _ := e.Ask(e.Session("s"), `{"question":"Q?"}`)
	e.UntilState(id, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: "future", ChangedAt: 1 << 60}})
	rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: "now", ChangedAt: time.Now().UnixMilli() + 1}})
	inbox := rpctest.Call(e, protocol.InboxSubscribe, protocol.None{})
	if draft := inbox.Items[0].Draft; draft == nil || draft.Text != "now" {
		t.Errorf("got %+v", draft)
	}
}
