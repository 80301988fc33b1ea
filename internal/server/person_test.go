package server_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
)

// editorAt connects an editor that has a folder of its own.
func editorAt(t *testing.T, own string, person func() (string, error)) *rpctest.Editor {
	t.Helper()
	e := rpctest.Start(t, func(o *server.Options) { o.PersonFolder = person })
	rpctest.Call(e, protocol.Initialize, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version, EditorFolder: own},
	})
	e.Subscribe()
	return e
}

// Two editors of one person show one inbox.
func TestEditorsShareAPersonsStore(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "share", "followup")
	person := func() (string, error) { return folder, nil }
	var editors [2]*rpctest.Editor
	for i := range editors {
		editors[i] = editorAt(t, t.TempDir(), person)
	}
	id, _ := editors[0].Ask(editors[0].Session("s"), `{"question":"Which?"}`)
	editors[1].UntilState(id, protocol.ItemPending)
	rpctest.Call(editors[1], protocol.QuestionAnswer, typed(id, "so"))
	editors[0].UntilState(id, protocol.ItemClosed)
}

// Without a home, the editor's own folder is better than nothing.
func TestNobodyHasAHome(t *testing.T) {
	own := t.TempDir()
	e := editorAt(t, own, func() (string, error) { return "", errors.New("nobody") })
	id, _ := e.Ask(e.Session("s"), `{"question":"Which?"}`)
	e.UntilState(id, protocol.ItemPending)
	e.Leave()
	rpctest.ConnectTo(t, own, nil).UntilState(id, protocol.ItemPending)
}

// Other processes know whether somebody could see their questions.
func TestOthersKnowWhoShowsAnInbox(t *testing.T) {
	folder := t.TempDir()
	other, _, err := sqlite.Engine(t.Context(), folder, store.Options{Owner: uuid.NewString()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	shown := func(want bool) {
		t.Helper()
		waits.Until(t, fmt.Sprint("an inbox is shown: ", want), func() bool {
			is, err := other.Shown(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return is == want
		})
	}
	e := rpctest.Start(t, nil)
	rpctest.Call(e, protocol.Initialize, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version, StorageFolder: folder},
	})
	rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{}) // the store is open
	if is, err := other.Shown(t.Context()); err != nil || is {
		t.Errorf("an editor whose inbox is not open shows one: %v, %v", is, err)
	}
	e.Subscribe()
	shown(true)
	e.Leave()
	shown(false)
}
