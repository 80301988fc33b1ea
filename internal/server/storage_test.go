package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// The folder cannot be made: everything works in memory and says so, in the user's words; when it can be made, all that was
// not saved is saved.
func TestStorageComesLater(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "storage")
	if err := os.WriteFile(folder, nil, 0o600); err != nil { // in the folder's place
		t.Fatal(err)
	}
	e := rpctest.ConnectTo(t, folder, shortLease)
	if e.Storage.Saved || !strings.Contains(e.Storage.Problem, "not being saved") {
		t.Fatalf("told %+v", e.Storage)
	}
	session := e.Session("s")
	first, reply := e.Ask(session, `{"question":"First?"}`)
	e.UntilState(first, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionAnswer, typed(first, "one"))
	if got := <-reply; got.Answer.Text != "<answer>\none\n</answer>" {
		t.Errorf("got %+v", got)
	}
	second, _ := e.Ask(session, `{"question":"Second?"}`)
	e.UntilState(second, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: second, Draft: protocol.Draft{Text: "half", ChangedAt: 1}})
	page := rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})
	if page.Saved || page.Problem != e.Storage.Problem || len(page.Entries) != 0 {
		t.Errorf("the history says %+v", page)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	e.Until(func() bool { return e.Storage.Saved && e.Storage.Problem == "" })
	page = rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})
	if !page.Saved || len(page.Entries) != 1 || page.Entries[0].Outcome.Text != "one" {
		t.Errorf("the history says %+v", page)
	}
	e.Leave()
	again := rpctest.ConnectTo(t, folder, nil)
	if item := again.UntilState(second, protocol.ItemPending); item.Draft == nil || item.Draft.Text != "half" {
		t.Errorf("came back as %+v", item)
	}
}

// A damaged file is set aside, and the user is told where it is.
func TestDamagedStorage(t *testing.T) {
	folder := t.TempDir()
	a := rpctest.ConnectTo(t, folder, nil)
	a.Leave()
	files, err := filepath.Glob(filepath.Join(folder, "*.db"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte("this is no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := rpctest.ConnectTo(t, folder, nil)
	aside, err := filepath.Glob(filepath.Join(folder, "*damaged*.db"))
	if err != nil || len(aside) != 1 {
		t.Fatal(aside, err)
	}
	if !b.Storage.Saved || !strings.Contains(b.Storage.Problem, aside[0]) {
		t.Errorf("told %+v", b.Storage)
	}
	id, _ := b.Ask(b.Session("s"), `{"question":"Q?"}`)
	b.UntilState(id, protocol.ItemPending)
}
